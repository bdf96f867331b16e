// Galois/Counter Mode: NIST SP 800-38D.
#include "sliced.h"

#include <string.h>

static uint64_t word(const uint8_t *bytes) {
    uint64_t word = 0;
    for (int at = 0; at < 8; at++) word = word << 8 | bytes[at];
    return word;
}

/// Multiplies the hash by the subkey in GF(2^128): section 6.3. The first bit of a block is the
/// coefficient of x^0.
static void multiply(struct aes_gcm *gcm) {
    uint64_t high = 0, low = 0, left = gcm->subkey[0], right = gcm->subkey[1];
    for (int half = 0; half < 2; half++) {
        for (int bit = 63; bit >= 0; bit--) {
            const uint64_t is_set = 0 - (gcm->hash[half] >> bit & 1), is_odd = 0 - (right & 1);
            high ^= left & is_set;
            low ^= right & is_set;
            right = right >> 1 | left << 63;
            left = left >> 1 ^ (0xe100000000000000 & is_odd);
        }
    }
    gcm->hash[0] = high;
    gcm->hash[1] = low;
}

/// Hashes bytes, with zeros after them up to a whole block: section 6.4.
static void hash(struct aes_gcm *gcm, const uint8_t *bytes, size_t count) {
    for (size_t at = 0; at < count; at += AES_BLOCK_BYTES) {
        uint8_t block[AES_BLOCK_BYTES] = {0};
        memcpy(block, bytes + at, count - at < AES_BLOCK_BYTES ? count - at : AES_BLOCK_BYTES);
        gcm->hash[0] ^= word(block);
        gcm->hash[1] ^= word(block + 8);
        multiply(gcm);
    }
}

/// Hashes the last block: 64 zero bits and the length, or the two lengths.
static void hash_length(struct aes_gcm *gcm, size_t count) {
    gcm->hash[1] ^= (uint64_t)count * 8;
    multiply(gcm);
}

static void put(uint8_t block[AES_BLOCK_BYTES], const uint64_t words[2]) {
    for (int at = 0; at < AES_BLOCK_BYTES; at++) block[at] = (uint8_t)(words[at / 8] >> (56 - 8 * (at % 8)));
}

/// Adds 1 to the last 32 bits: section 6.2.
static void increment(uint8_t counter[AES_BLOCK_BYTES]) {
    uint32_t carry = 1;
    for (int at = AES_BLOCK_BYTES - 1; at >= 12; at--) {
        carry += counter[at];
        counter[at] = (uint8_t)carry;
        carry >>= 8;
    }
}

/// The first counter: section 7.1, step 2.
static void begin(struct aes_gcm *gcm, const uint8_t *iv, size_t count) {
    gcm->hash[0] = gcm->hash[1] = 0;
    if (count == 12) {
        memcpy(gcm->counter, iv, count);
        memcpy(gcm->counter + count, (const uint8_t[]){0, 0, 0, 1}, 4);
        return;
    }
    hash(gcm, iv, count);
    hash_length(gcm, count);
    put(gcm->counter, gcm->hash);
    gcm->hash[0] = gcm->hash[1] = 0;
}

unsigned aes_gcm_compare(
    struct aes_gcm *gcm, const struct aes *aes, const uint8_t *iv, size_t iv_count, const uint8_t *cipher,
    size_t count, const uint8_t *tag, size_t tag_count
) {
    struct sliced sliced;
    uint8_t blocks[SLICED_BYTES] = {0};
    aes_slice(&sliced, aes);
    aes_sliced_encrypt(&sliced, blocks);
    gcm->subkey[0] = word(blocks);
    gcm->subkey[1] = word(blocks + 8);
    begin(gcm, iv, iv_count);
    memset(blocks, 0, sizeof blocks);
    memcpy(blocks, gcm->counter, AES_BLOCK_BYTES);
    aes_sliced_encrypt(&sliced, blocks);
    hash(gcm, cipher, count);
    hash_length(gcm, count);
    put(gcm->mask, gcm->hash);
    unsigned difference = 0;
    for (size_t at = 0; at < tag_count; at++) difference |= (unsigned)(gcm->mask[at] ^ blocks[at] ^ tag[at]);
    return difference;
}

void aes_gcm_decrypt(
    struct aes_gcm *gcm, const struct aes *aes, const uint8_t *cipher, size_t count, uint8_t *plain
) {
    struct sliced sliced;
    uint8_t blocks[SLICED_BYTES];
    aes_slice(&sliced, aes);
    for (size_t at = 0; at < count; at += SLICED_BYTES) {
        for (int block = 0; block < SLICED_BLOCKS; block++) {
            increment(gcm->counter);
            memcpy(blocks + AES_BLOCK_BYTES * block, gcm->counter, AES_BLOCK_BYTES);
        }
        aes_sliced_encrypt(&sliced, blocks);
        for (size_t byte = 0; byte < SLICED_BYTES && at + byte < count; byte++)
            plain[at + byte] = cipher[at + byte] ^ blocks[byte];
    }
}
