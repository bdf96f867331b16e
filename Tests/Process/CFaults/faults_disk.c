#define _GNU_SOURCE
#include "faults.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct faults_disk {
    char folder[512];
    faults_record *records;
    size_t count, capacity;
    int kinds, error;
    int64_t after, times, failed;
    faults_disk *next;
};

/// A file of a watched folder; SQLite's own follows it in the same allocation.
typedef struct {
    sqlite3_file base;
    faults_disk *disk;
    char name[64];
    /// The value of SQLITE_FCNTL_LAST_ERRNO after an injected failure.
    int last_errno;
} faults_file;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static faults_disk *disks;
static sqlite3_vfs *unix_vfs;
static sqlite3_vfs faults_vfs;
typedef int open_directory(const char *path, int *descriptor);
static open_directory *unix_open_directory;

static sqlite3_file *inner(sqlite3_file *file) { return (sqlite3_file *)((char *)file + sizeof(faults_file)); }

/// The watched folder that contains the file of this path, and the file's name in it.
static faults_disk *disk_of(const char *path, const char **name) {
    const char *slash = path ? strrchr(path, '/') : NULL;
    if (!slash) return NULL;
    size_t length = (size_t)(slash - path);
    pthread_mutex_lock(&mutex);
    faults_disk *disk = disks;
    while (disk && (strlen(disk->folder) != length || strncmp(disk->folder, path, length) != 0)) disk = disk->next;
    pthread_mutex_unlock(&mutex);
    if (name) *name = slash + 1;
    return disk;
}

static void record(faults_disk *disk, faults_change change, const char *name, int64_t offset, int64_t count,
                   const void *bytes) {
    faults_record new = {.change = change, .offset = offset, .count = count};
    strncpy(new.name, name, sizeof new.name - 1);
    if (bytes) {
        uint8_t *copy = malloc((size_t)count);
        if (!copy) abort();
        memcpy(copy, bytes, (size_t)count);
        new.bytes = copy;
    }
    pthread_mutex_lock(&mutex);
    if (disk->count == disk->capacity) {
        disk->capacity = disk->capacity ? disk->capacity * 2 : 256;
        disk->records = realloc(disk->records, disk->capacity * sizeof *disk->records);
        if (!disk->records) abort();
    }
    disk->records[disk->count++] = new;
    pthread_mutex_unlock(&mutex);
}

/// The errno that this call must fail with; 0 when it must succeed.
static int failure(faults_disk *disk, int kind) {
    int error = 0;
    pthread_mutex_lock(&mutex);
    if (disk->kinds & kind) {
        if (disk->after > 0) {
            disk->after--;
        } else if (disk->times > 0) {
            disk->times--;
            disk->failed++;
            error = disk->error;
        }
    }
    pthread_mutex_unlock(&mutex);
    return error;
}

/// Whether a call on a file must fail. Stores the error where SQLite reads it.
static bool fails(sqlite3_file *file, int kind) {
    faults_file *outer = (faults_file *)file;
    int error = failure(outer->disk, kind);
    if (!error) return false;
    outer->last_errno = error;
    errno = error;
    return true;
}

// MARK: a file

static int file_close(sqlite3_file *file) { return inner(file)->pMethods->xClose(inner(file)); }

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    if (fails(file, FAULTS_CALL_READ)) return SQLITE_IOERR_READ;
    return inner(file)->pMethods->xRead(inner(file), bytes, count, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    faults_file *outer = (faults_file *)file;
    if (fails(file, FAULTS_CALL_WRITE)) {
        // Like SQLite's own VFS: a full disk is no error of the device.
        if (errno != ENOSPC) return SQLITE_IOERR_WRITE;
        outer->last_errno = 0;
        return SQLITE_FULL;
    }
    record(outer->disk, FAULTS_WRITE, outer->name, offset, count, bytes);
    return inner(file)->pMethods->xWrite(inner(file), bytes, count, offset);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 count) {
    faults_file *outer = (faults_file *)file;
    if (fails(file, FAULTS_CALL_TRUNCATE)) return SQLITE_IOERR_TRUNCATE;
    record(outer->disk, FAULTS_TRUNCATE, outer->name, 0, count, NULL);
    return inner(file)->pMethods->xTruncate(inner(file), count);
}

static int file_sync(sqlite3_file *file, int flags) {
    faults_file *outer = (faults_file *)file;
    if (fails(file, FAULTS_CALL_SYNC)) return SQLITE_IOERR_FSYNC;
    // SQLite's own VFS syncs the file and then, once after it created a journal, the folder.
    // `open_directory_hook` observes the second sync.
    record(outer->disk, FAULTS_SYNC, outer->name, 0, 0, NULL);
    return inner(file)->pMethods->xSync(inner(file), flags);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    if (fails(file, FAULTS_CALL_SIZE)) return SQLITE_IOERR_FSTAT;
    return inner(file)->pMethods->xFileSize(inner(file), size);
}

static int file_lock(sqlite3_file *file, int level) {
    if (fails(file, FAULTS_CALL_LOCK)) return SQLITE_IOERR_LOCK;
    return inner(file)->pMethods->xLock(inner(file), level);
}

static int file_unlock(sqlite3_file *file, int level) {
    // The lock is released anyway: a process that can't unlock is not tested here.
    int code = inner(file)->pMethods->xUnlock(inner(file), level);
    return fails(file, FAULTS_CALL_UNLOCK) ? SQLITE_IOERR_UNLOCK : code;
}

static int file_is_reserved(sqlite3_file *file, int *result) {
    if (fails(file, FAULTS_CALL_LOCK)) return SQLITE_IOERR_CHECKRESERVEDLOCK;
    return inner(file)->pMethods->xCheckReservedLock(inner(file), result);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
    faults_file *outer = (faults_file *)file;
    if (operation == SQLITE_FCNTL_LAST_ERRNO && outer->last_errno) {
        *(int *)argument = outer->last_errno;
        return SQLITE_OK;
    }
    return inner(file)->pMethods->xFileControl(inner(file), operation, argument);
}

static int file_sector_size(sqlite3_file *file) { return inner(file)->pMethods->xSectorSize(inner(file)); }

static int file_characteristics(sqlite3_file *file) {
    return inner(file)->pMethods->xDeviceCharacteristics(inner(file));
}

// Version 1: no shared memory and no memory mapping, which a vault never uses.
static const sqlite3_io_methods methods = {
    .iVersion = 1,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_is_reserved,
    .xFileControl = file_control,
    .xSectorSize = file_sector_size,
    .xDeviceCharacteristics = file_characteristics,
};

// MARK: the file system

static int vfs_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *flags_out) {
    (void)vfs;
    const char *name = NULL;
    faults_disk *disk = disk_of(path, &name);
    if (!disk) return unix_vfs->xOpen(unix_vfs, path, file, flags, flags_out);
    faults_file *outer = (faults_file *)file;
    memset(outer, 0, sizeof *outer + (size_t)unix_vfs->szOsFile);
    int error = failure(disk, FAULTS_CALL_OPEN);
    if (error) {
        errno = error;
        return SQLITE_CANTOPEN;
    }
    bool is_new = (flags & SQLITE_OPEN_CREATE) && access(path, F_OK) != 0;
    int code = unix_vfs->xOpen(unix_vfs, path, inner(file), flags, flags_out);
    if (code != SQLITE_OK) return code;
    if (is_new) record(disk, FAULTS_CREATE, name, 0, 0, NULL);
    outer->base.pMethods = &methods;
    outer->disk = disk;
    strncpy(outer->name, name, sizeof outer->name - 1);
    return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *path, int sync_folder) {
    (void)vfs;
    const char *name = NULL;
    faults_disk *disk = disk_of(path, &name);
    if (disk) {
        int error = failure(disk, FAULTS_CALL_DELETE);
        if (error) {
            errno = error;
            return SQLITE_IOERR_DELETE;
        }
        if (access(path, F_OK) == 0) record(disk, FAULTS_DELETE, name, 0, 0, NULL);
    }
    return unix_vfs->xDelete(unix_vfs, path, sync_folder);
}

static int vfs_access(sqlite3_vfs *vfs, const char *path, int flags, int *result) {
    (void)vfs;
    faults_disk *disk = disk_of(path, NULL);
    int error = disk ? failure(disk, FAULTS_CALL_ACCESS) : 0;
    if (error) {
        errno = error;
        return SQLITE_IOERR_ACCESS;
    }
    return unix_vfs->xAccess(unix_vfs, path, flags, result);
}

/// SQLite calls it only to sync the folder of `path`.
static int open_directory_hook(const char *path, int *descriptor) {
    faults_disk *disk = disk_of(path, NULL);
    if (disk) {
        if (failure(disk, FAULTS_CALL_FOLDER_SYNC)) {
            // A descriptor that fsync refuses.
            *descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
            return SQLITE_OK;
        }
        record(disk, FAULTS_FOLDER_SYNC, "", 0, 0, NULL);
    }
    return unix_open_directory(path, descriptor);
}

static void install(void) {
    unix_vfs = sqlite3_vfs_find("unix");
    if (!unix_vfs) return;
    unix_open_directory = (open_directory *)unix_vfs->xGetSystemCall(unix_vfs, "openDirectory");
    unix_vfs->xSetSystemCall(unix_vfs, "openDirectory", (sqlite3_syscall_ptr)open_directory_hook);
    faults_vfs = *unix_vfs;
    faults_vfs.pNext = NULL;
    faults_vfs.szOsFile = (int)sizeof(faults_file) + unix_vfs->szOsFile;
    faults_vfs.xOpen = vfs_open;
    faults_vfs.xDelete = vfs_delete;
    faults_vfs.xAccess = vfs_access;
    // The default VFS is first in the list, and a name is searched from the start
    // (sqlite3_vfs_find).
    sqlite3_vfs_register(&faults_vfs, 1);
}

// MARK: for tests

faults_disk *faults_watch(const char *folder) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (sqlite3_initialize() != SQLITE_OK || pthread_once(&once, install) != 0 || !unix_vfs) return NULL;
    faults_disk *disk = calloc(1, sizeof *disk);
    if (!disk || strlen(folder) >= sizeof disk->folder) abort();
    strcpy(disk->folder, folder);
    pthread_mutex_lock(&mutex);
    disk->next = disks;
    disks = disk;
    pthread_mutex_unlock(&mutex);
    return disk;
}

void faults_unwatch(faults_disk *disk) {
    pthread_mutex_lock(&mutex);
    faults_disk **link = &disks;
    while (*link && *link != disk) link = &(*link)->next;
    if (*link) *link = disk->next;
    pthread_mutex_unlock(&mutex);
    for (size_t index = 0; index < disk->count; index++) free((void *)disk->records[index].bytes);
    free(disk->records);
    free(disk);
}

size_t faults_record_count(faults_disk *disk) {
    pthread_mutex_lock(&mutex);
    size_t count = disk->count;
    pthread_mutex_unlock(&mutex);
    return count;
}

faults_record faults_record_at(faults_disk *disk, size_t index) {
    pthread_mutex_lock(&mutex);
    faults_record found = disk->records[index];
    pthread_mutex_unlock(&mutex);
    return found;
}

void faults_fail(faults_disk *disk, int kinds, int64_t after, int64_t times, int error) {
    pthread_mutex_lock(&mutex);
    disk->kinds = kinds;
    disk->after = after;
    disk->times = times;
    disk->error = error;
    disk->failed = 0;
    pthread_mutex_unlock(&mutex);
}

int64_t faults_failed_count(faults_disk *disk) {
    pthread_mutex_lock(&mutex);
    int64_t failed = disk->failed;
    pthread_mutex_unlock(&mutex);
    return failed;
}
