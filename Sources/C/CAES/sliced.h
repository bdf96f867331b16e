// AES of four blocks at once.
#ifndef EOSVAULT_AES_SLICED_H
#define EOSVAULT_AES_SLICED_H

#include "aes.h"

enum { SLICED_BLOCKS = 4, SLICED_BYTES = SLICED_BLOCKS * AES_BLOCK_BYTES, MAXIMUM_ROUND_KEYS = 71 };

/// 64 bytes by their bits: bit i of `bit[b]` is bit b of byte i.
struct planes {
    uint64_t bit[8];
};

/// The round keys of a schedule, each four times. It is a secret on the stack, which the caller of
/// this library wipes.
struct sliced {
    struct planes keys[MAXIMUM_ROUND_KEYS];
    int rounds;
};

void aes_slice(struct sliced *sliced, const struct aes *aes);
void aes_sliced_encrypt(const struct sliced *sliced, uint8_t blocks[SLICED_BYTES]);
void aes_sliced_decrypt(const struct sliced *sliced, uint8_t blocks[SLICED_BYTES]);

#endif
