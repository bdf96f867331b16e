// Child processes of the agent: one that continues this program, and one that runs another program.
#ifndef EOSVAULT_PROCESS_H
#define EOSVAULT_PROCESS_H

/// fork(2), which Swift does not import because it is unsafe in a process with several threads.
/// Returns 0 in the child, its id in the parent, or -1 and errno.
int agent_fork(void);

/// Separates a child from its parent, which has this id: a session of its own, so that signals of
/// the terminal do not reach it, and no new privileges for it and its children. The kernel ends it
/// with its parent. Returns 0, or -1.
int agent_separate(int parent);

/// Starts a program that is open as `program` (O_PATH is enough), in a session and a process group
/// of its own and in the folder `/`. Its standard input and output are these descriptors, its
/// standard error is that of this process, and no other descriptor is open. A script, which its
/// interpreter opens by descriptor, also has descriptor 3, on itself. Signals have their default
/// actions. Its environment has only PATH. The kernel ends it when this process ends. Returns its
/// id, or -1 and errno. A program that can't be executed ends with status 127 or 126, as in a
/// shell.
int agent_start(int program, const char *name, int input, int output);

/// The state of a child. One that has ended stays a zombie, so that no other process gets its id.
enum agent_state { AGENT_RUNS, AGENT_SUCCEEDED, AGENT_FAILED };
enum agent_state agent_state_of(int child);

/// Waits for the end of a child. Returns its status as waitpid(2) does, or -1 and errno.
int agent_reap(int child);

/// Ends this process at once: no handlers run and no buffers are written.
_Noreturn void agent_exit(int status);

#endif
