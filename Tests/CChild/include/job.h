// A program under a shell that controls jobs, as far as a terminal is concerned.
#ifndef EOSVAULT_JOB_H
#define EOSVAULT_JOB_H

#include <sys/types.h>

/// How the shell treats the terminal.
enum {
    /// The program is started in the background, while the shell edits its line.
    JOB_BACKGROUND = 1,
    /// When the program stops, the shell does nothing: neither the foreground nor the modes change.
    JOB_PASSIVE = 2,
    /// When the program is continued, echo is on: the shell has put its own modes there.
    JOB_OWN_MODES = 4,
    /// The program is started with SIGHUP ignored.
    JOB_NOHUP = 8,
    /// The program is started with every signal held back that can be.
    JOB_HOLDING = 16,
    /// The terminal is in raw mode, as after `stty raw -echo`, before and while the program runs.
    JOB_RAW = 32,
};

/// What became of the program: a status of waitpid, and the terminal's local and input modes as it
/// left them.
struct job_event {
    int status;
    unsigned int local_modes;
    unsigned int input_modes;
};

struct job {
    pid_t shell, process;
    /// The other side of the terminal, not blocking.
    int master;
    /// A pipe of `struct job_event`.
    int events;
};

/// Starts `path` in `directory`, a job of a shell at a terminal of its own, its standard streams
/// all /dev/null: 0, or -1 and errno. SIGUSR1 tells the shell to bring the job to the foreground
/// and to continue it, SIGUSR2 to continue it in the background. The shell ends with the job.
int job_start(const char *path, char *const arguments[], char *const environment[], const char *directory, int flags,
              struct job *job);

#endif
