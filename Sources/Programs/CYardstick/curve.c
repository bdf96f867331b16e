#include "yardstick.h"

#include <secp256k1.h>
#include <secp256k1_recovery.h>
#include <string.h>
#include <sys/random.h>

/// The context is created as in the product: without its own tables, blinded by a random seed.
static secp256k1_context *context(void) {
    static secp256k1_context *context;
    unsigned char seed[32];
    if (context) return context;
    context = secp256k1_context_create(SECP256K1_CONTEXT_NONE);
    if (getrandom(seed, sizeof seed, 0) != sizeof seed || !secp256k1_context_randomize(context, seed)) return NULL;
    return context;
}

static int nonce(unsigned char *nonce32, const unsigned char *message, const unsigned char *key,
                 const unsigned char *algorithm, void *counter, unsigned int attempt) {
    (void)attempt;
    ++*(unsigned int *)counter;
    return secp256k1_nonce_function_rfc6979(nonce32, message, key, algorithm, NULL, *(unsigned int *)counter);
}

static int is_shortest(const uint8_t *number) { return !(number[0] & 0x80) && (number[0] || (number[1] & 0x80)); }

/// One signature: header byte, r, s.
static int sign(const uint8_t scalar[32], const uint8_t digest[32], uint8_t compact[65]) {
    unsigned int counter = 0;
    secp256k1_ecdsa_recoverable_signature signature;
    int recovery_id;
    do {
        if (!secp256k1_ecdsa_sign_recoverable(context(), &signature, digest, scalar, nonce, &counter)) return -1;
        secp256k1_ecdsa_recoverable_signature_serialize_compact(context(), compact + 1, &recovery_id, &signature);
    } while (!is_shortest(compact + 1) || !is_shortest(compact + 33));
    compact[0] = (uint8_t)(27 + 4 + recovery_id);
    return 0;
}

static int serialize(const secp256k1_pubkey *key, uint8_t point[33]) {
    size_t size = 33;
    return secp256k1_ec_pubkey_serialize(context(), point, &size, key, SECP256K1_EC_COMPRESSED) ? 0 : -1;
}

static int recover(const uint8_t compact[65], const uint8_t digest[32], uint8_t point[33]) {
    secp256k1_ecdsa_recoverable_signature signature;
    secp256k1_pubkey key;
    if (!secp256k1_ecdsa_recoverable_signature_parse_compact(context(), &signature, compact + 1, compact[0] - 31))
        return -1;
    if (!secp256k1_ecdsa_recover(context(), &key, &signature, digest)) return -1;
    return serialize(&key, point);
}

int yardstick_sign(const uint8_t scalar[32], const uint8_t *digests, size_t count) {
    uint8_t compact[65];
    for (size_t i = 0; i < count; i++) {
        if (sign(scalar, digests + 32 * i, compact) != 0) return -1;
    }
    return 0;
}

int yardstick_sign_checked(const uint8_t scalar[32], const uint8_t point[33], const uint8_t *digests, size_t count) {
    uint8_t compact[65], recovered[33];
    for (size_t i = 0; i < count; i++) {
        if (sign(scalar, digests + 32 * i, compact) != 0) return -1;
        if (recover(compact, digests + 32 * i, recovered) != 0 || memcmp(recovered, point, 33) != 0) return -1;
    }
    return 0;
}

int yardstick_derive(const uint8_t scalar[32], uint8_t point[33], size_t count) {
    secp256k1_pubkey key;
    for (size_t i = 0; i < count; i++) {
        if (!secp256k1_ec_pubkey_create(context(), &key, scalar) || serialize(&key, point) != 0) return -1;
    }
    return 0;
}

int yardstick_recover(const uint8_t signature[65], const uint8_t digest[32], uint8_t point[33], size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (recover(signature, digest, point) != 0) return -1;
    }
    return 0;
}
