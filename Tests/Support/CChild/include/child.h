// Functions to start a program for a test, with glibc calls that Swift does not import.
#ifndef EOSVAULT_CHILD_H
#define EOSVAULT_CHILD_H

#include <sys/types.h>

/// An unlinked temporary file, open for reading and writing; -1 and errno on failure.
int child_temporary_file(void);

/// Opens a new terminal. Returns the user's side, not blocking, and stores the name of the
/// program's side. Returns -1 and errno on failure.
int child_terminal(char *name, size_t capacity);

/// Gives every signal its default action and unblocks all of them, as in a program that a shell
/// starts. For a child between fork and exec: `nohup`, background jobs of a shell and some CI
/// systems ignore signals, and the threads of a test block them.
void child_reset_signals(void);

/// Features that a file system lacks, one bit each.
enum {
    /// O_TMPFILE: a file without a name.
    CHILD_LACKS_UNNAMED = 1,
    /// renameat2(2): a name that replaces nothing.
    CHILD_LACKS_RENAME = 2,
    /// linkat(2): hard links.
    CHILD_LACKS_LINK = 4,
};

/// Makes these calls fail in this process and its children, as on a file system that lacks them.
/// For a child between fork and exec. It needs no privilege. Returns 0, or -1 and errno.
int child_lack(unsigned lacks);

/// Starts `path` in `directory` in a new session, with the three descriptors as its standard
/// streams. If `terminal` is not null, the session has a controlling terminal, and the user's side
/// (not blocking) and the program's side are stored there. While the program's side is open, the
/// user's side never reports that all programs ended. If `typed` is not null, it is typed before
/// the program starts. `lacks`: as for `child_lack`. Returns the process id, or -1 and errno.
pid_t child_start(const char *path, char *const arguments[], char *const environment[], const char *directory,
                  int input, int output, int error, int terminal[2], const char *typed, unsigned lacks);

/// Runs `body` in a child of this process after fork(2), and ends it with the result. Returns its
/// exit status, 128 and the number of the signal that ended it, or -1 and errno.
int child_run(int (*body)(void *context), void *context);

/// The result bits of `child_await`.
enum {
    /// The process has ended, and waitpid does not block.
    CHILD_ENDED = 1,
    /// The terminal has output to read.
    CHILD_SHOWED = 2,
};

/// Waits until the process ends, or `terminal` (-1: none) has output to read. Returns 0 when
/// neither happens in time, -1 and errno on failure.
int child_await(pid_t process, int terminal, int milliseconds);

#endif
