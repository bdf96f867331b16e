// A program under a simulated shell with job control, as far as the terminal is concerned.
#ifndef EOSVAULT_JOB_H
#define EOSVAULT_JOB_H

#include <sys/types.h>

/// How the shell treats the terminal.
enum {
    /// The program is started in the background, while the shell edits its line.
    JOB_BACKGROUND = 1,
    /// When the program stops, the shell does nothing: the foreground and the modes stay unchanged.
    JOB_PASSIVE = 2,
    /// When the program is continued, echo is on, because the shell has set its own modes.
    JOB_OWN_MODES = 4,
    /// The program is started with SIGHUP ignored.
    JOB_NOHUP = 8,
    /// The program is started with every signal blocked that can be blocked.
    JOB_HOLDING = 16,
    /// The terminal is in raw mode, as after `stty raw -echo`, before and while the program runs.
    JOB_RAW = 32,
};

/// The result of the program: a status of waitpid, and the terminal's local and input modes
/// afterwards.
struct job_event {
    int status;
    unsigned int local_modes;
    unsigned int input_modes;
};

struct job {
    pid_t shell, process;
    /// The user's side of the terminal, not blocking.
    int master;
    /// A pipe of `struct job_event`.
    int events;
};

/// Starts `path` in `directory` as a job of a shell at its own terminal, with all standard streams
/// /dev/null. Returns 0, or -1 and errno. SIGUSR1 makes the shell bring the job to the foreground
/// and continue it; SIGUSR2 makes it continue the job in the background. The shell ends with the
/// job.
int job_start(const char *path, char *const arguments[], char *const environment[], const char *directory, int flags,
              struct job *job);

#endif
