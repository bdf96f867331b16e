#define _GNU_SOURCE
#include "descriptors.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Used on a kernel before 5.9, and in a container that refuses close_range.
static void close_one_by_one(int first, int last) {
    DIR *open_ones = opendir("/proc/self/fd");
    if (open_ones) {
        for (const struct dirent *entry; (entry = readdir(open_ones));) {
            int descriptor = atoi(entry->d_name);
            if (descriptor >= first && descriptor <= last && descriptor != dirfd(open_ones)) close(descriptor);
        }
        closedir(open_ones);
        return;
    }
    // Without /proc, try each number up to the highest limit on most systems.
    enum { most = 1 << 20 };
    struct rlimit limit;
    int end = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_max < most ? (int)limit.rlim_max : most;
    for (int descriptor = first; descriptor <= last && descriptor < end; descriptor++) close(descriptor);
}

static void close_range_of(int first, int last) {
    if (first > last) return;
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)first, (unsigned)last, 0u) == 0) return;
#endif
    close_one_by_one(first, last);
}

void files_close_descriptors(const int kept[], size_t count) {
    int first = STDERR_FILENO + 1;
    for (size_t i = 0; i < count; i++) {
        close_range_of(first, kept[i] - 1);
        if (kept[i] == INT_MAX) return;
        first = kept[i] + 1;
    }
    close_range_of(first, INT_MAX);
}
