// Finds residues of a program's secrets: the program is stepped from one system call to the next,
// and all of its memory is searched.
#ifndef EOSVAULT_RESIDUE_H
#define EOSVAULT_RESIDUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/types.h>

// MARK: patterns

/// Patterns, stored as all of their pieces.
typedef struct residue_table residue_table;

/// A found part of one pattern.
typedef struct {
    /// The pattern number that was passed to `residue_table_add`, and the offset of the found piece
    /// in the pattern.
    uint32_t pattern;
    uint32_t offset;
    /// The address of the piece.
    uint64_t address;
    /// The number of consecutive bytes that match the pattern.
    uint32_t count;
} residue_finding;

enum {
    /// The minimum length of a piece.
    RESIDUE_PIECE = 8,
};

/// Returns null when there is no memory.
residue_table *residue_table_make(void);
void residue_table_free(residue_table *table);

/// Adds the `length` bytes (`RESIDUE_PIECE` or more) at `offset` of pattern number `pattern` to the
/// search. Returns false when there is no memory.
bool residue_table_add(residue_table *table, uint32_t pattern, uint32_t offset, const uint8_t *bytes, size_t length);
/// The number of pieces.
size_t residue_table_count(const residue_table *table);

/// Finds pieces in `count` bytes, the first of which is at `address`. Consecutive pieces are one
/// finding. Returns the number of findings; at most `capacity` are stored.
size_t residue_find(const residue_table *table, const uint8_t *bytes, size_t count, uint64_t address,
                    residue_finding *findings, size_t capacity);

// MARK: public text

/// The set of all pieces of `RESIDUE_WORDS` bytes of small letters and spaces in a text.
typedef struct residue_text residue_text;

enum { RESIDUE_WORDS = 11 };

/// Returns null when there is no memory.
residue_text *residue_text_make(const uint8_t *bytes, size_t count);
/// Whether the text contains the piece at `piece`. There are rare false positives.
bool residue_text_has(const residue_text *text, const uint8_t *piece);

// MARK: a watched program

/// A program that is stopped between two system calls.
typedef struct residue_run residue_run;

/// The reason for a stop.
typedef enum {
    /// Before a system call.
    RESIDUE_ENTRY,
    /// After a system call.
    RESIDUE_EXIT,
    /// A signal ends the program, and its memory still exists; the signal is in `status`.
    RESIDUE_DEATH,
    /// The program has ended.
    RESIDUE_END,
} residue_event;

typedef struct {
    residue_event event;
    /// errno of a failure to watch the program, which was killed then.
    int error;
    /// The number of the system call (<sys/syscall.h>).
    int64_t call;
    uint64_t arguments[6];
    /// Only for `RESIDUE_EXIT`.
    int64_t result;
    /// For `RESIDUE_DEATH` and `RESIDUE_END`: the status of waitpid(2).
    int status;
} residue_stop;

/// How a program is started.
typedef struct {
    const char *path;
    char *const *arguments;
    char *const *environment;
    const char *directory;
    /// The standard streams; -1 means the terminal.
    int input, output, error;
    /// Whether its session has a terminal.
    bool has_terminal;
    /// RLIMIT_FSIZE, -1 for no limit. RLIMIT_CORE is always unlimited, as far as the system allows
    /// it.
    int64_t file_size_limit;
    /// Whether to drop the two capabilities by which root bypasses file modes. The program then
    /// respects modes like any user.
    bool respects_modes;
    /// Whether to keep RLIMIT_CORE: the program's call to lower it has no effect but reports
    /// success.
    bool keeps_cores;
} residue_start;

/// Starts the program and stops it at its first instruction. All functions below must be called
/// from the same thread. Returns null and errno on failure.
residue_run *residue_begin(const residue_start *start);
/// Continues to the next entry or exit of a system call of any thread, or to the end.
residue_stop residue_next(residue_run *run);
/// Kills the program if it has not ended, and frees the run.
void residue_end(residue_run *run);

pid_t residue_process(const residue_run *run);
/// The user's side of its terminal, not blocking; -1 without a terminal.
int residue_terminal(const residue_run *run);

/// Reads the program's memory. Returns the number of bytes read, fewer than `count` where a mapping
/// ends, or -1 and errno.
ssize_t residue_read(const residue_run *run, uint64_t address, void *bytes, size_t count);

int residue_signal(const residue_run *run, int signal);
/// How often the program was kept from lowering RLIMIT_CORE.
int residue_kept_cores(const residue_run *run);

// MARK: the search

/// The flags of /proc/PID/smaps that only guarded allocations combine: locked, left out of core
/// dumps, empty in a forked process.
#define RESIDUE_GUARDED "lo dd wf"

typedef enum {
    RESIDUE_MEMORY,
    /// Memory that has the flags of a guarded allocation.
    RESIDUE_GUARDED_MEMORY,
    /// Bytes that the program's file, or a library's, has at the same place.
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
} residue_hit;

typedef struct {
    /// The number of all hits; at most `capacity` are stored.
    size_t count;
    uint64_t bytes;
    uint32_t mappings;
    uint32_t threads;
    /// errno of memory that could not be read; 0 when everything was read.
    int error;
    char unread[240];
} residue_search;

/// Searches all mappings, the registers of all threads, the arguments and the environment.
/// - whole: also search unchanged pages of private file mappings outside of `folder`.
residue_search residue_scan(residue_run *run, const residue_table *table, bool whole, const char *folder,
                            residue_hit *hits, size_t capacity);

/// Numbers of system calls, which Swift does not import.
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
    // Not on this processor.
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
