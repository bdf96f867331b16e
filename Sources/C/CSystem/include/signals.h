// Blocks signals while the program asks for a secret. It sets no handler: a handler would save the
// registers, which may contain a secret, on the stack.
#ifndef EOSVAULT_SIGNALS_H
#define EOSVAULT_SIGNALS_H

#include <signal.h>

/// Blocks every signal that would end or stop this process, and SIGCONT. `held` receives the
/// blocked signals, `before` the previous mask. It does not block ignored signals, signals that do
/// nothing by default, and signals that were blocked before. It does not block SIGTTIN and SIGTTOU
/// either, which keep a background process from the terminal. A fault of the process itself still
/// ends it: the kernel ignores the mask then. A stop that `signals_hold_stop` blocks is in `held`.
void signals_hold(sigset_t *held, sigset_t *before);

/// Sets the mask that was before `signals_hold`. A stop that is no longer held is unblocked.
void signals_release(const sigset_t *before);

/// Blocks SIGTSTP, the stop by Ctrl-Z, until `signals_release_stop`. Returns 0 if it was blocked
/// before.
int signals_hold_stop(void);

/// Ends `signals_hold_stop`. A stop that arrived is delivered now, or by the next `signals_release`
/// if other signals are held.
void signals_release_stop(void);

/// Returns 1 while a signal to end this process (SIGHUP, SIGINT, SIGQUIT, SIGTERM) is blocked and
/// has arrived.
int signals_end_is_pending(void);

/// Returns a descriptor that is readable while a signal of `held` is pending; -1 and errno on
/// failure.
int signals_descriptor(const sigset_t *held);

#endif
