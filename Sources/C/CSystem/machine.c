#define _GNU_SOURCE
#include "machine.h"

#include <errno.h>
#include <sys/personality.h>
#include <sys/random.h>
#include <sys/timex.h>

int machine_clock_is_synchronised(void) {
    struct timex asked = {0};
    int state = adjtimex(&asked);
    if (state < 0) return -1;
    return state != TIME_ERROR && !(asked.status & STA_UNSYNC);
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
