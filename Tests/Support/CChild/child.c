#define _GNU_SOURCE
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// In memory, because not every file system supports O_TMPFILE.
int child_temporary_file(void) {
    int file = memfd_create("stream", MFD_CLOEXEC);
    if (file < 0 || fchmod(file, 0600) == 0) return file;
    int error = errno;
    close(file);
    errno = error;
    return -1;
}

int child_terminal(char *name, size_t capacity) {
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (master < 0) return -1;
    if (grantpt(master) == 0 && unlockpt(master) == 0 && ptsname_r(master, name, capacity) == 0) return master;
    int error = errno;
    close(master);
    errno = error;
    return -1;
}

void child_reset_signals(void) {
    for (int number = 1; number <= SIGRTMAX; number++) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

int child_lack(unsigned lacks) {
    if (lacks == 0) return 0;
    unsigned allowed = SECCOMP_RET_ALLOW;
    unsigned unnamed = lacks & CHILD_LACKS_UNNAMED ? SECCOMP_RET_ERRNO | EOPNOTSUPP : allowed;
    unsigned rename = lacks & CHILD_LACKS_RENAME ? SECCOMP_RET_ERRNO | EINVAL : allowed;
    unsigned link = lacks & CHILD_LACKS_LINK ? SECCOMP_RET_ERRNO | EPERM : allowed;
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_linkat, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, link),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_renameat2, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, rename),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
        // The flags. O_TMPFILE is a separate bit combined with O_DIRECTORY.
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_TMPFILE & ~O_DIRECTORY, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, unnamed),
        BPF_STMT(BPF_RET | BPF_K, allowed),
    };
    struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

pid_t child_start(const char *path, char *const arguments[], char *const environment[], const char *directory,
                  int input, int output, int error, int terminal[2], const char *typed, unsigned lacks) {
    if (terminal) {
        char name[128];
        if ((terminal[0] = child_terminal(name, sizeof name)) < 0) return -1;
        terminal[1] = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
        size_t count = typed ? strlen(typed) : 0;
        if (terminal[1] < 0 || (count > 0 && write(terminal[0], typed, count) != (ssize_t)count)) return -1;
    }
    pid_t process = fork();
    if (process != 0) return process;

    setsid();
    child_reset_signals();
    if (terminal && ioctl(terminal[1], TIOCSCTTY, 0) != 0) _exit(126);
    if (dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(error, 2) < 0 || chdir(directory) != 0) _exit(126);
    if (child_lack(lacks) != 0) _exit(126);
    execve(path, arguments, environment);
    _exit(127);
}

int child_await(pid_t process, int terminal, int milliseconds) {
    int ended = (int)syscall(SYS_pidfd_open, process, 0);
    if (ended < 0) return -1;
    struct pollfd files[] = {{.fd = ended, .events = POLLIN}, {.fd = terminal, .events = POLLIN}};
    int count;
    do count = poll(files, 2, milliseconds);
    while (count < 0 && errno == EINTR);
    int error = errno;
    close(ended);
    errno = error;
    if (count <= 0) return count;
    return (files[0].revents ? CHILD_ENDED : 0) | (files[1].revents ? CHILD_SHOWED : 0);
}

int child_run(int (*body)(void *context), void *context) {
    pid_t child = fork();
    if (child < 0) return -1;
    if (child == 0) _exit(body(context));
    int status;
    if (waitpid(child, &status, 0) != child) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
