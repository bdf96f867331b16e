// Descriptors that wake a thread which waits in poll(2): a timer and an event.
#ifndef EOSVAULT_WAKE_H
#define EOSVAULT_WAKE_H

#include <stdint.h>

/// A timer of CLOCK_BOOTTIME, which also runs while the machine is suspended. It is readable once
/// its time has come; reads do not wait. Returns a descriptor, or -1 and errno.
int agent_timer(void);

/// Sets the time at which a timer expires, in nanoseconds since the machine was started; 0 for
/// never. A time in the past expires at once. Returns 0, or -1 and errno.
int agent_timer_set(int timer, uint64_t nanoseconds);

/// A counter that is readable while it is not 0; reads and writes of 8 bytes do not wait. Returns a
/// descriptor, or -1 and errno.
int agent_event(void);

#endif
