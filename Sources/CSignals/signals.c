#define _GNU_SOURCE
#include "signals.h"

#include <sys/signalfd.h>

void signals_hold(sigset_t *held, sigset_t *before) {
    sigset_t already;
    sigprocmask(SIG_BLOCK, NULL, &already);
    sigemptyset(held);
    for (int number = 1; number <= SIGRTMAX; number++) {
        switch (number) {
        case SIGKILL:
        case SIGSTOP:
        case SIGTTIN:
        case SIGTTOU:
        case SIGCHLD:
        case SIGURG:
        case SIGWINCH:
            continue;
        }
        // The parent process blocked this signal. It would stay blocked when the others are
        // delivered.
        if (sigismember(&already, number) == 1) continue;
        struct sigaction action;
        // sigaction refuses the signals that glibc reserves for its threads.
        if (sigaction(number, NULL, &action) != 0 || action.sa_handler == SIG_IGN) continue;
        sigaddset(held, number);
    }
    sigprocmask(SIG_BLOCK, held, before);
}

int signals_descriptor(const sigset_t *held) {
    return signalfd(-1, held, SFD_CLOEXEC | SFD_NONBLOCK);
}
