// scrypt: RFC 7914.
#ifndef EOSVAULT_SCRYPT_H
#define EOSVAULT_SCRYPT_H

#include <stddef.h>
#include <stdint.h>

/// libsodium's function, for which no argument may be NULL.
/// password: may be NULL if its count is 0.
/// Returns 1, or 0 if there is no memory.
int scrypt_derive(
    const uint8_t *password, size_t password_count, const uint8_t *salt, size_t salt_count, uint64_t n,
    uint32_t r, uint32_t p, uint8_t *key, size_t key_count);

#endif
