// A value barrier against the optimiser. It is inlined and compiles to no instruction.
#ifndef EOSVAULT_BARRIER_H
#define EOSVAULT_BARRIER_H

#include <stdint.h>

/// Returns `value`. The compiler can't predict the result, so it can't replace a comparison by
/// branches on the compared data.
static inline uint64_t registers_value_barrier(uint64_t value) {
    __asm__("" : "+r"(value));
    return value;
}

#endif
