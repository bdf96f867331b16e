// AES-128 and AES-256 for a few blocks: FIPS 197.
//
// libcrypto's low-level AES looks bytes of the key up in tables, and its EVP functions keep the key
// on the heap. Here the S-box is computed, and the schedule is in memory of the caller. A block
// takes some 50 µs; a conversation with a device needs less than ten.
#include "aes.h"

#include <string.h>

/// 0xff if the lowest bit is set, or 0.
static uint8_t mask(unsigned bit) { return (uint8_t)(0u - (bit & 1)); }

/// The product in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1.
static uint8_t times(uint8_t left, uint8_t right) {
    uint8_t product = 0;
    for (int bit = 0; bit < 8; bit++) {
        product ^= (uint8_t)(left & mask(right >> bit));
        left = (uint8_t)(left << 1) ^ (uint8_t)(0x1b & mask(left >> 7));
    }
    return product;
}

/// x^254, which is the inverse of x; 0 for 0.
static uint8_t inverse(uint8_t x) {
    const uint8_t x2 = times(x, x), x3 = times(x2, x), x6 = times(x3, x3), x12 = times(x6, x6);
    const uint8_t x14 = times(x12, x2), x15 = times(x12, x3);
    uint8_t power = x15;
    for (int squarings = 0; squarings < 4; squarings++) power = times(power, power);
    return times(power, x14);
}

static uint8_t rotated(uint8_t byte, int bits) { return (uint8_t)(byte << bits | byte >> (8 - bits)); }

static uint8_t substituted(uint8_t byte) {
    const uint8_t x = inverse(byte);
    return x ^ rotated(x, 1) ^ rotated(x, 2) ^ rotated(x, 3) ^ rotated(x, 4) ^ 0x63;
}

static uint8_t substituted_back(uint8_t byte) {
    return inverse(rotated(byte, 1) ^ rotated(byte, 3) ^ rotated(byte, 6) ^ 0x05);
}

void aes_expand(struct aes *aes, const uint8_t *key, size_t count) {
    const int key_words = (int)(count / 4);
    uint8_t *words = &aes->round_keys[0][0];
    memcpy(words, key, count);
    aes->rounds = key_words + 6;
    uint8_t round_constant = 1;
    // position: of the word, modulo key_words.
    for (int word = key_words, position = 0; word < 4 * (aes->rounds + 1); word++) {
        const uint8_t *last = words + 4 * (word - 1);
        uint8_t *next = words + 4 * word;
        for (int at = 0; at < 4; at++) {
            uint8_t byte = position == 0 ? last[(at + 1) % 4] : last[at];
            if (position == 0 || (key_words == 8 && position == 4)) byte = substituted(byte);
            if (position == 0 && at == 0) byte ^= round_constant;
            next[at] = byte ^ words[4 * (word - key_words) + at];
        }
        if (position == 0) round_constant = times(round_constant, 2);
        position = position + 1 == key_words ? 0 : position + 1;
    }
}

static void add(uint8_t block[16], const uint8_t key[16]) {
    for (int at = 0; at < 16; at++) block[at] ^= key[at];
}

/// Substitutes each byte and rotates row r by r columns; direction: 1 to the left, -1 to the right.
static void substitute_and_shift(uint8_t block[16], int direction, uint8_t (*box)(uint8_t)) {
    for (int row = 0; row < 4; row++) {
        uint8_t bytes[4];
        for (int column = 0; column < 4; column++) bytes[column] = box(block[4 * column + row]);
        for (int column = 0; column < 4; column++)
            block[4 * column + row] = bytes[(column + 4 + direction * row) % 4];
    }
}

/// Multiplies each column by a polynomial; factors: its coefficients for the first row.
static void mix(uint8_t block[16], const uint8_t factors[4]) {
    for (int column = 0; column < 4; column++) {
        uint8_t *bytes = block + 4 * column, mixed[4];
        for (int row = 0; row < 4; row++) {
            mixed[row] = 0;
            for (int at = 0; at < 4; at++) mixed[row] ^= times(bytes[at], factors[(at - row + 4) % 4]);
        }
        memcpy(bytes, mixed, 4);
    }
}

void aes_encrypt(const struct aes *aes, uint8_t block[16]) {
    static const uint8_t factors[4] = {2, 3, 1, 1};
    add(block, aes->round_keys[0]);
    for (int number = 1; number <= aes->rounds; number++) {
        substitute_and_shift(block, 1, substituted);
        if (number < aes->rounds) mix(block, factors);
        add(block, aes->round_keys[number]);
    }
}

void aes_decrypt(const struct aes *aes, uint8_t block[16]) {
    static const uint8_t factors[4] = {14, 11, 13, 9};
    for (int number = aes->rounds; number >= 1; number--) {
        add(block, aes->round_keys[number]);
        if (number < aes->rounds) mix(block, factors);
        substitute_and_shift(block, -1, substituted_back);
    }
    add(block, aes->round_keys[0]);
}
