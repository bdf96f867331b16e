// A run, as its stepping and its searching share it.
#ifndef EOSVAULT_RESIDUE_RUN_H
#define EOSVAULT_RESIDUE_RUN_H

#include "residue.h"

enum { RESIDUE_THREADS = 64 };

typedef struct {
    pid_t number;
    bool is_stopped;
    /// Waited for while another one was looked at, and not told yet.
    bool has_status;
    int status;
    /// To be handed over as it goes on.
    int signal;
    /// The system call that it is in.
    int64_t call;
    uint64_t arguments[6];
} residue_thread;

struct residue_run {
    pid_t process;
    bool is_gone;
    int terminal;
    /// Of /proc.
    int memory, mappings, pages, arguments, environment;
    bool keeps_cores;
    int kept_cores;
    residue_thread threads[RESIDUE_THREADS];
    size_t thread_count;
};

/// Stops those that run. Returns false and errno.
bool residue_stop_threads(residue_run *run);

#endif
