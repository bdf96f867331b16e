// AES without tables, and without branches and addresses that depend on a secret: FIPS 197.
#ifndef EOSVAULT_AES_H
#define EOSVAULT_AES_H

#include <stddef.h>
#include <stdint.h>

/// The schedule of a key: 11 round keys of 16 bytes for AES-128, 15 for AES-256. It is a secret:
/// the caller keeps it in guarded memory, and wipes it.
struct aes {
    uint8_t round_keys[15][16];
    int rounds;
};

/// Expands a key: FIPS 197, section 5.2.
/// count: 16 or 32 bytes.
void aes_expand(struct aes *aes, const uint8_t *key, size_t count);
void aes_encrypt(const struct aes *aes, uint8_t block[16]);
void aes_decrypt(const struct aes *aes, uint8_t block[16]);

#endif
