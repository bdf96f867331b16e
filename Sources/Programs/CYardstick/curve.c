#include "yardstick.h"

#include <secp256k1.h>
#include <secp256k1_recovery.h>
#include <sqlite3.h>
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

/// Makes a file with a table of a blob each, and begins to insert.
static sqlite3 *begin_rows(const char *path, sqlite3_stmt **insert) {
    sqlite3 *file = NULL;
    if (sqlite3_open_v2(path, &file, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) == SQLITE_OK &&
        sqlite3_exec(file, "CREATE TABLE rows (id INTEGER PRIMARY KEY, name BLOB, bytes BLOB); BEGIN", NULL, NULL,
                     NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(file, "INSERT INTO rows (name, bytes) VALUES (?, randomblob(72))", -1, insert, NULL) ==
            SQLITE_OK) {
        return file;
    }
    sqlite3_close(file);
    return NULL;
}

static int add_row(sqlite3_stmt *insert, const uint8_t *bytes, int count) {
    if (sqlite3_bind_blob(insert, 1, bytes, count, SQLITE_STATIC) != SQLITE_OK || sqlite3_step(insert) != SQLITE_DONE)
        return -1;
    return sqlite3_reset(insert) == SQLITE_OK ? 0 : -1;
}

static int end_rows(sqlite3 *file, sqlite3_stmt *insert, int result) {
    sqlite3_finalize(insert);
    if (sqlite3_exec(file, "COMMIT", NULL, NULL, NULL) != SQLITE_OK) result = -1;
    sqlite3_close(file);
    return result;
}

int yardstick_sign_rows(const char *path, const uint8_t scalar[32], const uint8_t point[33], const uint8_t *digests,
                        size_t count) {
    sqlite3_stmt *insert = NULL;
    sqlite3 *file = begin_rows(path, &insert);
    int result = file ? 0 : -1;
    if (!file) return -1;
    for (size_t i = 0; i < count && result == 0; i++) {
        uint8_t compact[65], recovered[33];
        if (sign(scalar, digests + 32 * i, compact) != 0 || recover(compact, digests + 32 * i, recovered) != 0 ||
            memcmp(recovered, point, 33) != 0 || add_row(insert, compact, sizeof compact) != 0)
            result = -1;
    }
    return end_rows(file, insert, result);
}

int yardstick_derive_rows(const char *path, size_t count) {
    sqlite3_stmt *insert = NULL;
    sqlite3 *file = begin_rows(path, &insert);
    int result = file ? 0 : -1;
    if (!file) return -1;
    for (size_t i = 1; i <= count && result == 0; i++) {
        uint8_t scalar[32] = {0}, point[33];
        secp256k1_pubkey key;
        for (int byte = 0; byte < 4; byte++) scalar[31 - byte] = (uint8_t)(i >> (8 * byte));
        if (!secp256k1_ec_pubkey_create(context(), &key, scalar) || serialize(&key, point) != 0 ||
            add_row(insert, point, sizeof point) != 0)
            result = -1;
    }
    return end_rows(file, insert, result);
}
