// OpenSSL 3 deprecates the hash functions whose state the caller allocates; their successors keep
// it on the heap.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "hmac.h"

#include <openssl/sha.h>
#include <string.h>

union context {
    SHA_CTX sha1;
    SHA256_CTX sha256;
    SHA512_CTX sha512;
};

struct hmac_state {
    enum hmac_function function;
    /// The message so far.
    union context message;
    /// The hash functions after the padded key.
    union context inner, outer;
    union {
        uint8_t block[SHA512_CBLOCK];
        uint8_t tag[SHA512_DIGEST_LENGTH];
    } work;
    /// PBKDF2: the sum of the rounds.
    uint8_t sum[SHA512_DIGEST_LENGTH];
};

size_t hmac_state_count(void) { return (sizeof(struct hmac_state) + 15) / 16 * 16; }

size_t hmac_tag_count(enum hmac_function function) {
    switch (function) {
    case HMAC_SHA1: return SHA_DIGEST_LENGTH;
    case HMAC_SHA256: return SHA256_DIGEST_LENGTH;
    default: return SHA512_DIGEST_LENGTH;
    }
}

static size_t block_count(enum hmac_function function) {
    return function == HMAC_SHA512 ? SHA512_CBLOCK : SHA256_CBLOCK;
}

// The calls below return 1 for every input of less than 2^61 bytes.

static void begin(enum hmac_function function, union context *context) {
    switch (function) {
    case HMAC_SHA1: SHA1_Init(&context->sha1); break;
    case HMAC_SHA256: SHA256_Init(&context->sha256); break;
    default: SHA512_Init(&context->sha512);
    }
}

static void add(enum hmac_function function, union context *context, const uint8_t *part, size_t count) {
    switch (function) {
    case HMAC_SHA1: SHA1_Update(&context->sha1, part, count); break;
    case HMAC_SHA256: SHA256_Update(&context->sha256, part, count); break;
    default: SHA512_Update(&context->sha512, part, count);
    }
}

static void finish(enum hmac_function function, union context *context, uint8_t *digest) {
    switch (function) {
    case HMAC_SHA1: SHA1_Final(digest, &context->sha1); break;
    case HMAC_SHA256: SHA256_Final(digest, &context->sha256); break;
    default: SHA512_Final(digest, &context->sha512);
    }
}

void hmac_start(struct hmac_state *state, enum hmac_function function, const uint8_t *key, size_t count) {
    const size_t block = block_count(function);
    memset(state, 0, sizeof *state);
    state->function = function;
    // The length of a secret is public.
    if (count > block) {
        begin(function, &state->message);
        add(function, &state->message, key, count);
        finish(function, &state->message, state->work.block);
    } else if (count > 0) {
        memcpy(state->work.block, key, count);
    }
    for (size_t at = 0; at < block; at++) state->work.block[at] ^= 0x36;
    begin(function, &state->inner);
    add(function, &state->inner, state->work.block, block);
    for (size_t at = 0; at < block; at++) state->work.block[at] ^= 0x36 ^ 0x5c;
    begin(function, &state->outer);
    add(function, &state->outer, state->work.block, block);
    state->message = state->inner;
}

void hmac_add(struct hmac_state *state, const uint8_t *part, size_t count) {
    if (count > 0) add(state->function, &state->message, part, count);
}

void hmac_finish(struct hmac_state *state, uint8_t *tag) {
    const enum hmac_function function = state->function;
    finish(function, &state->message, state->work.tag);
    state->message = state->outer;
    add(function, &state->message, state->work.tag, hmac_tag_count(function));
    finish(function, &state->message, tag);
    state->message = state->inner;
}

void hmac_pbkdf2(
    struct hmac_state *state, const uint8_t *salt, size_t salt_count, uint32_t rounds, uint8_t *derived,
    size_t derived_count) {
    const size_t tag_count = hmac_tag_count(state->function);
    for (uint32_t number = 1; derived_count > 0; number++) {
        const uint8_t index[4] = {
            (uint8_t)(number >> 24), (uint8_t)(number >> 16), (uint8_t)(number >> 8), (uint8_t)number};
        hmac_add(state, salt, salt_count);
        hmac_add(state, index, sizeof index);
        hmac_finish(state, state->work.tag);
        memcpy(state->sum, state->work.tag, tag_count);
        for (uint32_t round = 1; round < rounds; round++) {
            hmac_add(state, state->work.tag, tag_count);
            hmac_finish(state, state->work.tag);
            for (size_t at = 0; at < tag_count; at++) state->sum[at] ^= state->work.tag[at];
        }
        const size_t taken = derived_count < tag_count ? derived_count : tag_count;
        memcpy(derived, state->sum, taken);
        derived += taken;
        derived_count -= taken;
    }
}
