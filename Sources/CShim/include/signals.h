// Signals held back while a secret is asked for. No handler is set: one would put the registers on
// the stack of a process that may hold a secret.
#ifndef EOSVAULT_SIGNALS_H
#define EOSVAULT_SIGNALS_H

#include <signal.h>

/// Holds back every signal that would end or stop this process, and SIGCONT. `held` gets them,
/// `before` what was held back until now. Not held are signals that are ignored, those that do
/// nothing by default, and SIGTTIN and SIGTTOU, which keep a process that is in the background from
/// the terminal, and those that were held back before. A fault of the process itself is not kept
/// back by this: the kernel ends the process then.
void shim_hold_signals(sigset_t *held, sigset_t *before);

/// A descriptor that can be read while one of `held` waits to be delivered; -1 and errno.
int shim_signal_descriptor(const sigset_t *held);

/// Waits for what comes first: 1 when `descriptor` can be read or is at its end, 0 when `signals`
/// can be, 2 after `longest` milliseconds (-1: without end), -1 and errno. A signal goes before
/// input. `signals` of -1: input alone.
int shim_wait_for_input(int descriptor, int signals, int longest);

/// Whether `signals` can be read: 1 or 0.
int shim_signal_waits(int signals);

/// Takes a SIGCONT that is held back away: 1 when there was one, else 0.
int shim_drop_continuation(void);

#endif
