#define OPENSSL_SUPPRESS_DEPRECATED
#include "crypto.h"

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/obj_mac.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <stdlib.h>
#include <string.h>

#define MUST(call) \
    do { \
        if (!(call)) abort(); \
    } while (0)

void random_bytes(void *bytes, size_t count) { MUST(RAND_bytes(bytes, (int)count) == 1); }

void sha256_of(const void *bytes, size_t count, uint8_t digest[32]) { SHA256(bytes, count, digest); }

void hmac_sha256(const void *key, size_t key_count, const void *message, size_t count, uint8_t tag[32]) {
    unsigned length = 32;
    MUST(HMAC(EVP_sha256(), key, (int)key_count, message, count, tag, &length));
}

static EC_GROUP *curve(void) {
    EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    MUST(group);
    return group;
}

static void write_point(const EC_GROUP *group, const EC_POINT *product, uint8_t point[64]) {
    uint8_t encoded[65];
    MUST(
        EC_POINT_point2oct(group, product, POINT_CONVERSION_UNCOMPRESSED, encoded, sizeof encoded, NULL) ==
        65);
    memcpy(point, encoded + 1, 64);
}

void public_point(const uint8_t scalar[32], uint8_t point[64]) {
    EC_GROUP *group = curve();
    BIGNUM *number = BN_bin2bn(scalar, 32, NULL);
    EC_POINT *product = EC_POINT_new(group);
    MUST(EC_POINT_mul(group, product, number, NULL, NULL, NULL));
    write_point(group, product, point);
    EC_POINT_free(product);
    BN_free(number);
    EC_GROUP_free(group);
}

int multiply_point(const uint8_t scalar[32], const uint8_t point[64], uint8_t x[32]) {
    EC_GROUP *group = curve();
    BIGNUM *number = BN_bin2bn(scalar, 32, NULL);
    EC_POINT *product = EC_POINT_new(group);
    uint8_t encoded[65] = {4}, result[64];
    memcpy(encoded + 1, point, 64);
    int is_point = EC_POINT_oct2point(group, product, encoded, sizeof encoded, NULL);
    if (is_point) {
        MUST(EC_POINT_mul(group, product, NULL, product, number, NULL));
        write_point(group, product, result);
        memcpy(x, result, 32);
    }
    EC_POINT_free(product);
    BN_free(number);
    EC_GROUP_free(group);
    return is_point;
}

void make_scalar(uint8_t scalar[32]) {
    EC_GROUP *group = curve();
    BIGNUM *number = BN_bin2bn(scalar, 32, NULL);
    while (BN_is_zero(number) || BN_cmp(number, EC_GROUP_get0_order(group)) >= 0) {
        sha256_of(scalar, 32, scalar);
        MUST(BN_bin2bn(scalar, 32, number));
    }
    BN_free(number);
    EC_GROUP_free(group);
}

size_t sign_digest(const uint8_t scalar[32], const uint8_t digest[32], uint8_t *signature) {
    EC_KEY *key = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1);
    BIGNUM *number = BN_bin2bn(scalar, 32, NULL);
    MUST(key && number && EC_KEY_set_private_key(key, number));
    unsigned count = 80;
    MUST(ECDSA_sign(0, digest, 32, signature, &count, key));
    BN_free(number);
    EC_KEY_free(key);
    return count;
}

static void expand(const uint8_t x[32], const char *info, uint8_t key[32]) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, NULL);
    static const uint8_t salt[32] = {0};
    size_t count = 32;
    MUST(context && EVP_PKEY_derive_init(context) > 0);
    MUST(EVP_PKEY_CTX_set_hkdf_md(context, EVP_sha256()) > 0);
    MUST(EVP_PKEY_CTX_set1_hkdf_salt(context, salt, sizeof salt) > 0);
    MUST(EVP_PKEY_CTX_set1_hkdf_key(context, x, 32) > 0);
    MUST(EVP_PKEY_CTX_add1_hkdf_info(context, (const unsigned char *)info, (int)strlen(info)) > 0);
    MUST(EVP_PKEY_derive(context, key, &count) > 0);
    EVP_PKEY_CTX_free(context);
}

void derive_keys(struct agreed *keys, int protocol, const uint8_t x[32]) {
    keys->protocol = protocol;
    if (protocol == 1) {
        sha256_of(x, 32, keys->aes);
        memcpy(keys->hmac, keys->aes, 32);
    } else {
        expand(x, "CTAP2 AES key", keys->aes);
        expand(x, "CTAP2 HMAC key", keys->hmac);
    }
}

static size_t cipher_bytes(
    const uint8_t key[32], const uint8_t iv[16], int encrypts, const uint8_t *input, size_t count,
    uint8_t *output) {
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int first = 0, last = 0;
    MUST(context && EVP_CipherInit_ex(context, EVP_aes_256_cbc(), NULL, key, iv, encrypts));
    EVP_CIPHER_CTX_set_padding(context, 0);
    int done = EVP_CipherUpdate(context, output, &first, input, (int)count) &&
               EVP_CipherFinal_ex(context, output + first, &last);
    EVP_CIPHER_CTX_free(context);
    return done ? (size_t)(first + last) : 0;
}

size_t encrypt_blocks(const struct agreed *keys, const uint8_t *plain, size_t count, uint8_t *cipher) {
    uint8_t iv[16] = {0};
    if (keys->protocol == 1) return cipher_bytes(keys->aes, iv, 1, plain, count, cipher);
    random_bytes(iv, sizeof iv);
    memcpy(cipher, iv, 16);
    return 16 + cipher_bytes(keys->aes, iv, 1, plain, count, cipher + 16);
}

size_t decrypt_blocks(const struct agreed *keys, const uint8_t *cipher, size_t count, uint8_t *plain) {
    static const uint8_t zeros[16] = {0};
    if (count > 256) return 0;
    if (keys->protocol == 1) return cipher_bytes(keys->aes, zeros, 0, cipher, count, plain);
    return count < 16 ? 0 : cipher_bytes(keys->aes, cipher, 0, cipher + 16, count - 16, plain);
}

int is_code(
    int protocol, const uint8_t *key, size_t key_count, const uint8_t *message, size_t count,
    const uint8_t *code, size_t code_count) {
    uint8_t tag[32];
    hmac_sha256(key, key_count, message, count, tag);
    return code_count == (protocol == 1 ? 16u : 32u) && memcmp(tag, code, code_count) == 0;
}
