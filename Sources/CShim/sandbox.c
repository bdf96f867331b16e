#define _GNU_SOURCE
#include "sandbox.h"

#include <errno.h>
#include <stddef.h>
#include <unistd.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

// The headers of a distribution are older than the kernels that its programs run on: what is newer than Linux 5.13 stands here by
// value (include/uapi/linux/landlock.h).
enum { LANDLOCK_CREATE_RULESET_VERSION_FLAG = 1 };

int sandbox_landlock_version(void) {
    // ENOSYS: not built in; EOPNOTSUPP: not among the active security modules. What a container refuses is not there either.
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION_FLAG);
    return version > 0 ? (int)version : 0;
}

int sandbox_has_seccomp(void) {
    // The very call that installs a filter. A kernel that knows it goes on to read the filter, and can't.
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, NULL) != 0 && errno == EFAULT;
}
