#define _GNU_SOURCE
#include "job.h"
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static volatile sig_atomic_t asked;
static void ask(int number) { asked = number; }
static void wake(int number) { (void)number; }

/// The terminal modes in which a shell reads a command line.
static void edit_line(int terminal, const struct termios *cooked) {
    struct termios raw = *cooked;
    raw.c_lflag &= ~(unsigned)(ICANON | ECHO);
    raw.c_iflag &= ~(unsigned)ICRNL;
    tcsetattr(terminal, TCSADRAIN, &raw);
}

/// Closes all inherited descriptors except the standard streams and these two. Other tests run at
/// the same time: a copy of their pipe or terminal would hide the end of their program until this
/// shell ends.
static int close_others(int one, int other) {
    unsigned low = (unsigned)(one < other ? one : other), high = (unsigned)(one < other ? other : one);
    if (low > 3 && close_range(3, low - 1, 0) != 0) return -1;
    if (high > low + 1 && close_range(low + 1, high - 1, 0) != 0) return -1;
    return close_range(high + 1, ~0U, 0);
}

_Noreturn static void shell(int terminal, pid_t job, int events, int flags, struct termios cooked) {
    sigset_t none;
    sigemptyset(&none);
    struct termios of_job = cooked;
    while (1) {
        int status;
        pid_t changed = waitpid(job, &status, WUNTRACED | WCONTINUED | WNOHANG);
        if (changed < 0) _exit(126);
        if (changed > 0) {
            struct termios modes = {0};
            tcgetattr(terminal, &modes);
            if (WIFSTOPPED(status) && !(flags & JOB_PASSIVE)) {
                // The modes of a job that stops in the background are the shell's own.
                if (tcgetpgrp(terminal) == job) of_job = modes;
                tcsetpgrp(terminal, getpid());
                edit_line(terminal, &cooked);
            }
            struct job_event event = {status, modes.c_lflag, modes.c_iflag};
            if (write(events, &event, sizeof event) != sizeof event) _exit(126);
            if (WIFEXITED(status) || WIFSIGNALED(status)) _exit(0);
            continue;
        }
        if (asked) {
            if (asked == SIGUSR1) {
                // For a job started in the background, or a shell that stores no modes of jobs: the
                // modes from before.
                tcsetattr(terminal, TCSADRAIN, flags & (JOB_OWN_MODES | JOB_BACKGROUND) ? &cooked : &of_job);
                tcsetpgrp(terminal, job);
            }
            asked = 0;
            kill(-job, SIGCONT);
            continue;
        }
        // The request signals and SIGCHLD are delivered only during this wait.
        sigsuspend(&none);
    }
}

int job_start(const char *path, char *const arguments[], char *const environment[], const char *directory, int flags,
              struct job *job) {
    char name[128];
    int events[2], ids[2];
    job->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (job->master < 0 || grantpt(job->master) != 0 || unlockpt(job->master) != 0) return -1;
    if (ptsname_r(job->master, name, sizeof name) != 0) return -1;
    if (pipe2(events, O_CLOEXEC) != 0 || pipe2(ids, O_CLOEXEC) != 0) return -1;
    job->shell = fork();
    if (job->shell < 0) return -1;
    if (job->shell > 0) {
        close(events[1]);
        close(ids[1]);
        job->events = events[0];
        int done = read(ids[0], &job->process, sizeof job->process) == sizeof job->process;
        close(ids[0]);
        return done ? 0 : -1;
    }

    setsid();
    if (close_others(events[1], ids[1]) != 0) _exit(126);
    int terminal = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (terminal < 0 || ioctl(terminal, TIOCSCTTY, 0) != 0 || chdir(directory) != 0) _exit(126);
    struct termios cooked;
    tcgetattr(terminal, &cooked);
    if (flags & JOB_RAW) {
        cfmakeraw(&cooked);
        tcsetattr(terminal, TCSANOW, &cooked);
    }
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    signal(SIGTTOU, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    struct sigaction action = {.sa_handler = ask};
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGUSR2, &action, NULL);
    action.sa_handler = wake;
    sigaction(SIGCHLD, &action, NULL);
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (flags & JOB_BACKGROUND) edit_line(terminal, &cooked);

    int ready[2];
    if (pipe2(ready, O_CLOEXEC) != 0) _exit(126);
    pid_t process = fork();
    if (process == 0) {
        char go;
        setpgid(0, 0);
        // Not before the job is in the foreground, if it belongs there.
        if (read(ready[0], &go, 1) != 1) _exit(126);
        child_reset_signals();
        if (flags & JOB_NOHUP) signal(SIGHUP, SIG_IGN);
        if (flags & JOB_HOLDING) sigprocmask(SIG_SETMASK, &all, NULL);
        if (dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0) _exit(126);
        execve(path, arguments, environment);
        _exit(127);
    }
    setpgid(process, process);
    if (!(flags & JOB_BACKGROUND)) tcsetpgrp(terminal, process);
    if (write(ids[1], &process, sizeof process) != sizeof process || write(ready[1], "", 1) != 1) _exit(126);
    shell(terminal, process, events[1], flags, cooked);
}
