// Blocks signals while the program asks for a secret. It sets no handler: a handler would save the
// registers, which may contain a secret, on the stack.
#ifndef EOSVAULT_SIGNALS_H
#define EOSVAULT_SIGNALS_H

#include <signal.h>

/// Blocks every signal that would end or stop this process, and SIGCONT. `held` receives the
/// blocked signals, `before` the previous mask. It does not block ignored signals, signals that do
/// nothing by default, and signals that were blocked before. It does not block SIGTTIN and SIGTTOU
/// either, which keep a background process from the terminal. A fault of the process itself still
/// ends it: the kernel ignores the mask then.
void shim_hold_signals(sigset_t *held, sigset_t *before);

/// Returns a descriptor that is readable while a signal of `held` is pending; -1 and errno on
/// failure.
int shim_signal_descriptor(const sigset_t *held);

/// Waits for input or a signal. Returns 1 when `descriptor` is readable or at its end, 0 when
/// `signals` is readable, 2 after `longest` milliseconds (-1: no limit), -1 and errno on failure.
/// If both are readable, it returns 0. If `signals` is -1, it waits for input only.
int shim_wait_for_input(int descriptor, int signals, int longest);

/// 1 when `signals` is readable, else 0.
int shim_signal_waits(int signals);

/// Discards a pending, blocked SIGCONT. Returns 1 when there was one, else 0.
int shim_drop_continuation(void);

#endif
