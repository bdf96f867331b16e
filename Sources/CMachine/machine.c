#define _GNU_SOURCE
#include "machine.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/personality.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/timex.h>

int machine_clock_is_synchronised(void) {
    struct timex asked = {0};
    int state = adjtimex(&asked);
    if (state < 0) return -1;
    return state != TIME_ERROR && !(asked.status & STA_UNSYNC);
}

int machine_look_at_file(const char *path, machine_file *file) {
#ifdef STATX_MNT_ID
    struct statx found;
    const unsigned asked = STATX_TYPE | STATX_SIZE | STATX_MNT_ID;
    if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, asked, &found) != 0) return 0;
    if ((found.stx_mask & asked) != asked || !S_ISREG(found.stx_mode)) return 0;
    *file = (machine_file){.mount = found.stx_mnt_id, .size = found.stx_size};
    return 1;
#else
    (void)path;
    (void)file;
    return 0;
#endif
}

int machine_addresses_are_fixed(void) {
    // 0xffffffff only queries the persona.
    int persona = personality(0xffffffff);
    return persona < 0 ? -1 : (persona & ADDR_NO_RANDOMIZE) != 0;
}

int machine_random_is_ready(void) {
    unsigned char byte;
    ssize_t count;
    do count = getrandom(&byte, sizeof byte, GRND_NONBLOCK);
    while (count < 0 && errno == EINTR);
    return count == sizeof byte;
}
