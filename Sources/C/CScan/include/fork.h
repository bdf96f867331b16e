// A child process that continues this program.
#ifndef EOSVAULT_FORK_H
#define EOSVAULT_FORK_H

/// Makes a pipe: a descriptor for reading and one for writing, which no other program inherits.
/// Returns 0, or -1 and errno.
int fork_pipe(int ends[2]);

/// fork(2), which Swift does not import because it is unsafe in a process with several threads. The
/// kernel ends the child when its parent ends. Returns 0 in the child, its id in the parent, or -1
/// and errno.
int fork_process(void);

/// Waits for the end of a child. Returns its status as waitpid(2) does, or -1 and errno.
int fork_wait(int child);

/// Limits the processor time of this process, in seconds, and its private memory, in bytes. The
/// kernel ends a process that exceeds the time. Returns 0, or -1 and errno.
int fork_limit(unsigned long seconds, unsigned long memory);

/// Ends this process at once: no handlers run and no buffers are written.
_Noreturn void fork_exit(int status);

#endif
