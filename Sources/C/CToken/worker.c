#define _GNU_SOURCE
#include "worker.h"

#include "descriptors.h"
#include "helper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#include <sys/wait.h>

/// Moves the descriptors to numbers that no standard stream has, and closes all others.
static int settle(int *requests, int *answers) {
    const int input = fcntl(*requests, F_DUPFD_CLOEXEC, 10), output = fcntl(*answers, F_DUPFD_CLOEXEC, 10);
    const int sink = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (input < 0 || output < 0 || sink < 0) return -1;
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
        if (dup2(sink, stream) < 0) return -1;
    }
    const int kept[] = {input, output};
    files_close_descriptors(kept, 2);
    *requests = input;
    *answers = output;
    return 0;
}

int token_fork(int *requests, int *answers) {
    const pid_t child = helper_fork(requests, answers);
    if (child == 0 && settle(requests, answers) != 0) _exit(126);
    return child;
}

int token_has_ended(int process) {
    siginfo_t end = {.si_pid = 0};
    return waitid(P_PID, (id_t)process, &end, WEXITED | WNOHANG | WNOWAIT) != 0 || end.si_pid != 0;
}

int token_end(int process) {
    // A process that ended by itself is a zombie, so its id and its group are its own.
    kill(-process, SIGKILL);
    kill(process, SIGKILL);
    // A process that waits for a device in the kernel ends later, and stays a zombie then.
    int status = 0;
    for (int tries = 0; tries < 250; tries++) {
        const pid_t ended = waitpid(process, &status, WNOHANG);
        if (ended == process) break;
        if (ended < 0 && errno != EINTR) return 0;
        usleep(2000);
    }
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

void token_exit(int status) { _exit(status); }
