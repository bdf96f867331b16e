#define _GNU_SOURCE
#include "faults.h"

#include <child.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void become(const char *path, char *const arguments[], char *const environment[], const char *directory,
                   int input, int output, int error, unsigned lacks, bool is_traced) {
    setsid();
    child_reset_signals();
    if (dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(error, 2) < 0 || chdir(directory) != 0) _exit(126);
    if (child_lack(lacks) != 0) _exit(124);
    if (is_traced && ptrace(PTRACE_TRACEME, 0, 0, 0) != 0) _exit(125);
    execve(path, arguments, environment);
    _exit(127);
}

static pid_t wait_for(pid_t process, faults_end *end) {
    pid_t found;
    do found = wait4(process, &end->status, __WALL, &end->usage);
    while (found < 0 && errno == EINTR);
    if (found < 0) end->error = errno;
    return found;
}

/// Ends a program that could not be traced, and returns `error` instead of its status.
static void give_up(pid_t process, faults_end *end, int error) {
    kill(process, SIGKILL);
    wait_for(process, end);
    end->error = error;
}

/// The error that kept a program from its first stop, by the exit status of `become`.
static int refusal(int status) {
    if (!WIFEXITED(status)) return ENOEXEC;
    switch (WEXITSTATUS(status)) {
    case 124: return ENOSYS;
    case 125: return EPERM;
    default: return ENOEXEC;
    }
}

static bool is_there(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0;
}

/// Steps from one system call to the next. A tracer that attached before exec also traces a program
/// that forbids dumping.
static void step(pid_t process, const char *watched, faults_place place, int signal, int32_t *calls, size_t capacity,
                 faults_end *end) {
    int64_t same_kind = 0;
    // The stop at exec.
    if (wait_for(process, end) < 0) return;
    if (!WIFSTOPPED(end->status)) {
        end->error = refusal(end->status);
        return;
    }
    bool is_awaited = watched && !is_there(watched);
    if (ptrace(PTRACE_SETOPTIONS, process, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL) != 0)
        return give_up(process, end, errno);
    int passed_on = 0;
    while (ptrace(PTRACE_SYSCALL, process, 0, passed_on) == 0) {
        if (wait_for(process, end) < 0) return;
        if (WIFEXITED(end->status) || WIFSIGNALED(end->status)) return;
        passed_on = WSTOPSIG(end->status);
        if (passed_on != (SIGTRAP | 0x80)) continue;
        passed_on = 0;
        struct __ptrace_syscall_info info;
        if (ptrace(PTRACE_GET_SYSCALL_INFO, process, sizeof info, &info) <= 0) return give_up(process, end, errno);
        if (info.op != PTRACE_SYSCALL_INFO_ENTRY) {
            if (is_awaited && is_there(watched)) {
                is_awaited = false;
                end->named = end->calls - 1;
            }
            continue;
        }
        if ((int32_t)info.entry.nr == place.kind && same_kind++ == place.before) {
            end->reached = true;
            if (signal == SIGKILL) break;
            kill(process, signal);
        }
        if ((size_t)end->calls < capacity) calls[end->calls] = (int32_t)info.entry.nr;
        end->calls++;
    }
    kill(process, SIGKILL);
    // A stopped program that was killed may stop once more before it ends.
    while (wait_for(process, end) >= 0 && WIFSTOPPED(end->status)) ptrace(PTRACE_CONT, process, 0, 0);
}

faults_end faults_run(const char *path, char *const arguments[], char *const environment[], const char *directory,
                      int input, int output, int error, unsigned lacks, const char *watched, faults_place place,
                      int signal, int64_t killed_after, int32_t *calls, size_t capacity) {
    faults_end end = {.named = -1};
    bool is_traced = place.before >= 0;
    pid_t process = fork();
    if (process == 0) become(path, arguments, environment, directory, input, output, error, lacks, is_traced);
    if (process < 0) {
        end.error = errno;
        return end;
    }
    if (is_traced) {
        step(process, watched, place, signal, calls, capacity, &end);
        return end;
    }
    if (killed_after >= 0) {
        // Waits until the program ends or the time is over.
        int descriptor = (int)syscall(SYS_pidfd_open, process, 0);
        struct pollfd ended = {.fd = descriptor, .events = POLLIN};
        struct timespec time = {.tv_sec = killed_after / 1000000, .tv_nsec = killed_after % 1000000 * 1000};
        ppoll(&ended, descriptor < 0 ? 0 : 1, &time, NULL);
        if (descriptor >= 0) close(descriptor);
        if (!ended.revents) kill(process, SIGKILL);
    }
    wait_for(process, &end);
    return end;
}
