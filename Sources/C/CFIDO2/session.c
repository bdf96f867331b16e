#include "session.h"

#include "p256.h"

#include <string.h>

size_t fido2_session_count(void) { return sizeof(struct fido2_session); }

const uint8_t *fido2_shared_x(const struct fido2_session *session) { return session->shared_x; }

int fido2_agree(struct fido2_session *session, const uint8_t point[64], uint8_t public_key[64]) {
    return p256_agree(point, public_key, session->shared_x);
}

int fido2_agree_with(
    struct fido2_session *session, const uint8_t scalar[32], const uint8_t point[64],
    uint8_t public_key[64]) {
    return p256_agree_with(scalar, point, public_key, session->shared_x);
}

/// HMAC-SHA-256 of a message with a key.
static void authenticate(
    struct fido2_session *session, const uint8_t *key, size_t key_count, const uint8_t *message, size_t count,
    uint8_t tag[32]) {
    crypto_auth_hmacsha256_init(&session->hmac, key, key_count);
    crypto_auth_hmacsha256_update(&session->hmac, message, count);
    crypto_auth_hmacsha256_final(&session->hmac, tag);
}

void fido2_derive(struct fido2_session *session, int protocol) {
    if (protocol == 1) {
        crypto_hash_sha256_init(&session->hash);
        crypto_hash_sha256_update(&session->hash, session->shared_x, sizeof session->shared_x);
        crypto_hash_sha256_final(&session->hash, session->hmac_key);
        memcpy(session->aes_key, session->hmac_key, sizeof session->aes_key);
    } else {
        // HKDF (RFC 5869) with a salt of 32 zero bytes and one block of output.
        static const uint8_t salt[32] = {0};
        static const uint8_t of_hmac[] = "CTAP2 HMAC key\x01", of_aes[] = "CTAP2 AES key\x01";
        authenticate(session, salt, sizeof salt, session->shared_x, sizeof session->shared_x, session->tag);
        authenticate(session, session->tag, 32, of_hmac, sizeof of_hmac - 1, session->hmac_key);
        authenticate(session, session->tag, 32, of_aes, sizeof of_aes - 1, session->aes_key);
    }
    aes_expand(&session->aes, session->aes_key, sizeof session->aes_key);
}

/// AES-256-CBC without padding, of a multiple of 16 bytes. Protocol 1 has an IV of zeros, protocol
/// 2 writes a random IV before the blocks.
static size_t encrypt(
    struct fido2_session *session, int protocol, const uint8_t *plain, size_t count, uint8_t *cipher) {
    const size_t start = protocol == 1 ? 0 : FIDO2_BLOCK;
    memset(session->block, 0, FIDO2_BLOCK);
    randombytes_buf(session->block, start);
    memcpy(cipher, session->block, start);
    for (size_t done = 0; done < count; done += FIDO2_BLOCK) {
        for (int at = 0; at < FIDO2_BLOCK; at++) session->block[at] ^= plain[done + at];
        aes_encrypt(&session->aes, session->block);
        memcpy(cipher + start + done, session->block, FIDO2_BLOCK);
    }
    return start + count;
}

/// The inverse of `encrypt`, into `plain` of the session. Returns the number of bytes; 0 if the
/// length is wrong.
static size_t decrypt(struct fido2_session *session, int protocol, const uint8_t *cipher, size_t count) {
    static const uint8_t zeros[FIDO2_BLOCK] = {0};
    const uint8_t *before = zeros;
    if (protocol != 1) {
        if (count < FIDO2_BLOCK) return 0;
        before = cipher;
        cipher += FIDO2_BLOCK;
        count -= FIDO2_BLOCK;
    }
    if (count > sizeof session->plain || count % FIDO2_BLOCK != 0) return 0;
    for (size_t done = 0; done < count; done += FIDO2_BLOCK) {
        uint8_t *block = session->plain + done;
        memcpy(block, cipher + done, FIDO2_BLOCK);
        aes_decrypt(&session->aes, block);
        for (int at = 0; at < FIDO2_BLOCK; at++) block[at] ^= before[at];
        before = cipher + done;
    }
    return count;
}

size_t fido2_encrypt_pin(
    struct fido2_session *session, int protocol, const uint8_t *pin, size_t count, uint8_t *cipher) {
    crypto_hash_sha256_init(&session->hash);
    crypto_hash_sha256_update(&session->hash, pin, count);
    crypto_hash_sha256_final(&session->hash, session->pin_hash);
    return encrypt(session, protocol, session->pin_hash, 16, cipher);
}

size_t fido2_encrypt_salt(
    struct fido2_session *session, int protocol, const uint8_t salt[32], uint8_t *cipher) {
    return encrypt(session, protocol, salt, 32, cipher);
}

int fido2_take_token(struct fido2_session *session, int protocol, const uint8_t *cipher, size_t count) {
    const size_t length = decrypt(session, protocol, cipher, count);
    // Protocol 1 has tokens of 16 or 32 bytes, protocol 2 of 32.
    if (length != 32 && !(protocol == 1 && length == 16)) return 0;
    memcpy(session->token, session->plain, length);
    session->token_count = length;
    return 1;
}

int fido2_take_output(
    struct fido2_session *session, int protocol, const uint8_t *cipher, size_t count, uint8_t output[32]) {
    if (decrypt(session, protocol, cipher, count) != 32) return 0;
    memcpy(output, session->plain, 32);
    return 1;
}

size_t fido2_authenticate(
    struct fido2_session *session, int protocol, int with_token, const uint8_t *message, size_t count,
    uint8_t *tag) {
    const uint8_t *key = with_token ? session->token : session->hmac_key;
    authenticate(session, key, with_token ? session->token_count : 32, message, count, session->tag);
    const size_t length = protocol == 1 ? 16 : 32;
    memcpy(tag, session->tag, length);
    return length;
}

int fido2_verify(
    const uint8_t point[64], const uint8_t *signed_bytes, size_t signed_count, const uint8_t *der,
    size_t count) {
    uint8_t digest[32];
    crypto_hash_sha256(digest, signed_bytes, signed_count);
    return p256_verify(point, digest, der, count);
}
