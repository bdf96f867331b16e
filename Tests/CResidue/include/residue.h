// What a program leaves of its secrets: it is run from one system call to the next, and all of its
// memory searched.
#ifndef EOSVAULT_RESIDUE_H
#define EOSVAULT_RESIDUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/types.h>

// MARK: what is looked for

/// Patterns, each by all of its pieces.
typedef struct residue_table residue_table;

/// What was found of one pattern.
typedef struct {
    /// As it was added, and how far into the pattern the found piece begins.
    uint32_t pattern;
    uint32_t offset;
    /// Of the piece.
    uint64_t address;
    /// How many bytes in a row are the pattern's.
    uint32_t count;
} residue_finding;

enum {
    /// No shorter piece is looked for.
    RESIDUE_PIECE = 8,
};

/// Null when there is no memory.
residue_table *residue_table_make(void);
void residue_table_free(residue_table *table);

/// Looks for the `length` bytes (`RESIDUE_PIECE` or more) at `offset` of pattern number `pattern`.
/// Returns false when there is no memory.
bool residue_table_add(residue_table *table, uint32_t pattern, uint32_t offset, const uint8_t *bytes, size_t length);
/// How many pieces it has.
size_t residue_table_count(const residue_table *table);

/// Finds pieces in `count` bytes, of which the first is at `address`; pieces in a row are one
/// finding. Returns how many there are, of which as many as `capacity` are stored.
size_t residue_find(const residue_table *table, const uint8_t *bytes, size_t count, uint64_t address, residue_finding *findings,
                    size_t capacity);

// MARK: what says nothing

/// The words of a text: which pieces of `RESIDUE_WORDS` bytes of small letters and spaces it has.
typedef struct residue_text residue_text;

enum { RESIDUE_WORDS = 11 };

/// Null when there is no memory.
residue_text *residue_text_make(const uint8_t *bytes, size_t count);
/// Whether it has the piece that begins at `piece`. Now and then one is said to be there that is
/// not.
bool residue_text_has(const residue_text *text, const uint8_t *piece);

// MARK: a program that is watched

/// A program between two of its system calls.
typedef struct residue_run residue_run;

/// Why it stands still.
typedef enum {
    /// Before a system call.
    RESIDUE_ENTRY,
    /// Behind it.
    RESIDUE_EXIT,
    /// It dies of a signal, and its memory is still there; the signal is in `status`.
    RESIDUE_DEATH,
    /// It is gone.
    RESIDUE_END,
} residue_event;

typedef struct {
    residue_event event;
    /// errno of what went wrong with the watching; the program was killed.
    int error;
    /// Of the system call, by <sys/syscall.h>.
    int64_t call;
    uint64_t arguments[6];
    /// Of `RESIDUE_EXIT`.
    int64_t result;
    /// Of `RESIDUE_DEATH` and `RESIDUE_END`: as waitpid(2) gives it.
    int status;
} residue_stop;

/// How a program is started.
typedef struct {
    const char *path;
    char *const *arguments;
    char *const *environment;
    const char *directory;
    /// Its standard streams; -1: the terminal.
    int input, output, error;
    /// Whether its session has a terminal.
    bool has_terminal;
    /// RLIMIT_FSIZE, -1 for no limit. RLIMIT_CORE is always without limit, as far as the system
    /// allows.
    int64_t file_size_limit;
    /// Root passes the modes of files by two capabilities: without them it is held to them as any
    /// user is.
    bool is_held_to_modes;
    /// It can't take RLIMIT_CORE away: it is told that it did.
    bool keeps_cores;
} residue_start;

/// Starts it; it stands still at its first instruction. All that follows is to be called by the
/// same thread. Returns null and errno.
residue_run *residue_begin(const residue_start *start);
/// On to the next system call of any thread, the way into it or out of it, or to the end.
residue_stop residue_next(residue_run *run);
/// Kills it if it still lives.
void residue_end(residue_run *run);

pid_t residue_process(const residue_run *run);
/// The other side of its terminal, not blocking; -1 without one.
int residue_terminal(const residue_run *run);

/// Reads its memory. Returns how many bytes, fewer than `count` where it ends, or -1 and errno.
ssize_t residue_read(const residue_run *run, uint64_t address, void *bytes, size_t count);

int residue_signal(const residue_run *run, int signal);
/// How often it was kept from limiting its cores.
int residue_kept_cores(const residue_run *run);

// MARK: where it is found

/// The flags of /proc/PID/smaps that only guarded allocations have together: locked, left out of
/// cores, empty in a forked process.
#define RESIDUE_GUARDED "lo dd wf"

typedef enum {
    RESIDUE_MEMORY,
    /// Memory that has the flags of a guarded allocation.
    RESIDUE_GUARDED_MEMORY,
    /// What the program's file or a library's has at the same place.
    RESIDUE_PROGRAM,
    RESIDUE_REGISTERS,
    RESIDUE_VECTOR_REGISTERS,
    /// /proc/PID/cmdline
    RESIDUE_ARGUMENTS,
    /// /proc/PID/environ
    RESIDUE_ENVIRONMENT,
} residue_place;

typedef struct {
    residue_finding finding;
    residue_place place;
    /// The mapping's line of /proc/PID/maps and its flags, or the thread's number.
    char description[240];
} residue_sight;

typedef struct {
    /// All of them; at most as many as there was room for are stored.
    size_t count;
    uint64_t bytes;
    uint32_t mappings;
    uint32_t threads;
    /// errno of what could not be looked at; 0 when all was.
    int error;
    char unread[240];
} residue_search;

/// Searches all mappings, the registers of all threads, the arguments and the environment.
/// - whole: also unchanged pages of files outside of `folder`, which are mapped and private.
residue_search residue_look(residue_run *run, const residue_table *table, bool whole, const char *folder, residue_sight *sights,
                            size_t capacity);

/// Numbers of system calls, which are not imported.
enum {
    RESIDUE_CALL_READ = SYS_read,
    RESIDUE_CALL_WRITE = SYS_write,
    RESIDUE_CALL_WRITEV = SYS_writev,
    RESIDUE_CALL_PWRITE = SYS_pwrite64,
    RESIDUE_CALL_PWRITEV = SYS_pwritev,
    RESIDUE_CALL_SENDTO = SYS_sendto,
    RESIDUE_CALL_SENDMSG = SYS_sendmsg,
    RESIDUE_CALL_SENDFILE = SYS_sendfile,
    RESIDUE_CALL_RENAMEAT = SYS_renameat2,
    RESIDUE_CALL_LINKAT = SYS_linkat,
    RESIDUE_CALL_OPENAT = SYS_openat,
    RESIDUE_CALL_PPOLL = SYS_ppoll,
#ifdef SYS_poll
    RESIDUE_CALL_POLL = SYS_poll,
#else
    // Not of this processor.
    RESIDUE_CALL_POLL = -1,
#endif
    RESIDUE_CALL_GETRANDOM = SYS_getrandom,
    RESIDUE_CALL_EXIT_GROUP = SYS_exit_group,
    RESIDUE_CALL_CLOSE = SYS_close,
    RESIDUE_CALL_FSYNC = SYS_fsync,
    RESIDUE_CALL_FDATASYNC = SYS_fdatasync,
    RESIDUE_CALL_SLEEP = SYS_clock_nanosleep,
    RESIDUE_CALL_MMAP = SYS_mmap,
    RESIDUE_CALL_MUNMAP = SYS_munmap,
    RESIDUE_CALL_MPROTECT = SYS_mprotect,
    RESIDUE_CALL_MADVISE = SYS_madvise,
    RESIDUE_CALL_MLOCK = SYS_mlock,
    RESIDUE_CALL_MUNLOCK = SYS_munlock,
    RESIDUE_CALL_BRK = SYS_brk,
    RESIDUE_CALL_FUTEX = SYS_futex,
    RESIDUE_CALL_UNLINKAT = SYS_unlinkat,
#ifdef SYS_unlink
    RESIDUE_CALL_UNLINK = SYS_unlink,
    RESIDUE_CALL_RENAME = SYS_rename,
#else
    RESIDUE_CALL_UNLINK = -1,
    RESIDUE_CALL_RENAME = -1,
#endif
    RESIDUE_CALL_IOCTL = SYS_ioctl,
    RESIDUE_CALL_FTRUNCATE = SYS_ftruncate,
};

#endif
