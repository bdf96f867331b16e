// Injects faults under a vault: a disk that loses power, a disk that fails, and a program that is
// killed.
#ifndef EOSVAULT_FAULTS_H
#define EOSVAULT_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/types.h>

// MARK: a disk under SQLite

/// A watched folder: each SQLite call on its files is recorded and can be made to fail.
/// Thread-safe.
typedef struct faults_disk faults_disk;

/// The changes of a disk, in the order of SQLite's calls.
typedef enum {
    FAULTS_CREATE,
    FAULTS_WRITE,
    FAULTS_TRUNCATE,
    FAULTS_SYNC,
    FAULTS_DELETE,
    /// The folder itself is synced: created and deleted names become durable.
    FAULTS_FOLDER_SYNC,
} faults_change;

/// One change; `name` is the file's name in the folder, and empty for the sync of the folder.
typedef struct {
    faults_change change;
    char name[64];
    /// Only for a write.
    int64_t offset;
    /// The number of bytes of a write, or the new length of a truncated file.
    int64_t count;
    /// The bytes of a write, else null.
    const uint8_t *bytes;
} faults_record;

/// The calls that can fail.
enum {
    FAULTS_CALL_OPEN = 1 << 0,
    FAULTS_CALL_READ = 1 << 1,
    FAULTS_CALL_WRITE = 1 << 2,
    FAULTS_CALL_TRUNCATE = 1 << 3,
    FAULTS_CALL_SYNC = 1 << 4,
    FAULTS_CALL_DELETE = 1 << 5,
    FAULTS_CALL_ACCESS = 1 << 6,
    FAULTS_CALL_SIZE = 1 << 7,
    FAULTS_CALL_LOCK = 1 << 8,
    FAULTS_CALL_UNLOCK = 1 << 9,
    FAULTS_CALL_FOLDER_SYNC = 1 << 10,
    FAULTS_CALL_ALL = (1 << 11) - 1,
};

/// Starts to watch the files of a folder (an absolute path without symbolic links) that SQLite
/// opens from now on. The first call registers a VFS with the name "unix" before SQLite's own, so
/// that a vault opens through it. For folders that are not watched it passes every call to SQLite's
/// own VFS. Returns null when SQLite is not available.
faults_disk *faults_watch(const char *folder);

/// Stops watching; every file of the folder must be closed.
void faults_unwatch(faults_disk *disk);

size_t faults_record_count(faults_disk *disk);
/// Valid until the disk is unwatched.
faults_record faults_record_at(faults_disk *disk, size_t index);

/// From now on, the first `after` calls in the mask `kinds` succeed, and the next `times` calls
/// fail with `error` (errno).
void faults_fail(faults_disk *disk, int kinds, int64_t after, int64_t times, int error);
/// The number of failed calls since then.
int64_t faults_failed_count(faults_disk *disk);

// MARK: a program that is killed

/// How a run ended.
typedef struct {
    /// The status of waitpid(2); meaningless when `error` is not 0.
    int status;
    /// errno of a failure to run the program.
    int error;
    /// The number of system calls started, if they were counted.
    int64_t calls;
    /// The index of the call that made the file at the watched path; -1 if the file existed before
    /// or was not made.
    int64_t named;
    /// Whether the program reached the place and got the signal.
    bool reached;
    struct rusage usage;
} faults_end;

/// Tests which features the file system of a folder lacks, with files that are then removed.
/// Returns the bits of `child_lack`.
unsigned faults_lacks(const char *folder);

/// Numbers of system calls, which Swift does not import.
enum {
    FAULTS_SYSTEM_PWRITE = SYS_pwrite64,
    FAULTS_SYSTEM_WRITE = SYS_write,
    FAULTS_SYSTEM_FSYNC = SYS_fsync,
    FAULTS_SYSTEM_FDATASYNC = SYS_fdatasync,
    FAULTS_SYSTEM_RENAME = SYS_renameat2,
    FAULTS_SYSTEM_UNLINK = SYS_unlinkat,
    FAULTS_SYSTEM_TRUNCATE = SYS_ftruncate,
    FAULTS_SYSTEM_EXIT = SYS_exit_group,
#ifdef SYS_unlink
    FAULTS_SYSTEM_RENAME_OLD = SYS_rename,
    FAULTS_SYSTEM_UNLINK_OLD = SYS_unlink,
#else
    // Not on this processor.
    FAULTS_SYSTEM_RENAME_OLD = -1,
    FAULTS_SYSTEM_UNLINK_OLD = -1,
#endif
    FAULTS_SYSTEM_LINK = SYS_linkat,
    FAULTS_SYSTEM_OPEN = SYS_openat,
    FAULTS_SYSTEM_CLOSE = SYS_close,
    FAULTS_SYSTEM_MODE = SYS_fchmod,
    FAULTS_SYSTEM_MASK = SYS_rt_sigprocmask,
    FAULTS_SYSTEM_MMAP = SYS_mmap,
    FAULTS_SYSTEM_MUNMAP = SYS_munmap,
    FAULTS_SYSTEM_MPROTECT = SYS_mprotect,
    FAULTS_SYSTEM_MADVISE = SYS_madvise,
    FAULTS_SYSTEM_MLOCK = SYS_mlock,
    FAULTS_SYSTEM_MUNLOCK = SYS_munlock,
    FAULTS_SYSTEM_BRK = SYS_brk,
};

/// No limit.
#define FAULTS_NEVER ((int64_t)-1)

/// Where a stepped program is killed: before a call of this kind (a number of <sys/syscall.h>, -1
/// for none) that follows `before` calls of the same kind. The number of other calls, by the loader
/// or the allocator, does not matter. If `before` is negative, the program is not stepped.
typedef struct {
    int32_t kind;
    int64_t before;
} faults_place;

/// Runs a program to its end in `directory` in a new session, with the three descriptors as its
/// standard streams. Its file systems lack the features in `lacks` (see `child_lack`).
///
/// With a `place`, the program is stepped from one system call to the next and killed there. If it
/// never reaches the place, its calls are only counted. If `killed_after` is not negative, the
/// program is killed that many microseconds after its start. With a `signal` other than SIGKILL,
/// the program gets this signal at the call and continues. The numbers of its calls
/// (<sys/syscall.h>) are stored in `calls`, up to `capacity`. If `watched` is not null, it is an
/// absolute path, and the call of a stepped program that makes a file there is reported.
faults_end faults_run(const char *path, char *const arguments[], char *const environment[], const char *directory,
                      int input, int output, int error, unsigned lacks, const char *watched, faults_place place,
                      int signal, int64_t killed_after, int32_t *calls, size_t capacity);

#endif
