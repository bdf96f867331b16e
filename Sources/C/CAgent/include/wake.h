// A descriptor that wakes a thread which waits in poll(2).
#ifndef EOSVAULT_WAKE_H
#define EOSVAULT_WAKE_H

/// A counter that is readable while it is not 0; reads and writes of 8 bytes do not wait. Returns a
/// descriptor, or -1 and errno.
int agent_event(void);

#endif
