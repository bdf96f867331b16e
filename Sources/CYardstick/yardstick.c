#include "yardstick.h"

#include <secp256k1.h>
#include <secp256k1_recovery.h>

static int nonce(unsigned char *nonce32, const unsigned char *message, const unsigned char *key,
                 const unsigned char *algorithm, void *counter, unsigned int attempt) {
    (void)attempt;
    ++*(unsigned int *)counter;
    return secp256k1_nonce_function_rfc6979(nonce32, message, key, algorithm, NULL, *(unsigned int *)counter);
}

static int is_shortest(const uint8_t *number) { return !(number[0] & 0x80) && (number[0] || (number[1] & 0x80)); }

int yardstick_sign(const uint8_t scalar[32], uint8_t digest[32], size_t count) {
    secp256k1_context *context = secp256k1_context_create(SECP256K1_CONTEXT_NONE);
    int result = 0;
    for (size_t i = 0; i < count && result == 0; i++) {
        for (int byte = 31; byte >= 0 && ++digest[byte] == 0; byte--) {
        }
        unsigned int counter = 0;
        uint8_t compact[64];
        do {
            secp256k1_ecdsa_recoverable_signature signature;
            int recovery_id;
            if (!secp256k1_ecdsa_sign_recoverable(context, &signature, digest, scalar, nonce, &counter)) {
                result = -1;
                break;
            }
            secp256k1_ecdsa_recoverable_signature_serialize_compact(context, compact, &recovery_id, &signature);
        } while (!is_shortest(compact) || !is_shortest(compact + 32));
    }
    secp256k1_context_destroy(context);
    return result;
}
