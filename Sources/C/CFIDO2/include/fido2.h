// The secrets of a conversation with a FIDO2 authenticator: the PIN/UV auth protocols 1 and 2 of
// CTAP 2.1, sections 6.5.6 and 6.5.7, and the values of the hmac-secret extension, section 12.5.
//
// All secrets and all intermediate values are in a `struct fido2_session`, which the caller
// allocates in guarded memory and wipes. No function uses the heap. Timing depends on no secret.
// What remains on the stack and in registers is for `wipeScratch`.
#ifndef EOSVAULT_FIDO2_H
#define EOSVAULT_FIDO2_H

#include <stddef.h>
#include <stdint.h>

enum {
    /// The longest ciphertext that is made: an IV and two blocks.
    FIDO2_CIPHER_MAXIMUM = 48,
    FIDO2_TAG_MAXIMUM = 32,
};

struct fido2_session;

/// The bytes of a session; a multiple of its alignment. A new session is zero bytes.
size_t fido2_session_count(void);

/// Agrees on a secret with the authenticator's key, by a new key.
/// point: x and y of the authenticator's key. public_key: receives x and y of the new key.
/// Returns 1, or 0 if the point is not on the curve.
int fido2_agree(struct fido2_session *session, const uint8_t point[64], uint8_t public_key[64]);

/// The same with a given private key, for published test vectors.
int fido2_agree_with(
    struct fido2_session *session, const uint8_t scalar[32], const uint8_t point[64], uint8_t public_key[64]);

/// The x coordinate that `fido2_agree` made: 32 bytes.
const uint8_t *fido2_shared_x(const struct fido2_session *session);

/// Derives the keys of the session from `fido2_shared_x`. protocol: 1 or 2.
void fido2_derive(struct fido2_session *session, int protocol);

/// Encrypts the first 16 bytes of the SHA-256 of a PIN for getPinToken.
/// cipher: receives 16 bytes (protocol 1) or 32 (protocol 2). Returns their number.
size_t fido2_encrypt_pin(
    struct fido2_session *session, int protocol, const uint8_t *pin, size_t count, uint8_t *cipher);

/// Encrypts the 32 bytes of a salt. cipher: receives 32 or 48 bytes. Returns their number.
size_t fido2_encrypt_salt(
    struct fido2_session *session, int protocol, const uint8_t salt[32], uint8_t *cipher);

/// Decrypts the answer of getPinToken. Returns 1, or 0 if its length is wrong.
int fido2_take_token(struct fido2_session *session, int protocol, const uint8_t *cipher, size_t count);

/// Decrypts the output of hmac-secret for one salt.
/// output: receives 32 bytes. Returns 1, or 0 if the length is wrong.
int fido2_take_output(
    struct fido2_session *session, int protocol, const uint8_t *cipher, size_t count, uint8_t output[32]);

/// Authenticates a message with the token, or with the agreed secret.
/// with_token: 1 for the token. tag: receives 16 bytes (protocol 1) or 32. Returns their number.
size_t fido2_authenticate(
    struct fido2_session *session, int protocol, int with_token, const uint8_t *message, size_t count,
    uint8_t *tag);

/// Verifies an ES256 signature in DER. Returns 1 if it is valid.
int fido2_verify(
    const uint8_t point[64], const uint8_t *signed_bytes, size_t signed_count, const uint8_t *der,
    size_t count);

#endif
