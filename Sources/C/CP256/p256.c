// OpenSSL 3 deprecates ECDSA_verify; its successor takes a key that must be encoded first.
#define OPENSSL_SUPPRESS_DEPRECATED
// Else OPENSSL_malloc puts the path of this file into the program.
#define OPENSSL_NO_FILENAMES
#include "p256.h"

#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/obj_mac.h>
#include <sodium.h>

enum { COORDINATE = 32, POINT = 2 * COORDINATE };

/// A point of the curve, or NULL. EC_POINT_oct2point checks the equation of the curve.
static EC_POINT *new_point(const EC_GROUP *group, const uint8_t bytes[POINT], BN_CTX *context) {
    uint8_t encoded[1 + POINT] = {POINT_CONVERSION_UNCOMPRESSED};
    for (size_t index = 0; index < POINT; index++) encoded[1 + index] = bytes[index];
    EC_POINT *point = EC_POINT_new(group);
    if (point && EC_POINT_oct2point(group, point, encoded, sizeof encoded, context) == 1) return point;
    EC_POINT_free(point);
    return NULL;
}

/// libcrypto copies the scalar to the heap to multiply a point, and frees the copy without wiping
/// it (p_str of ecp_nistz256_windowed_mul, 33 bytes). The allocator returns that memory first.
static void wipe_freed_scalar(void) {
    enum { BLOCKS = 32, BYTES = 33 };
    void *blocks[BLOCKS];
    for (size_t index = 0; index < BLOCKS; index++) {
        blocks[index] = OPENSSL_malloc(BYTES);
        if (blocks[index]) OPENSSL_cleanse(blocks[index], BYTES);
    }
    for (size_t index = BLOCKS; index-- > 0;) OPENSSL_free(blocks[index]);
}

/// Writes the coordinates; y may be NULL.
static int write_point(
    const EC_GROUP *group, const EC_POINT *point, uint8_t *x_bytes, uint8_t *y_bytes, BN_CTX *context) {
    BIGNUM *x = BN_secure_new(), *y = BN_secure_new();
    int done = x && y && EC_POINT_get_affine_coordinates(group, point, x, y, context) == 1 &&
               BN_bn2binpad(x, x_bytes, COORDINATE) == COORDINATE &&
               (!y_bytes || BN_bn2binpad(y, y_bytes, COORDINATE) == COORDINATE);
    BN_clear_free(x);
    BN_clear_free(y);
    return done;
}

/// True if 0 < scalar < order, without a branch on the scalar.
static int is_scalar(const uint8_t scalar[COORDINATE], const EC_GROUP *group) {
    uint8_t order[COORDINATE];
    if (BN_bn2binpad(EC_GROUP_get0_order(group), order, COORDINATE) != COORDINATE) return 0;
    int32_t borrow = 0;
    uint32_t any = 0;
    for (size_t index = COORDINATE; index-- > 0;) {
        borrow = ((int32_t)scalar[index] - (int32_t)order[index] + borrow) >> 8;
        any |= scalar[index];
    }
    // The borrow is -1 if scalar < order. `any - 1` wraps to all ones if the scalar is 0.
    return (int)(((uint32_t)borrow & ~(any - 1)) >> 31);
}

static int agree(
    const EC_GROUP *group, const uint8_t *scalar, const uint8_t *point, uint8_t *public_key,
    uint8_t *shared_x, BN_CTX *context) {
    EC_POINT *other = new_point(group, point, context);
    EC_POINT *own = EC_POINT_new(group), *product = EC_POINT_new(group);
    BIGNUM *number = BN_secure_new();
    int done = other && own && product && number && BN_bin2bn(scalar, COORDINATE, number);
    if (done) {
        BN_set_flags(number, BN_FLG_CONSTTIME);
        // P-256 has the cofactor 1: the product of a point on the curve is not the point at
        // infinity.
        done = EC_POINT_mul(group, own, number, NULL, NULL, context) == 1 &&
               EC_POINT_mul(group, product, NULL, other, number, context) == 1;
        wipe_freed_scalar();
    }
    done = done && write_point(group, own, public_key, public_key + COORDINATE, context) &&
           write_point(group, product, shared_x, NULL, context);
    BN_clear_free(number);
    EC_POINT_clear_free(product);
    EC_POINT_clear_free(own);
    EC_POINT_free(other);
    return done;
}

int p256_agree_with(
    const uint8_t scalar[32], const uint8_t point[64], uint8_t public_key[64], uint8_t shared_x[32]) {
    EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    BN_CTX *context = BN_CTX_secure_new();
    int done = group && context && is_scalar(scalar, group) &&
               agree(group, scalar, point, public_key, shared_x, context);
    BN_CTX_free(context);
    EC_GROUP_free(group);
    if (!done) sodium_memzero(shared_x, COORDINATE);
    return done;
}

int p256_agree(const uint8_t point[64], uint8_t public_key[64], uint8_t shared_x[32]) {
    EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    BN_CTX *context = BN_CTX_secure_new();
    int done = group && context;
    // The guarded memory of the result contains the private key until the multiplication has a
    // copy. One number in 2^32 is out of range.
    if (done) {
        do randombytes_buf(shared_x, COORDINATE);
        while (!is_scalar(shared_x, group));
        done = agree(group, shared_x, point, public_key, shared_x, context);
    }
    BN_CTX_free(context);
    EC_GROUP_free(group);
    if (!done) sodium_memzero(shared_x, COORDINATE);
    return done;
}

int p256_verify(const uint8_t point[64], const uint8_t digest[32], const uint8_t *der, size_t count) {
    // A signature has at most 72 bytes (two integers of 33 bytes).
    if (count == 0 || count > 72) return 0;
    EC_KEY *key = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1);
    EC_POINT *public_point = key ? new_point(EC_KEY_get0_group(key), point, NULL) : NULL;
    // ECDSA_verify refuses a signature that it would encode in another way.
    int valid = public_point && EC_KEY_set_public_key(key, public_point) == 1 &&
                ECDSA_verify(0, digest, 32, der, (int)count, key) == 1;
    EC_POINT_free(public_point);
    EC_KEY_free(key);
    return valid;
}
