#define _GNU_SOURCE
#include "wake.h"

#include <time.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

int agent_timer(void) { return timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK); }

int agent_timer_set(int timer, uint64_t nanoseconds) {
    const struct itimerspec time = {
        .it_value = {.tv_sec = (time_t)(nanoseconds / 1000000000), .tv_nsec = (long)(nanoseconds % 1000000000)}};
    return timerfd_settime(timer, TFD_TIMER_ABSTIME, &time, NULL);
}

int agent_event(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
