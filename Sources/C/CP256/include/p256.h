// ECDH and signature checks on P-256 (FIPS 186-4, D.1.2.3), by libcrypto. LibCrypto.start is called
// before.
#ifndef EOSVAULT_P256_H
#define EOSVAULT_P256_H

#include <stddef.h>
#include <stdint.h>

/// Makes an ephemeral key and agrees with a public key (SP 800-56A, 5.7.1.2).
/// point, public_key: x and y, most significant byte first.
/// shared_x: in guarded memory: x of the product, a secret. It is zero after a failure.
/// Returns 1, or 0 if the point is not on the curve or libcrypto has no memory.
int p256_agree(const uint8_t point[64], uint8_t public_key[64], uint8_t shared_x[32]);

/// The same with a given private key, from 1 to the order - 1, in guarded memory. Returns 0 for any
/// other number.
int p256_agree_with(
    const uint8_t scalar[32], const uint8_t point[64], uint8_t public_key[64], uint8_t shared_x[32]);

/// Verifies an ECDSA signature. All arguments are public.
/// der: the signature in DER, strictly and without trailing bytes.
/// Returns 1 if the signature is valid, 0 if not.
int p256_verify(const uint8_t point[64], const uint8_t digest[32], const uint8_t *der, size_t count);

#endif
