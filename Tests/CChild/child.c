#define _GNU_SOURCE
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

int child_temporary_file(void) { return open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); }

int child_terminal(char *name, size_t capacity) {
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (master < 0) return -1;
    if (grantpt(master) == 0 && unlockpt(master) == 0 && ptsname_r(master, name, capacity) == 0) return master;
    int error = errno;
    close(master);
    errno = error;
    return -1;
}

pid_t child_start(const char *path, char *const arguments[], char *const environment[], const char *directory,
                  int input, int output, int error, int *master) {
    char terminal[128] = "";
    if (master && (*master = child_terminal(terminal, sizeof terminal)) < 0) return -1;
    pid_t process = fork();
    if (process != 0) return process;

    setsid();
    // The threads of a test may hold signals back; a shell starts a program with none held back.
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (master) {
        int slave = open(terminal, O_RDWR | O_NOCTTY | O_CLOEXEC);
        if (slave < 0 || ioctl(slave, TIOCSCTTY, 0) != 0) _exit(126);
    }
    if (dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(error, 2) < 0 || chdir(directory) != 0) _exit(126);
    execve(path, arguments, environment);
    _exit(127);
}
