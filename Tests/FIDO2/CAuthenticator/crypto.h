// Cryptography of the authenticator, by libcrypto.
#ifndef AUTHENTICATOR_CRYPTO_H
#define AUTHENTICATOR_CRYPTO_H

#include <stddef.h>
#include <stdint.h>

void random_bytes(void *bytes, size_t count);
void sha256_of(const void *bytes, size_t count, uint8_t digest[32]);
void hmac_sha256(const void *key, size_t key_count, const void *message, size_t count, uint8_t tag[32]);

/// The public point of a private key.
void public_point(const uint8_t scalar[32], uint8_t point[64]);
/// x of the product. Returns 1, or 0 if the point is not on the curve.
int multiply_point(const uint8_t scalar[32], const uint8_t point[64], uint8_t x[32]);
/// Makes a scalar from random bytes, which are changed until they are one.
void make_scalar(uint8_t scalar[32]);
/// Signs a digest; the signature in DER has at most 80 bytes. Returns their number.
size_t sign_digest(const uint8_t scalar[32], const uint8_t digest[32], uint8_t *signature);

/// The agreed keys of a PIN/UV auth protocol.
struct agreed {
    int protocol;
    uint8_t aes[32], hmac[32];
};

void derive_keys(struct agreed *keys, int protocol, const uint8_t x[32]);
/// AES-256-CBC. Returns the number of bytes.
size_t encrypt_blocks(const struct agreed *keys, const uint8_t *plain, size_t count, uint8_t *cipher);
size_t decrypt_blocks(const struct agreed *keys, const uint8_t *cipher, size_t count, uint8_t *plain);
/// Returns 1 if the code is the one of the message.
int is_code(
    int protocol, const uint8_t *key, size_t key_count, const uint8_t *message, size_t count,
    const uint8_t *code, size_t code_count);

#endif
