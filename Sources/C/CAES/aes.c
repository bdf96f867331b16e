// AES: FIPS 197.
//
// libcrypto's low-level AES looks bytes of the key up in tables, and its EVP functions keep the key
// on the heap. Here, four blocks are computed at once from their bits, by operations on words of 64
// bits alone, and the schedule is in memory of the caller.
#include "sliced.h"

#include <string.h>

/// Transposes 8 bytes as a matrix of bits: bit b of byte j becomes bit j of byte b.
static uint64_t transposed(uint64_t x) {
    uint64_t swapped = (x ^ x >> 7) & 0x00aa00aa00aa00aa;
    x ^= swapped ^ swapped << 7;
    swapped = (x ^ x >> 14) & 0x0000cccc0000cccc;
    x ^= swapped ^ swapped << 14;
    swapped = (x ^ x >> 28) & 0x00000000f0f0f0f0;
    return x ^ swapped ^ swapped << 28;
}

static void to_planes(struct planes *planes, const uint8_t *bytes, int count) {
    memset(planes, 0, sizeof *planes);
    for (int group = 0; group < count / 8; group++) {
        uint64_t word = 0;
        for (int at = 0; at < 8; at++) word |= (uint64_t)bytes[8 * group + at] << 8 * at;
        word = transposed(word);
        for (int bit = 0; bit < 8; bit++) planes->bit[bit] |= (word >> 8 * bit & 0xff) << 8 * group;
    }
}

static void from_planes(const struct planes *planes, uint8_t *bytes, int count) {
    for (int group = 0; group < count / 8; group++) {
        uint64_t word = 0;
        for (int bit = 0; bit < 8; bit++) word |= (planes->bit[bit] >> 8 * group & 0xff) << 8 * bit;
        word = transposed(word);
        for (int at = 0; at < 8; at++) bytes[8 * group + at] = (uint8_t)(word >> 8 * at);
    }
}

/// The S-box: J. Boyar and R. Peralta, A depth-16 circuit for the AES S-box (IACR ePrint 2011/332).
/// Its names: x is the input, most significant bit first, and s the output.
static void substitute(struct planes *planes) {
    uint64_t *q = planes->bit;
    const uint64_t x0 = q[7], x1 = q[6], x2 = q[5], x3 = q[4], x4 = q[3], x5 = q[2], x6 = q[1], x7 = q[0];
    // The top linear layer.
    const uint64_t y14 = x3 ^ x5, y13 = x0 ^ x6, y9 = x0 ^ x3, y8 = x0 ^ x5, t0 = x1 ^ x2;
    const uint64_t y1 = t0 ^ x7, y4 = y1 ^ x3, y12 = y13 ^ y14, y2 = y1 ^ x0, y5 = y1 ^ x6;
    const uint64_t y3 = y5 ^ y8, t1 = x4 ^ y12, y15 = t1 ^ x5, y20 = t1 ^ x1, y6 = y15 ^ x7;
    const uint64_t y10 = y15 ^ t0, y11 = y20 ^ y9, y7 = x7 ^ y11, y17 = y10 ^ y11, y19 = y10 ^ y8;
    const uint64_t y16 = t0 ^ y11, y21 = y13 ^ y16, y18 = x0 ^ y16;
    // The inverse in GF(2^8).
    const uint64_t t2 = y12 & y15, t3 = y3 & y6, t4 = t3 ^ t2, t5 = y4 & x7, t6 = t5 ^ t2;
    const uint64_t t7 = y13 & y16, t8 = y5 & y1, t9 = t8 ^ t7, t10 = y2 & y7, t11 = t10 ^ t7;
    const uint64_t t12 = y9 & y11, t13 = y14 & y17, t14 = t13 ^ t12, t15 = y8 & y10, t16 = t15 ^ t12;
    const uint64_t t17 = t4 ^ t14, t18 = t6 ^ t16, t19 = t9 ^ t14, t20 = t11 ^ t16, t21 = t17 ^ y20;
    const uint64_t t22 = t18 ^ y19, t23 = t19 ^ y21, t24 = t20 ^ y18, t25 = t21 ^ t22, t26 = t21 & t23;
    const uint64_t t27 = t24 ^ t26, t28 = t25 & t27, t29 = t28 ^ t22, t30 = t23 ^ t24, t31 = t22 ^ t26;
    const uint64_t t32 = t31 & t30, t33 = t32 ^ t24, t34 = t23 ^ t33, t35 = t27 ^ t33, t36 = t24 & t35;
    const uint64_t t37 = t36 ^ t34, t38 = t27 ^ t36, t39 = t29 & t38, t40 = t25 ^ t39, t41 = t40 ^ t37;
    const uint64_t t42 = t29 ^ t33, t43 = t29 ^ t40, t44 = t33 ^ t37, t45 = t42 ^ t41;
    const uint64_t z0 = t44 & y15, z1 = t37 & y6, z2 = t33 & x7, z3 = t43 & y16, z4 = t40 & y1;
    const uint64_t z5 = t29 & y7, z6 = t42 & y11, z7 = t45 & y17, z8 = t41 & y10, z9 = t44 & y12;
    const uint64_t z10 = t37 & y3, z11 = t33 & y4, z12 = t43 & y13, z13 = t40 & y5, z14 = t29 & y2;
    const uint64_t z15 = t42 & y9, z16 = t45 & y14, z17 = t41 & y8;
    // The bottom linear layer.
    const uint64_t t46 = z15 ^ z16, t47 = z10 ^ z11, t48 = z5 ^ z13, t49 = z9 ^ z10, t50 = z2 ^ z12;
    const uint64_t t51 = z2 ^ z5, t52 = z7 ^ z8, t53 = z0 ^ z3, t54 = z6 ^ z7, t55 = z16 ^ z17;
    const uint64_t t56 = z12 ^ t48, t57 = t50 ^ t53, t58 = z4 ^ t46, t59 = z3 ^ t54, t60 = t46 ^ t57;
    const uint64_t t61 = z14 ^ t57, t62 = t52 ^ t58, t63 = t49 ^ t58, t64 = z4 ^ t59, t65 = t61 ^ t62;
    const uint64_t t66 = z1 ^ t63, t67 = t64 ^ t65, s3 = t53 ^ t66;
    q[7] = t59 ^ t63;
    q[6] = t64 ^ ~s3;
    q[5] = t55 ^ ~t67;
    q[4] = s3;
    q[3] = t51 ^ t66;
    q[2] = t47 ^ t65;
    q[1] = t56 ^ ~t62;
    q[0] = t48 ^ ~t60;
}

/// The inverse of the affine map of the S-box. The S-box is its own inverse between two of these.
static void undo_affine(struct planes *planes) {
    uint64_t *q = planes->bit;
    const uint64_t x0 = ~q[0], x1 = ~q[1], x2 = q[2], x3 = q[3], x4 = q[4], x5 = ~q[5], x6 = ~q[6], x7 = q[7];
    q[7] = x1 ^ x4 ^ x6;
    q[6] = x0 ^ x3 ^ x5;
    q[5] = x7 ^ x2 ^ x4;
    q[4] = x6 ^ x1 ^ x3;
    q[3] = x5 ^ x0 ^ x2;
    q[2] = x4 ^ x7 ^ x1;
    q[1] = x3 ^ x6 ^ x0;
    q[0] = x2 ^ x5 ^ x7;
}

/// A mask that repeats for each block. In it, bit 4c + r is the byte in row r and column c.
static uint64_t in_each(uint64_t mask) { return mask * 0x0001000100010001; }

/// Rotates row r by r columns to the left.
static void shift_rows(struct planes *planes) {
    for (int bit = 0; bit < 8; bit++) {
        const uint64_t x = planes->bit[bit];
        planes->bit[bit] = (x & in_each(0x1111)) | (x >> 4 & in_each(0x0222)) | (x << 12 & in_each(0x2000))
            | (x >> 8 & in_each(0x0044)) | (x << 8 & in_each(0x4400)) | (x >> 12 & in_each(0x0008))
            | (x << 4 & in_each(0x8880));
    }
}

/// Rotates row r by r columns to the right.
static void unshift_rows(struct planes *planes) {
    for (int bit = 0; bit < 8; bit++) {
        const uint64_t x = planes->bit[bit];
        planes->bit[bit] = (x & in_each(0x1111)) | (x << 4 & in_each(0x2220)) | (x >> 12 & in_each(0x0002))
            | (x >> 8 & in_each(0x0044)) | (x << 8 & in_each(0x4400)) | (x >> 4 & in_each(0x0888))
            | (x << 12 & in_each(0x8000));
    }
}

/// Rotates each column by one row, or by two rows.
static uint64_t row_below(uint64_t x) { return (x >> 1 & in_each(0x7777)) | (x << 3 & in_each(0x8888)); }
static uint64_t second_row_below(uint64_t x) {
    return (x >> 2 & in_each(0x3333)) | (x << 2 & in_each(0xcccc));
}

/// Multiplies each byte by 2 in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1.
static void twice(struct planes *planes) {
    uint64_t *q = planes->bit;
    const uint64_t top = q[7];
    q[7] = q[6];
    q[6] = q[5];
    q[5] = q[4];
    q[4] = q[3] ^ top;
    q[3] = q[2] ^ top;
    q[2] = q[1];
    q[1] = q[0] ^ top;
    q[0] = top;
}

/// Multiplies each column by 3x^3 + x^2 + x + 2.
static void mix_columns(struct planes *planes) {
    struct planes sums, below;
    for (int bit = 0; bit < 8; bit++) {
        below.bit[bit] = row_below(planes->bit[bit]);
        sums.bit[bit] = planes->bit[bit] ^ below.bit[bit];
        below.bit[bit] ^= second_row_below(sums.bit[bit]);
    }
    twice(&sums);
    for (int bit = 0; bit < 8; bit++) planes->bit[bit] = sums.bit[bit] ^ below.bit[bit];
}

/// Multiplies each column by 11x^3 + 13x^2 + 9x + 14, which is (4x^2 + 5) (3x^3 + x^2 + x + 2).
static void unmix_columns(struct planes *planes) {
    struct planes sums;
    for (int bit = 0; bit < 8; bit++)
        sums.bit[bit] = planes->bit[bit] ^ second_row_below(planes->bit[bit]);
    twice(&sums);
    twice(&sums);
    for (int bit = 0; bit < 8; bit++) planes->bit[bit] ^= sums.bit[bit];
    mix_columns(planes);
}

static void add(struct planes *planes, const struct planes *key) {
    for (int bit = 0; bit < 8; bit++) planes->bit[bit] ^= key->bit[bit];
}

void aes_slice(struct sliced *sliced, const struct aes *aes) {
    sliced->rounds = aes->rounds;
    for (int number = 0; number <= aes->rounds; number++) {
        struct planes *key = &sliced->keys[number];
        to_planes(key, aes->round_keys[number], AES_BLOCK_BYTES);
        for (int bit = 0; bit < 8; bit++) key->bit[bit] = in_each(key->bit[bit]);
    }
}

void aes_sliced_encrypt(const struct sliced *sliced, uint8_t blocks[SLICED_BYTES]) {
    struct planes planes;
    to_planes(&planes, blocks, SLICED_BYTES);
    add(&planes, &sliced->keys[0]);
    for (int number = 1; number <= sliced->rounds; number++) {
        substitute(&planes);
        shift_rows(&planes);
        if (number < sliced->rounds) mix_columns(&planes);
        add(&planes, &sliced->keys[number]);
    }
    from_planes(&planes, blocks, SLICED_BYTES);
}

void aes_sliced_decrypt(const struct sliced *sliced, uint8_t blocks[SLICED_BYTES]) {
    struct planes planes;
    to_planes(&planes, blocks, SLICED_BYTES);
    for (int number = sliced->rounds; number >= 1; number--) {
        add(&planes, &sliced->keys[number]);
        if (number < sliced->rounds) unmix_columns(&planes);
        unshift_rows(&planes);
        undo_affine(&planes);
        substitute(&planes);
        undo_affine(&planes);
    }
    add(&planes, &sliced->keys[0]);
    from_planes(&planes, blocks, SLICED_BYTES);
}

void aes_expand(struct aes *aes, const uint8_t *key, size_t count) {
    const int key_words = (int)(count / 4);
    uint8_t *words = &aes->round_keys[0][0];
    aes->rounds = key_words + 6;
    memcpy(words, key, count);
    uint8_t round_constant = 1;
    // position: of the word, modulo key_words.
    for (int word = key_words, position = 0; word < 4 * (aes->rounds + 1); word++) {
        const uint8_t *last = words + 4 * (word - 1);
        uint8_t *next = words + 4 * word, bytes[8] = {0};
        for (int at = 0; at < 4; at++) bytes[at] = position == 0 ? last[(at + 1) % 4] : last[at];
        if (position == 0 || (key_words > 6 && position == 4)) {
            struct planes planes;
            to_planes(&planes, bytes, sizeof bytes);
            substitute(&planes);
            from_planes(&planes, bytes, sizeof bytes);
        }
        if (position == 0) {
            bytes[0] ^= round_constant;
            round_constant = (uint8_t)(round_constant << 1 ^ (round_constant >> 7) * 0x1b);
        }
        for (int at = 0; at < 4; at++) next[at] = bytes[at] ^ words[4 * (word - key_words) + at];
        position = position + 1 == key_words ? 0 : position + 1;
    }
}

void aes_encrypt(const struct aes *aes, uint8_t block[AES_BLOCK_BYTES]) {
    struct sliced sliced;
    uint8_t blocks[SLICED_BYTES] = {0};
    aes_slice(&sliced, aes);
    memcpy(blocks, block, AES_BLOCK_BYTES);
    aes_sliced_encrypt(&sliced, blocks);
    memcpy(block, blocks, AES_BLOCK_BYTES);
}

void aes_decrypt(const struct aes *aes, uint8_t block[AES_BLOCK_BYTES]) {
    struct sliced sliced;
    uint8_t blocks[SLICED_BYTES] = {0};
    aes_slice(&sliced, aes);
    memcpy(blocks, block, AES_BLOCK_BYTES);
    aes_sliced_decrypt(&sliced, blocks);
    memcpy(block, blocks, AES_BLOCK_BYTES);
}
