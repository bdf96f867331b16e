#define _GNU_SOURCE
#include "fork.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

int fork_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int fork_process(void) {
    const pid_t parent = getpid(), child = fork();
    if (child != 0) return child;
    // The parent may have ended before the request.
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0 || getppid() != parent) _exit(1);
    return 0;
}

int fork_wait(int child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return -1;
    }
    return status;
}

/// Lowers a limit. One that is lower already stays.
static int lower(int resource, rlim_t value) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return -1;
    if (limit.rlim_max < value) value = limit.rlim_max;
    limit.rlim_cur = limit.rlim_max = value;
    return setrlimit(resource, &limit);
}

int fork_limit(unsigned long seconds, unsigned long memory) {
    if (lower(RLIMIT_CPU, seconds) != 0) return -1;
    return lower(RLIMIT_DATA, memory);
}

void fork_exit(int status) { _exit(status); }
