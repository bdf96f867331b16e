// AES without tables, and without branches and addresses that depend on a secret: FIPS 197.
#ifndef EOSVAULT_AES_H
#define EOSVAULT_AES_H

#include <stddef.h>
#include <stdint.h>

enum { AES_BLOCK_BYTES = 16 };

/// The schedule of a key: 11 round keys of 16 bytes for AES-128, 15 for AES-256, 71 for the key of
/// 256 bytes that Anchor uses. It is a secret: the caller keeps it in guarded memory, and wipes it.
struct aes {
    uint8_t round_keys[71][AES_BLOCK_BYTES];
    int rounds;
};

/// Expands a key: FIPS 197, section 5.2. A key of Nk words has Nk + 6 rounds. FIPS 197 ends at Nk =
/// 8; crypto-js applies its rule to any Nk.
/// count: 16, 32 or 256 bytes.
void aes_expand(struct aes *aes, const uint8_t *key, size_t count);
void aes_encrypt(const struct aes *aes, uint8_t block[AES_BLOCK_BYTES]);
void aes_decrypt(const struct aes *aes, uint8_t block[AES_BLOCK_BYTES]);

/// CBC: NIST SP 800-38A, section 6.2. `plain` may be `cipher`.
/// count: a multiple of 16 bytes.
void aes_cbc_encrypt(
    const struct aes *aes, const uint8_t iv[AES_BLOCK_BYTES], const uint8_t *plain, size_t count,
    uint8_t *cipher);
void aes_cbc_decrypt(
    const struct aes *aes, const uint8_t iv[AES_BLOCK_BYTES], const uint8_t *cipher, size_t count,
    uint8_t *plain);

/// The number of bytes of PKCS #7 padding at the end of decrypted bytes: RFC 5652, section 6.3. The
/// time depends on `count` only.
/// count: a multiple of 16 bytes, not 0.
/// Returns 1 to 16, or 0 for bytes that do not end with padding.
unsigned aes_padding(const uint8_t *plain, size_t count);

/// The state of GCM: a secret, which the caller keeps in guarded memory, and wipes.
struct aes_gcm {
    /// The subkey of the hash, and the hash so far.
    uint64_t subkey[2], hash[2];
    uint8_t counter[AES_BLOCK_BYTES], mask[AES_BLOCK_BYTES];
};

/// Compares the tag of GCM without associated data: NIST SP 800-38D, section 7.2.
/// tag_count: 4 to 16 bytes.
/// Returns 0 if the tag is right. The result is a secret until the caller decides on it.
unsigned aes_gcm_compare(
    struct aes_gcm *gcm, const struct aes *aes, const uint8_t *iv, size_t iv_count, const uint8_t *cipher,
    size_t count, const uint8_t *tag, size_t tag_count);

/// Decrypts after the tag was compared. `plain` may be `cipher`.
void aes_gcm_decrypt(
    struct aes_gcm *gcm, const struct aes *aes, const uint8_t *cipher, size_t count, uint8_t *plain);

#endif
