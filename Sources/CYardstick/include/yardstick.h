// The yardstick of the benchmark: the same work over libsecp256k1 in C, in the same run. Nothing of it is in the product.
#ifndef EOSVAULT_YARDSTICK_H
#define EOSVAULT_YARDSTICK_H

#include <stddef.h>
#include <stdint.h>

/// Signs `count` digests, which are counted up from `digest`, with `scalar` as libfc does, each until it is canonical.
/// Returns 0, or -1 where the library refuses.
int yardstick_sign(const uint8_t scalar[32], uint8_t digest[32], size_t count);

#endif
