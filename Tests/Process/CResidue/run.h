// The state of a run, shared by the stepping and the search.
#ifndef EOSVAULT_RESIDUE_RUN_H
#define EOSVAULT_RESIDUE_RUN_H

#include "residue.h"

enum { RESIDUE_THREADS = 64 };

typedef struct {
    pid_t number;
    bool is_stopped;
    /// The status was received during a search and is not reported yet.
    bool has_status;
    int status;
    /// The signal to deliver when the thread continues.
    int signal;
    /// The current system call.
    int64_t call;
    uint64_t arguments[6];
} residue_thread;

struct residue_run {
    pid_t process;
    bool is_gone;
    int terminal;
    /// Open descriptors of /proc.
    int memory, mappings, pages, arguments, environment;
    bool keeps_cores;
    int kept_cores;
    residue_thread threads[RESIDUE_THREADS];
    size_t thread_count;
};

/// Stops all running threads, each at a system call. Returns false and errno on failure.
bool residue_stop_threads(residue_run *run);

#endif
