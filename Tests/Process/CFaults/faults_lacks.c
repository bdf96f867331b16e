#define _GNU_SOURCE
#include "faults.h"

#include <child.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

unsigned faults_lacks(const char *folder) {
    char first[PATH_MAX], second[PATH_MAX], link[64];
    snprintf(first, sizeof first, "%s/lacks-1", folder);
    snprintf(second, sizeof second, "%s/lacks-2", folder);
    unsigned lacks = 0;

    int file = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    if (file < 0 || linkat(AT_FDCWD, link, AT_FDCWD, first, AT_SYMLINK_FOLLOW) != 0) lacks |= CHILD_LACKS_UNNAMED;
    if (file >= 0) close(file);

    file = open(first, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    if (file >= 0) close(file);
    if (linkat(AT_FDCWD, first, AT_FDCWD, second, 0) != 0) lacks |= CHILD_LACKS_LINK;
    unlink(second);
    if (renameat2(AT_FDCWD, first, AT_FDCWD, second, RENAME_NOREPLACE) != 0) lacks |= CHILD_LACKS_RENAME;
    unlink(first);
    unlink(second);
    return lacks;
}
