// What a test can't see from Swift: how much is allocated, and how deep a call goes on the stack.
#ifndef EOSVAULT_PROBE_H
#define EOSVAULT_PROBE_H

#include <stddef.h>

/// How many times this thread has asked for memory so far: malloc and its kin are replaced in the test program by functions
/// that count and pass on. Always 0 under a sanitizer, which replaces them itself.
long probe_allocations(void);

/// 0 under a sanitizer, else 1.
int probe_counts_allocations(void);

/// Runs `body` over a painted stack.
/// - Returns: how many bytes below its caller it wrote to, to within the size of a frame.
size_t probe_stack_depth(void (*body)(void *), void *context);

#endif
