// What a test can't see from Swift: how much is allocated, and how deep a call goes on the stack.
#ifndef EOSVAULT_PROBE_H
#define EOSVAULT_PROBE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

/// How many times this thread has asked for memory so far: malloc and its kin are replaced in the
/// test program by functions that count and pass on. Always 0 under a sanitizer, which replaces
/// them itself.
long probe_allocations(void);

/// 0 under a sanitizer, else 1.
int probe_counts_allocations(void);

/// Runs `body` over a painted stack.
/// - Returns: how many bytes below its caller it wrote to, to within the size of a frame.
size_t probe_stack_depth(void (*body)(void *), void *context);

/// Whether the 8 bytes of a little-endian word are on the dead part of the stack, at most `depth`
/// bytes below the caller. The word is given with all its bits inverted, so that this search does
/// not find itself.
int probe_stack_has(uint64_t inverted, size_t depth);

/// From here on a call of this thread by one of these numbers kills the process (SIGSYS). 0, or -1
/// and errno.
int probe_forbid(const int calls[], size_t count);

enum {
    PROBE_CALL_FUTEX = SYS_futex,
    PROBE_CALL_GETRANDOM = SYS_getrandom,
};

#endif
