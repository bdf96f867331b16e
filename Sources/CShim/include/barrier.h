// Values that the optimiser can't see through. Inlined, and no instruction.
#ifndef EOSVAULT_BARRIER_H
#define EOSVAULT_BARRIER_H

#include <stdint.h>

/// `value`, of which the compiler knows nothing from here on: it can't take a comparison apart into
/// branches on what was compared.
static inline uint64_t shim_value_barrier(uint64_t value) {
    __asm__("" : "+r"(value));
    return value;
}

#endif
