#define _GNU_SOURCE
#include "process.h"

#include "descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

int agent_fork(void) { return fork(); }

/// The kernel ends this process when its parent ends, which may have happened already.
static int end_with_parent(pid_t parent) {
    return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 && getppid() == parent ? 0 : -1;
}

int agent_separate(int parent) {
    if (end_with_parent(parent) != 0 || setsid() < 0) return -1;
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

static void reset_signals(void) {
    for (int number = 1; number <= SIGRTMAX; number++) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void execute(int program, const char *name) {
    char *arguments[] = {(char *)name, NULL}, *environment[] = {"PATH=/usr/local/bin:/usr/bin:/bin", NULL};
    syscall(SYS_execveat, program, "", arguments, environment, AT_EMPTY_PATH);
    // A script: its interpreter can't open a descriptor that is closed by then.
    if (errno == ENOENT && fcntl(program, F_SETFD, 0) == 0)
        syscall(SYS_execveat, program, "", arguments, environment, AT_EMPTY_PATH);
    _exit(errno == ENOENT ? 127 : 126);
}

int agent_start(int program, const char *name, int input, int output) {
    const pid_t parent = getpid(), child = fork();
    if (child != 0) return child;
    enum { place = 3 };
    // Above the numbers that are set next, so that none of them is overwritten.
    program = fcntl(program, F_DUPFD_CLOEXEC, place + 1);
    input = fcntl(input, F_DUPFD_CLOEXEC, place + 1);
    output = fcntl(output, F_DUPFD_CLOEXEC, place + 1);
    if (end_with_parent(parent) != 0 || setsid() < 0 || chdir("/") != 0) _exit(126);
    if (dup2(input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0) _exit(126);
    if (dup3(program, place, O_CLOEXEC) < 0) _exit(126);
    const int descriptors[] = {place};
    files_close_descriptors(descriptors, 1);
    reset_signals();
    execute(place, name);
}

enum agent_state agent_state_of(int child) {
    siginfo_t end = {.si_pid = 0};
    if (waitid(P_PID, (id_t)child, &end, WEXITED | WNOHANG | WNOWAIT) != 0) return AGENT_FAILED;
    if (end.si_pid == 0) return AGENT_RUNS;
    return end.si_code == CLD_EXITED && end.si_status == 0 ? AGENT_SUCCEEDED : AGENT_FAILED;
}

int agent_reap(int child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return -1;
    }
    return status;
}

void agent_exit(int status) { _exit(status); }
