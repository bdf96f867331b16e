// Measurements that Swift can't make: the number of allocations, and the stack depth of a call.
#ifndef EOSVAULT_PROBE_H
#define EOSVAULT_PROBE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

/// The number of allocations by this thread so far. The test program replaces malloc and related
/// functions with functions that count and pass on. Always 0 under a sanitizer, which replaces them
/// itself.
long probe_allocations(void);

/// 0 under a sanitizer, else 1.
int probe_counts_allocations(void);

/// Runs `body` over a painted stack.
/// - Returns: the number of bytes written below the caller, to within the size of a frame.
size_t probe_stack_depth(void (*body)(void *), void *context);

/// Whether the 8 bytes of a little-endian word are on the dead part of the stack, at most `depth`
/// bytes below the caller. The word is passed with all bits inverted, so that the search does not
/// find its own argument.
int probe_stack_has(uint64_t inverted, size_t depth);

/// From here on, a system call of this thread with one of these numbers kills the process (SIGSYS).
/// Returns 0, or -1 and errno.
int probe_forbid(const int calls[], size_t count);

enum {
    PROBE_CALL_FUTEX = SYS_futex,
    PROBE_CALL_GETRANDOM = SYS_getrandom,
};

#endif
