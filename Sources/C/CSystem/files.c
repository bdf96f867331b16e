#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/vfs.h>
#include <unistd.h>

int files_open_unnamed(const char *folder) { return open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600); }

int files_name_unnamed(int descriptor, const char *path) {
    // Before Linux 6.10 this needs CAP_DAC_READ_SEARCH, and fails with ENOENT without it.
    if (linkat(descriptor, "", AT_FDCWD, path, AT_EMPTY_PATH) == 0) return 0;
    if (errno != ENOENT) return -1;
    // The method that open(2) describes for O_TMPFILE; it needs /proc.
    char link[sizeof "/proc/self/fd/" + 3 * sizeof descriptor];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    return linkat(AT_FDCWD, link, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

int files_open_new(const char *path) { return open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600); }

int files_open_path(const char *path) { return open(path, O_PATH | O_CLOEXEC); }

int files_rename_without_replacing(const char *from, const char *to) {
    return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

long files_system_type(int descriptor) {
    struct statfs status;
    return fstatfs(descriptor, &status) == 0 ? (long)status.f_type : 0;
}
