// A program that is started later, when this one is in its sandbox.
#ifndef EOSVAULT_HELPER_H
#define EOSVAULT_HELPER_H

#include <sys/types.h>

/// Forks a process in a session of its own, which the kernel ends with this one. A pipe leads in
/// each direction. Returns 0 in the new process, its id in this one, or -1 and errno.
/// request, answer: each process's own ends: the new one reads requests and writes answers.
pid_t helper_fork(int *request, int *answer);

/// Forks a process that waits for one byte, and then becomes the program at `path`. Call it while
/// this process has one thread and has read no secret.
///
/// The program's standard input is the other end of `request`, its standard output that of
/// `answer`, its standard error /dev/null. No other descriptor is open. It has a session of its
/// own, default actions for signals, and the environment without the variables of the dynamic
/// linker (LD_…). The kernel ends it with this process. If the program can't be executed, both
/// pipes are closed. Returns 0, or -1 and errno.
/// arguments: of the program, from its name on; NULL is last.
int helper_offer(const char *path, char *const *arguments, int *request, int *answer);

/// True if a regular file contains the bytes of a text. Nothing of the file is interpreted.
int helper_file_contains(const char *path, const char *text);

#endif
