#define _GNU_SOURCE
#include "run.h"

#include "child.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

// PTRACE_SEIZE, unlike PTRACE_TRACEME, allows stopping a thread that is not at a system call.

static void limit(int resource, rlim_t most) {
    struct rlimit none = {.rlim_cur = most, .rlim_max = most}, old;
    if (setrlimit(resource, &none) == 0 || getrlimit(resource, &old) != 0) return;
    // Without root the hard limit is the maximum.
    old.rlim_cur = old.rlim_max;
    setrlimit(resource, &old);
}

static void become(const residue_start *start, const char *terminal, int ready) {
    setsid();
    child_reset_signals();
    int slave = -1;
    if (start->has_terminal) {
        slave = open(terminal, O_RDWR | O_NOCTTY | O_CLOEXEC);
        if (slave < 0 || ioctl(slave, TIOCSCTTY, 0) != 0) _exit(126);
    }
    const int streams[] = {start->input, start->output, start->error};
    for (int number = 0; number < 3; number++)
        if (dup2(streams[number] < 0 ? slave : streams[number], number) < 0) _exit(126);
    if (chdir(start->directory) != 0) _exit(126);
    limit(RLIMIT_CORE, RLIM_INFINITY);
    if (start->file_size_limit >= 0) limit(RLIMIT_FSIZE, (rlim_t)start->file_size_limit);
    if (start->respects_modes) {
        prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0);
        prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH, 0, 0, 0);
    }
    char byte;
    if (read(ready, &byte, 1) != 1) _exit(125);
    execve(start->path, start->arguments, start->environment);
    _exit(127);
}

static int open_of(pid_t process, const char *name) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", process, name);
    return open(path, O_RDONLY | O_CLOEXEC);
}

/// An open descriptor of /proc stays readable, also after the program forbids dumping.
static bool open_files(residue_run *run) {
    run->memory = open_of(run->process, "mem");
    run->mappings = open_of(run->process, "smaps");
    run->pages = open_of(run->process, "pagemap");
    run->arguments = open_of(run->process, "cmdline");
    run->environment = open_of(run->process, "environ");
    return run->memory >= 0 && run->mappings >= 0 && run->pages >= 0 && run->arguments >= 0 && run->environment >= 0;
}

/// Waits for a status.
/// - `thread`: one thread, or minus the number of the process, which leads a group. It is never -1:
///   the process that runs the tests has other children, and their statuses must not be taken here.
static pid_t wait_for(pid_t thread, int *status) {
    pid_t found;
    do found = waitpid(thread, status, __WALL | __WNOTHREAD);
    while (found < 0 && errno == EINTR);
    return found;
}

static residue_run *fail(residue_run *run, int error) {
    residue_end(run);
    errno = error;
    return NULL;
}

residue_run *residue_begin(const residue_start *start) {
    residue_run *run = calloc(1, sizeof *run);
    if (!run) return NULL;
    run->terminal = run->memory = run->mappings = run->pages = run->arguments = run->environment = -1;
    char terminal[128] = "";
    if (start->has_terminal && (run->terminal = child_terminal(terminal, sizeof terminal)) < 0) return fail(run, errno);
    int ready[2];
    if (pipe2(ready, O_CLOEXEC) != 0) return fail(run, errno);
    run->process = fork();
    if (run->process == 0) become(start, terminal, ready[0]);
    close(ready[0]);
    int error = run->process < 0 ? errno : 0;
    const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC |
                         PTRACE_O_TRACEEXIT;
    if (!error && ptrace(PTRACE_SEIZE, run->process, 0, options) != 0) error = errno;
    if (!error && write(ready[1], "", 1) != 1) error = errno;
    close(ready[1]);
    if (error) return fail(run, error);
    int status;
    if (wait_for(run->process, &status) < 0) return fail(run, errno);
    if (!WIFSTOPPED(status)) {
        run->process = 0;
        return fail(run, ENOEXEC);
    }
    run->threads[run->thread_count++] = (residue_thread){.number = run->process, .is_stopped = true};
    if (status >> 8 != (SIGTRAP | PTRACE_EVENT_EXEC << 8)) return fail(run, ENOEXEC);
    run->keeps_cores = start->keeps_cores;
    if (!open_files(run)) return fail(run, errno);
    return run;
}

void residue_end(residue_run *run) {
    if (!run) return;
    if (run->process > 0 && !run->is_gone) {
        kill(run->process, SIGKILL);
        int status;
        pid_t found;
        while ((found = wait_for(-run->process, &status)) > 0) {
            if (WIFSTOPPED(status)) ptrace(PTRACE_CONT, found, 0, 0);
            else if (found == run->process) break;
        }
    }
    const int files[] = {run->terminal, run->memory, run->mappings, run->pages, run->arguments, run->environment};
    for (size_t index = 0; index < sizeof files / sizeof *files; index++)
        if (files[index] >= 0) close(files[index]);
    free(run);
}

pid_t residue_process(const residue_run *run) { return run->process; }
int residue_kept_cores(const residue_run *run) { return run->kept_cores; }
int residue_terminal(const residue_run *run) { return run->terminal; }

ssize_t residue_read(const residue_run *run, uint64_t address, void *bytes, size_t count) {
    return pread64(run->memory, bytes, count, (off64_t)address);
}

int residue_signal(const residue_run *run, int signal) { return kill(run->process, signal); }

// MARK: from stop to stop

static residue_thread *thread_of(residue_run *run, pid_t number) {
    for (size_t index = 0; index < run->thread_count; index++)
        if (run->threads[index].number == number) return &run->threads[index];
    if (run->thread_count == RESIDUE_THREADS) return NULL;
    residue_thread *added = &run->threads[run->thread_count++];
    *added = (residue_thread){.number = number};
    return added;
}

static void forget(residue_run *run, residue_thread *thread) { *thread = run->threads[--run->thread_count]; }

static residue_stop failure(residue_run *run, int error) {
    kill(run->process, SIGKILL);
    return (residue_stop){.event = RESIDUE_END, .error = error};
}

/// Resumes all stopped threads that have no pending status.
static void resume(residue_run *run) {
    for (size_t index = 0; index < run->thread_count; index++) {
        residue_thread *thread = &run->threads[index];
        if (!thread->is_stopped || thread->has_status) continue;
        // If the thread was killed meanwhile, the next wait reports it.
        ptrace(PTRACE_SYSCALL, thread->number, 0, thread->signal);
        thread->is_stopped = false;
        thread->signal = 0;
    }
}

/// The next thread that has a status to report.
static residue_thread *next(residue_run *run, int *status) {
    for (size_t index = 0; index < run->thread_count; index++) {
        residue_thread *thread = &run->threads[index];
        if (!thread->has_status) continue;
        thread->has_status = false;
        *status = thread->status;
        return thread;
    }
    pid_t found = wait_for(-run->process, status);
    return found < 0 ? NULL : thread_of(run, found);
}

/// Clears the new limit of prlimit(2): the call then changes nothing and succeeds.
static int clear_third_argument(pid_t thread) {
    struct user_regs_struct registers;
    struct iovec vector = {&registers, sizeof registers};
    if (ptrace(PTRACE_GETREGSET, thread, NT_PRSTATUS, &vector) != 0) return -1;
#if defined(__x86_64__)
    registers.rdx = 0;
#elif defined(__aarch64__)
    registers.regs[2] = 0;
#else
#error "the register of the third argument is unknown for this processor"
#endif
    return ptrace(PTRACE_SETREGSET, thread, NT_PRSTATUS, &vector);
}

residue_stop residue_next(residue_run *run) {
    while (true) {
        resume(run);
        int status;
        residue_thread *thread = next(run, &status);
        if (!thread) return failure(run, errno ? errno : ENOMEM);
        if (!WIFSTOPPED(status)) {
            if (thread->number == run->process) {
                run->is_gone = true;
                return (residue_stop){.event = RESIDUE_END, .status = status};
            }
            forget(run, thread);
            continue;
        }
        thread->is_stopped = true;
        int signal = WSTOPSIG(status), event = status >> 16;
        if (signal == (SIGTRAP | 0x80)) {
            struct __ptrace_syscall_info info;
            if (ptrace(PTRACE_GET_SYSCALL_INFO, thread->number, sizeof info, &info) <= 0) return failure(run, errno);
            if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
                residue_stop stop = {.event = RESIDUE_ENTRY, .call = (int64_t)info.entry.nr};
                if (run->keeps_cores && stop.call == SYS_prlimit64 && info.entry.args[1] == RLIMIT_CORE) {
                    if (clear_third_argument(thread->number) != 0) return failure(run, errno);
                    run->kept_cores++;
                }
                memcpy(stop.arguments, info.entry.args, sizeof stop.arguments);
                memcpy(thread->arguments, info.entry.args, sizeof stop.arguments);
                thread->call = stop.call;
                return stop;
            }
            if (info.op != PTRACE_SYSCALL_INFO_EXIT) continue;
            residue_stop stop = {.event = RESIDUE_EXIT, .call = thread->call, .result = info.exit.rval};
            memcpy(stop.arguments, thread->arguments, sizeof stop.arguments);
            return stop;
        }
        unsigned long end;
        if (event == PTRACE_EVENT_EXIT && thread->number == run->process &&
            ptrace(PTRACE_GETEVENTMSG, thread->number, 0, &end) == 0 && WIFSIGNALED((int)end))
            return (residue_stop){.event = RESIDUE_DEATH, .status = (int)end};
        // The first stop of a new thread, the stop of exec or of a stopping signal: there is
        // nothing to report, and no signal to deliver.
        if (event == 0) thread->signal = signal;
    }
}

/// True if a stopped thread is not at a system call: it may be using a secret. The kernel then
/// writes -1 in place of the number of the call.
static bool is_computing(const residue_run *run, const residue_thread *thread) {
    char path[64], start[3] = "";
    snprintf(path, sizeof path, "/proc/%d/task/%d/syscall", run->process, thread->number);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    ssize_t count = read(file, start, sizeof start);
    close(file);
    return count == sizeof start && memcmp(start, "-1 ", sizeof start) == 0;
}

bool residue_stop_threads(residue_run *run) {
    for (size_t index = 0; index < run->thread_count; index++) {
        residue_thread *thread = &run->threads[index];
        if (thread->is_stopped) continue;
        // A thread that is ending can't be interrupted; then its end is waited for.
        if (ptrace(PTRACE_INTERRUPT, thread->number, 0, 0) != 0 && errno != ESRCH) return false;
        if (wait_for(thread->number, &thread->status) < 0) return false;
        thread->has_status = true;
        // A thread that computes goes on to its next system call.
        while (WIFSTOPPED(thread->status) && thread->status >> 16 == PTRACE_EVENT_STOP && is_computing(run, thread)) {
            if (ptrace(PTRACE_SYSCALL, thread->number, 0, 0) != 0 && errno != ESRCH) return false;
            if (wait_for(thread->number, &thread->status) < 0) return false;
        }
        thread->is_stopped = WIFSTOPPED(thread->status);
    }
    return true;
}
