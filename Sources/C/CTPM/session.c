#include "tpm.h"

#include "aes.h"
#include "p256.h"

#include <sodium.h>
#include <string.h>

enum { AES_KEY_BYTES = 16, AES_BLOCK = 16 };

struct tpm_session {
    /// The number that both sides agreed on, then the salt.
    uint8_t salt[TPM_DIGEST];
    /// The key of the session, then the authorization of the object.
    uint8_t key[2 * TPM_DIGEST];
    size_t key_count;
    uint8_t caller_nonce[TPM_DIGEST], tpm_nonce[TPM_DIGEST];
    /// The key and the initial vector of a parameter.
    uint8_t cipher[AES_KEY_BYTES + AES_BLOCK];
    struct aes aes;
    uint8_t sensitive[TPM_SENSITIVE];
    uint8_t hmac[TPM_DIGEST];
    crypto_hash_sha256_state hash;
    crypto_auth_hmacsha256_state mac;
};

size_t tpm_session_size(void) { return sizeof(struct tpm_session); }

static struct tpm_context context_of(const uint8_t *bytes, size_t count) {
    return (struct tpm_context){.bytes = bytes, .count = count};
}

void tpm_kdfe(
    struct tpm_session *session, struct tpm_context z, const char *label, struct tpm_context u,
    struct tpm_context v, uint8_t output[TPM_DIGEST]) {
    const uint8_t counter[4] = {0, 0, 0, 1};
    crypto_hash_sha256_init(&session->hash);
    crypto_hash_sha256_update(&session->hash, counter, sizeof counter);
    crypto_hash_sha256_update(&session->hash, z.bytes, z.count);
    // The label includes its final zero byte.
    crypto_hash_sha256_update(&session->hash, (const uint8_t *)label, strlen(label) + 1);
    crypto_hash_sha256_update(&session->hash, u.bytes, u.count);
    crypto_hash_sha256_update(&session->hash, v.bytes, v.count);
    crypto_hash_sha256_final(&session->hash, output);
    sodium_memzero(&session->hash, sizeof session->hash);
}

void tpm_kdfa(
    struct tpm_session *session, struct tpm_context key, const char *label, struct tpm_context u,
    struct tpm_context v, size_t bits, uint8_t *output) {
    const uint8_t counter[4] = {0, 0, 0, 1};
    const uint8_t bit_count[4] = {0, 0, (uint8_t)(bits >> 8), (uint8_t)bits};
    crypto_auth_hmacsha256_init(&session->mac, key.bytes, key.count);
    crypto_auth_hmacsha256_update(&session->mac, counter, sizeof counter);
    crypto_auth_hmacsha256_update(&session->mac, (const uint8_t *)label, strlen(label) + 1);
    crypto_auth_hmacsha256_update(&session->mac, u.bytes, u.count);
    crypto_auth_hmacsha256_update(&session->mac, v.bytes, v.count);
    crypto_auth_hmacsha256_update(&session->mac, bit_count, sizeof bit_count);
    crypto_auth_hmacsha256_final(&session->mac, session->hmac);
    memcpy(output, session->hmac, (bits + 7) / 8);
    sodium_memzero(session->hmac, sizeof session->hmac);
    sodium_memzero(&session->mac, sizeof session->mac);
}

int tpm_session_make_salt(struct tpm_session *session, const uint8_t point[64], uint8_t public_key[64]) {
    if (!p256_agree(point, public_key, session->salt)) return 0;
    tpm_kdfe(
        session, context_of(session->salt, TPM_DIGEST), "SECRET", context_of(public_key, TPM_DIGEST),
        context_of(point, TPM_DIGEST), session->salt);
    return 1;
}

void tpm_session_make_nonce(struct tpm_session *session, uint8_t nonce[TPM_DIGEST]) {
    randombytes_buf(session->caller_nonce, TPM_DIGEST);
    memcpy(nonce, session->caller_nonce, TPM_DIGEST);
}

void tpm_session_make_key(struct tpm_session *session, const uint8_t tpm_nonce[TPM_DIGEST]) {
    memcpy(session->tpm_nonce, tpm_nonce, TPM_DIGEST);
    tpm_kdfa(
        session, context_of(session->salt, TPM_DIGEST), "ATH", context_of(session->tpm_nonce, TPM_DIGEST),
        context_of(session->caller_nonce, TPM_DIGEST), 8 * TPM_DIGEST, session->key);
    session->key_count = TPM_DIGEST;
    sodium_memzero(session->salt, sizeof session->salt);
}

void tpm_session_authorize(struct tpm_session *session, const uint8_t authorization[TPM_DIGEST]) {
    memcpy(session->key + TPM_DIGEST, authorization, TPM_DIGEST);
    session->key_count = 2 * TPM_DIGEST;
}

/// AES-128-CFB of a parameter (Part 1, 21.3). The initial vector follows the key.
/// newer, older: the nonces. output: may be `input`.
static void convert(
    struct tpm_session *session, const uint8_t *newer, const uint8_t *older, int encrypts,
    const uint8_t *input, uint8_t *output, size_t count) {
    tpm_kdfa(
        session, context_of(session->key, session->key_count), "CFB", context_of(newer, TPM_DIGEST),
        context_of(older, TPM_DIGEST), 8 * sizeof session->cipher, session->cipher);
    uint8_t *block = session->cipher + AES_KEY_BYTES;
    aes_expand(&session->aes, session->cipher, AES_KEY_BYTES);
    for (size_t at = 0; at < count; at++) {
        if (at % AES_BLOCK == 0) aes_encrypt(&session->aes, block);
        const uint8_t from = input[at], to = from ^ block[at % AES_BLOCK];
        output[at] = to;
        // The next block is the encryption of this ciphertext.
        block[at % AES_BLOCK] = encrypts ? to : from;
    }
    sodium_memzero(&session->aes, sizeof session->aes);
    sodium_memzero(session->cipher, sizeof session->cipher);
}

void tpm_session_encrypt(
    struct tpm_session *session, const uint8_t authorization[TPM_DIGEST], const uint8_t secret[TPM_DIGEST],
    uint8_t encrypted[TPM_SENSITIVE]) {
    uint8_t *sensitive = session->sensitive;
    sensitive[0] = 0;
    sensitive[1] = TPM_DIGEST;
    memcpy(sensitive + 2, authorization, TPM_DIGEST);
    sensitive[2 + TPM_DIGEST] = 0;
    sensitive[3 + TPM_DIGEST] = TPM_DIGEST;
    memcpy(sensitive + 4 + TPM_DIGEST, secret, TPM_DIGEST);
    // Encrypted in place, so that no plaintext leaves this memory.
    convert(
        session, session->caller_nonce, session->tpm_nonce, 1, sensitive, sensitive, TPM_SENSITIVE);
    memcpy(encrypted, sensitive, TPM_SENSITIVE);
    sodium_memzero(sensitive, TPM_SENSITIVE);
}

/// HMAC over a digest, both nonces and the attributes of the session.
static void compute_hmac(
    struct tpm_session *session, const uint8_t *digest, const uint8_t *newer, const uint8_t *older,
    uint8_t attributes) {
    crypto_auth_hmacsha256_init(&session->mac, session->key, session->key_count);
    crypto_auth_hmacsha256_update(&session->mac, digest, TPM_DIGEST);
    crypto_auth_hmacsha256_update(&session->mac, newer, TPM_DIGEST);
    crypto_auth_hmacsha256_update(&session->mac, older, TPM_DIGEST);
    crypto_auth_hmacsha256_update(&session->mac, &attributes, 1);
    crypto_auth_hmacsha256_final(&session->mac, session->hmac);
    sodium_memzero(&session->mac, sizeof session->mac);
}

void tpm_session_prove(
    struct tpm_session *session, const uint8_t command_digest[TPM_DIGEST], uint8_t attributes,
    uint8_t hmac[TPM_DIGEST]) {
    compute_hmac(session, command_digest, session->caller_nonce, session->tpm_nonce, attributes);
    memcpy(hmac, session->hmac, TPM_DIGEST);
}

int tpm_session_compare(
    struct tpm_session *session, const uint8_t answer_digest[TPM_DIGEST], const uint8_t tpm_nonce[TPM_DIGEST],
    uint8_t attributes, const uint8_t hmac[TPM_DIGEST]) {
    memcpy(session->tpm_nonce, tpm_nonce, TPM_DIGEST);
    compute_hmac(session, answer_digest, session->tpm_nonce, session->caller_nonce, attributes);
    return sodium_memcmp(session->hmac, hmac, TPM_DIGEST);
}

void tpm_session_decrypt(
    struct tpm_session *session, const uint8_t encrypted[TPM_DIGEST], uint8_t secret[TPM_DIGEST]) {
    convert(session, session->tpm_nonce, session->caller_nonce, 0, encrypted, secret, TPM_DIGEST);
}
