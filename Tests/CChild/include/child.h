// Starting a program for a test: what Swift does not import of glibc.
#ifndef EOSVAULT_CHILD_H
#define EOSVAULT_CHILD_H

#include <sys/types.h>

/// An unlinked temporary file, open for reading and writing; -1 and errno on failure.
int child_temporary_file(void);

/// A new terminal: the side that a person has of it, not blocking, and the name of the program's
/// side. -1 and errno.
int child_terminal(char *name, size_t capacity);

/// Gives every signal its default action and unblocks all of them, as in a program that a shell
/// starts. For a child between fork and exec: `nohup`, a shell's background job and some CI systems
/// ignore signals, and the threads of a test block them.
void child_reset_signals(void);

/// Starts `path` in `directory`, in a session of its own, its standard streams being the three
/// descriptors. With `terminal` not null the session has a controlling terminal. The user's side,
/// not blocking, and the program's side are stored there. While the second one is open, the first
/// never reports that all programs ended. `typed`, where it is not null, is typed before the
/// program starts. Returns the process id, or -1 and errno.
pid_t child_start(const char *path, char *const arguments[], char *const environment[], const char *directory,
                  int input, int output, int error, int terminal[2], const char *typed);

/// What `child_await` returns, one bit each.
enum {
    /// The process has ended, and can be waited for.
    CHILD_ENDED = 1,
    /// There is something to read at the terminal.
    CHILD_SHOWED = 2,
};

/// Waits until the process ends, or something is to be read at `terminal` (-1: none). 0 when
/// neither happens in time, -1 and errno on failure.
int child_await(pid_t process, int terminal, int milliseconds);

#endif
