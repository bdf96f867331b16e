#define _GNU_SOURCE
#include "signals.h"

#include <errno.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <time.h>

void shim_hold_signals(sigset_t *held, sigset_t *before) {
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

int shim_signal_descriptor(const sigset_t *held) {
    return signalfd(-1, held, SFD_CLOEXEC | SFD_NONBLOCK);
}

int shim_wait_for_input(int descriptor, int signals, int longest) {
    struct pollfd waited[] = {{.fd = signals, .events = POLLIN}, {.fd = descriptor, .events = POLLIN}};
    int count;
    do count = poll(waited, 2, longest);
    while (count < 0 && errno == EINTR);
    if (count <= 0) return count < 0 ? -1 : 2;
    return waited[0].revents ? 0 : 1;
}

int shim_signal_waits(int signals) {
    struct pollfd waited = {.fd = signals, .events = POLLIN};
    return poll(&waited, 1, 0) > 0;
}

int shim_drop_continuation(void) {
    sigset_t continuation;
    sigemptyset(&continuation);
    sigaddset(&continuation, SIGCONT);
    struct timespec none = {0};
    return sigtimedwait(&continuation, NULL, &none) == SIGCONT;
}
