// Runs a program with a software authenticator on a descriptor:
// with-authenticator STATEDIR [OPTIONS] PROGRAM ARGS...
//
// One end of a raw terminal is descriptor 3 of the program, or the one of --fd. The other options
// are those of authenticator.h: --pin PIN, --protocol 1|2|both, --uv, --uv-fails N,
// --no-hmac-secret, --no-pin, --no-permissions, --no-ctap2, --single-secret, --no-cred-protect,
// --change-pin, --minimum-pin N, --touch-after MS, --never-touch, --fault NAME[@COMMAND]. The state
// is kept in STATEDIR. The exit status is the program's.
#define _GNU_SOURCE
#include "authenticator.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static struct authenticator_options options;
static int near_end = -1, far_end = -1;
static pid_t child;

static void *serve(void *unused) {
    (void)unused;
    if (authenticator_serve(near_end, &options) != 0) {
        fputs("with-authenticator: the state can't be used\n", stderr);
        kill(child, SIGTERM);
    }
    return NULL;
}

static int open_terminal(void) {
    near_end = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (near_end < 0 || grantpt(near_end) != 0 || unlockpt(near_end) != 0) return -1;
    far_end = open(ptsname(near_end), O_RDWR | O_NOCTTY | O_CLOEXEC);
    struct termios mode;
    if (far_end < 0 || tcgetattr(far_end, &mode) != 0) return -1;
    cfmakeraw(&mode);
    return tcsetattr(far_end, TCSANOW, &mode);
}

static void pass_on(int number) {
    if (child > 0) kill(child, number);
}

int main(int count, char **arguments) {
    int at = 2, descriptor = 3;
    if (count < 3) {
        fputs("usage: with-authenticator STATEDIR [OPTIONS] PROGRAM ARGS...\n", stderr);
        return 64;
    }
    options.folder = arguments[1];
    while (at < count && strncmp(arguments[at], "--", 2) == 0) {
        const char *value = at + 1 < count ? arguments[at + 1] : NULL;
        int used = 2;
        if (strcmp(arguments[at], "--fd") == 0 && value) descriptor = atoi(value);
        else used = authenticator_option(&options, arguments[at], value);
        if (used == 0) {
            fprintf(stderr, "with-authenticator: invalid option: %s\n", arguments[at]);
            return 64;
        }
        at += used;
    }
    if (at >= count || descriptor < 3 || open_terminal() != 0) {
        perror("with-authenticator");
        return 64;
    }
    // Signals of the terminal are for the program, whose status is reported.
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    child = fork();
    if (child == 0) {
        signal(SIGINT, SIG_DFL);
        signal(SIGQUIT, SIG_DFL);
        if (far_end == descriptor) fcntl(far_end, F_SETFD, 0);
        else if (dup2(far_end, descriptor) < 0) _exit(126);
        execvp(arguments[at], arguments + at);
        fprintf(stderr, "with-authenticator: %s: %s\n", arguments[at], strerror(errno));
        _exit(127);
    }
    if (child < 0) return 126;
    signal(SIGTERM, pass_on);
    // The program has the only far end, so that its end is the end of the authenticator.
    close(far_end);
    pthread_t thread;
    if (pthread_create(&thread, NULL, serve, NULL) != 0) return 126;
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
