// The memory of a session.
#ifndef EOSVAULT_FIDO2_SESSION_H
#define EOSVAULT_FIDO2_SESSION_H

#include "aes.h"
#include "fido2.h"

#include <sodium.h>

enum { FIDO2_BLOCK = 16 };

// libsodium's guarded memory ends at the end of a page, so a session whose size is a multiple of 64
// has an address that is one, too.
struct fido2_session {
    /// The x coordinate of the agreed point.
    _Alignas(64) uint8_t shared_x[32];
    uint8_t hmac_key[32], aes_key[32];
    /// SHA-256 of the PIN; the authenticator gets the first half, encrypted.
    uint8_t pin_hash[32];
    uint8_t token[32];
    /// 16 or 32; 0 while there is no token.
    uint64_t token_count;
    /// The output of hmac-secret, or a token, decrypted.
    uint8_t plain[64];
    uint8_t block[FIDO2_BLOCK], tag[32];
    struct aes aes;
    crypto_auth_hmacsha256_state hmac;
    crypto_hash_sha256_state hash;
};

#endif
