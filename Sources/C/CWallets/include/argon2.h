// Argon2id with several lanes: RFC 9106. crypto_pwhash of libsodium has one lane.
#ifndef EOSVAULT_ARGON2_H
#define EOSVAULT_ARGON2_H

#include <stddef.h>
#include <stdint.h>

/// The cost of a derivation.
struct argon2_cost {
    uint32_t passes;
    /// At least 8 for each lane.
    uint32_t kibibytes;
    /// They are computed one after the other, in one thread.
    uint32_t lanes;
};

/// Derives a key of 32 bytes: version 0x13, without secret and associated data. The caller wipes
/// the stack. libsodium has been started.
/// Returns 1, or 0 if there is no memory.
int argon2id_derive(
    struct argon2_cost cost, const uint8_t *password, size_t password_count, const uint8_t *salt,
    size_t salt_count, uint8_t key[32]);

#endif
