// Starting a program for a test: what Swift does not import of glibc.
#ifndef EOSVAULT_CHILD_H
#define EOSVAULT_CHILD_H

#include <sys/types.h>

/// An unlinked temporary file, open for reading and writing; -1 and errno on failure.
int child_temporary_file(void);

/// A new terminal: the side that a person has of it, not blocking, and the name of the program's side. -1 and errno.
int child_terminal(char *name, size_t capacity);

/// Starts `path` in `directory`, in a session of its own, its standard streams being the three descriptors.
/// With `master` not null the session has a controlling terminal, whose other side is stored there, not blocking.
/// Returns the process id, or -1 and errno.
pid_t child_start(const char *path, char *const arguments[], char *const environment[], const char *directory,
                  int input, int output, int error, int *master);

#endif
