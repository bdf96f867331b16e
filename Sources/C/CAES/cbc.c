// The modes of operation that wallet files use: CBC with its padding.
#include "sliced.h"

#include <string.h>

static void add(uint8_t *block, const uint8_t *other) {
    for (int at = 0; at < AES_BLOCK_BYTES; at++) block[at] ^= other[at];
}

void aes_cbc_encrypt(
    const struct aes *aes, const uint8_t iv[AES_BLOCK_BYTES], const uint8_t *plain, size_t count,
    uint8_t *cipher
) {
    struct sliced sliced;
    aes_slice(&sliced, aes);
    // Each block needs the one before it, so three of the four blocks are unused.
    uint8_t blocks[SLICED_BYTES] = {0};
    memcpy(blocks, iv, AES_BLOCK_BYTES);
    for (size_t at = 0; at < count; at += AES_BLOCK_BYTES) {
        add(blocks, plain + at);
        aes_sliced_encrypt(&sliced, blocks);
        memcpy(cipher + at, blocks, AES_BLOCK_BYTES);
    }
}

void aes_cbc_decrypt(
    const struct aes *aes, const uint8_t iv[AES_BLOCK_BYTES], const uint8_t *cipher, size_t count,
    uint8_t *plain
) {
    struct sliced sliced;
    aes_slice(&sliced, aes);
    // The last block of ciphertext before `given`, and the next blocks of ciphertext.
    uint8_t given[AES_BLOCK_BYTES + SLICED_BYTES] = {0}, blocks[SLICED_BYTES];
    memcpy(given, iv, AES_BLOCK_BYTES);
    for (size_t at = 0; at < count; at += SLICED_BYTES) {
        const size_t size = count - at < SLICED_BYTES ? count - at : SLICED_BYTES;
        memcpy(given + AES_BLOCK_BYTES, cipher + at, size);
        memcpy(blocks, given + AES_BLOCK_BYTES, SLICED_BYTES);
        aes_sliced_decrypt(&sliced, blocks);
        for (size_t block = 0; block < size; block += AES_BLOCK_BYTES) add(blocks + block, given + block);
        memcpy(plain + at, blocks, size);
        memcpy(given, given + SLICED_BYTES, AES_BLOCK_BYTES);
    }
}

/// 1 if left < right, otherwise 0; for numbers below 2^31.
static uint32_t is_less(uint32_t left, uint32_t right) { return (left - right) >> 31; }

unsigned aes_padding(const uint8_t *plain, size_t count) {
    const uint8_t *block = plain + count - AES_BLOCK_BYTES;
    const uint32_t length = block[AES_BLOCK_BYTES - 1];
    uint32_t fault = is_less(length, 1) | is_less(AES_BLOCK_BYTES, length);
    for (uint32_t at = 0; at < AES_BLOCK_BYTES; at++) {
        const uint32_t is_padding = is_less(AES_BLOCK_BYTES - 1 - at, length);
        fault |= (block[at] ^ length) & (0u - is_padding);
    }
    // All ones without a fault; `fault` is below 2^8.
    return length & (0u - is_less(fault, 1));
}
