// Processes of eosvault-token, each with one module of a vendor.
#ifndef EOSVAULT_WORKER_H
#define EOSVAULT_WORKER_H

/// Forks a process in a session of its own, which the kernel ends with this one. Its standard
/// streams are /dev/null, because a module may print, and no other descriptor is open.
/// requests, answers: the ends of the pipes that the calling process uses.
/// Returns 0 in the new process, its id in this one, or -1 and errno.
int token_fork(int *requests, int *answers);

/// True if the process has ended. It stays a zombie.
int token_has_ended(int process);

/// Kills the process and those that its module started and left in its process group, and waits
/// for it, at most half a second. Call it once. Returns the signal that ended it; 0 if it exited.
int token_end(int process);

_Noreturn void token_exit(int status);

#endif
