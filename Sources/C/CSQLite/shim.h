#include <sqlite3.h>

/// sqlite3_db_config, which is variadic, for the options that take an int; `value` is 0 or 1.
/// Returns SQLITE_OK only when the option has that value afterwards.
static inline int csqlite_set_option(sqlite3 *database, int option, int value) {
    int now = -1;
    int result = sqlite3_db_config(database, option, value, &now);
    if (result != SQLITE_OK) return result;
    return now == value ? SQLITE_OK : SQLITE_ERROR;
}

/// Reads `count` bytes at `offset` of the main database's file through SQLite's own descriptor and
/// without a lock. Closing a second descriptor of the file would drop the locks that this process
/// holds on it (POSIX fcntl). Returns SQLITE_OK, SQLITE_IOERR_SHORT_READ (the rest is zero) or
/// another error.
static inline int csqlite_read_file(sqlite3 *database, void *buffer, int count, sqlite3_int64 offset) {
    sqlite3_file *file = 0;
    int result = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (result != SQLITE_OK) return result;
    if (!file || !file->pMethods) return SQLITE_CANTOPEN;
    return file->pMethods->xRead(file, buffer, count, offset);
}

/// Reads the size in bytes of the main database's file through SQLite's own descriptor.
static inline int csqlite_file_size(sqlite3 *database, sqlite3_int64 *size) {
    sqlite3_file *file = 0;
    int result = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (result != SQLITE_OK) return result;
    if (!file || !file->pMethods) return SQLITE_CANTOPEN;
    return file->pMethods->xFileSize(file, size);
}

/// 1 when the path of the main database no longer leads to the open file, 0 when it does, -1 when
/// this is unknown.
static inline int csqlite_has_moved(sqlite3 *database) {
    int moved = -1;
    if (sqlite3_file_control(database, "main", SQLITE_FCNTL_HAS_MOVED, &moved) != SQLITE_OK) return -1;
    return moved;
}

/// errno of the last failed call on the main database's file, as SQLite stored it; 0 when no call
/// failed. `sqlite3_system_errno` is read after cleanup, which may overwrite errno.
static inline int csqlite_last_errno(sqlite3 *database) {
    int code = 0;
    if (sqlite3_file_control(database, "main", SQLITE_FCNTL_LAST_ERRNO, &code) != SQLITE_OK) return 0;
    return code;
}
