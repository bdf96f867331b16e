#define _GNU_SOURCE
#include "signals.h"

#include <sys/signalfd.h>
#include <unistd.h>

// Each thread has its own signal mask, so these are about one thread.

/// Whether `signals_hold_stop` blocks SIGTSTP.
static _Thread_local int holds_stop;
/// How many calls of `signals_hold` have no `signals_release` yet.
static _Thread_local int depth;
/// Whether the parent process blocked SIGTSTP. Known while depth is not 0.
static _Thread_local int parent_blocks_stop;

void signals_hold(sigset_t *held, sigset_t *before) {
    sigset_t already;
    sigprocmask(SIG_BLOCK, NULL, &already);
    if (depth == 0) parent_blocks_stop = sigismember(&already, SIGTSTP) == 1 && !holds_stop;
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
        if (sigismember(&already, number) == 1 && !(number == SIGTSTP && holds_stop)) continue;
        struct sigaction action;
        // sigaction refuses the signals that glibc reserves for its threads.
        if (sigaction(number, NULL, &action) != 0 || action.sa_handler == SIG_IGN) continue;
        sigaddset(held, number);
    }
    sigprocmask(SIG_BLOCK, held, before);
    if (holds_stop) sigdelset(before, SIGTSTP);
    depth++;
}

static const int ends[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};

/// A pending signal that `mask` lets through, and whose default action ends a process; 0 for none.
static int pending_end(const sigset_t *mask) {
    sigset_t pending;
    struct sigaction action;
    if (sigpending(&pending) != 0) return 0;
    for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (sigismember(&pending, ends[i]) == 1 && sigismember(mask, ends[i]) == 0 &&
            sigaction(ends[i], NULL, &action) == 0 && action.sa_handler == SIG_DFL)
            return ends[i];
    }
    return 0;
}

void signals_release(const sigset_t *before) {
    sigset_t mask = *before;
    if (holds_stop) sigaddset(&mask, SIGTSTP);
    depth--;
    // The kernel drops such a signal to process 1 of a container, and a question would be asked
    // again forever. A shell gives this status to a program that a signal ended.
    int end = getpid() == 1 ? pending_end(&mask) : 0;
    sigprocmask(SIG_SETMASK, &mask, NULL);
    if (end != 0) _exit(128 + end);
}

int signals_hold_stop(void) {
    sigset_t stop, before;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    sigprocmask(SIG_BLOCK, &stop, &before);
    if (depth > 0 ? parent_blocks_stop : sigismember(&before, SIGTSTP) == 1) return 0;
    holds_stop = 1;
    return 1;
}

void signals_release_stop(void) {
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    holds_stop = 0;
    if (depth == 0) sigprocmask(SIG_UNBLOCK, &stop, NULL);
}

int signals_end_is_pending(void) {
    sigset_t pending;
    if (sigpending(&pending) != 0) return 0;
    for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++)
        if (sigismember(&pending, ends[i]) == 1) return 1;
    return 0;
}

int signals_descriptor(const sigset_t *held) {
    return signalfd(-1, held, SFD_CLOEXEC | SFD_NONBLOCK);
}
