#include "scrypt.h"

#include <sodium.h>

int scrypt_derive(
    const uint8_t *password, size_t password_count, const uint8_t *salt, size_t salt_count, uint64_t n,
    uint32_t r, uint32_t p, uint8_t *key, size_t key_count
) {
    static const uint8_t nothing;
    return crypto_pwhash_scryptsalsa208sha256_ll(
               password == NULL ? &nothing : password, password_count, salt == NULL ? &nothing : salt, salt_count,
               n, r, p, key, key_count)
        == 0;
}
