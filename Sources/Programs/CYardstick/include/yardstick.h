// The baselines of the benchmark: the same work in plain C with the same static libraries, in the
// same run. The product does not contain this code. Functions that return an int return 0 or a
// count on success, and -1 when a library or the input fails.
#ifndef EOSVAULT_YARDSTICK_H
#define EOSVAULT_YARDSTICK_H

#include <stddef.h>
#include <stdint.h>

/// Signs `count` digests of 32 bytes each like libfc: it tries nonces from 1 until a signature is
/// canonical.
int yardstick_sign(const uint8_t scalar[32], const uint8_t *digests, size_t count);

/// Signs like `yardstick_sign`, recovers the key of each signature and compares it with `point`.
int yardstick_sign_checked(const uint8_t scalar[32], const uint8_t point[33], const uint8_t *digests, size_t count);

/// Derives the compressed public key, `count` times.
int yardstick_derive(const uint8_t scalar[32], uint8_t point[33], size_t count);

/// Recovers the compressed public key from a signature (header byte, r, s), `count` times.
int yardstick_recover(const uint8_t signature[65], const uint8_t digest[32], uint8_t point[33], size_t count);

/// Signs like `yardstick_sign_checked`, and inserts each signature in a new SQLite file, in one
/// transaction.
int yardstick_sign_rows(const char *path, const uint8_t scalar[32], const uint8_t point[33], const uint8_t *digests,
                        size_t count);

/// Derives the public keys of the scalars 1 to `count`, and inserts each with 72 random bytes in a
/// new SQLite file, in one transaction.
int yardstick_derive_rows(const char *path, size_t count);

/// Packs a token transfer: `{"from":"…","to":"…","quantity":"…","memo":"…"}`, without white space
/// and escapes, and with its keys in this order. It supports no other type and reads each byte
/// once, so its speed is an upper bound for a general codec.
/// - Returns: the number of bytes written, at most `room`.
int yardstick_pack_transfer(const char *json, size_t count, uint8_t *bytes, size_t room);

/// Unpacks a token transfer to JSON. It assumes that the memo needs no escapes.
int yardstick_unpack_transfer(const uint8_t *bytes, size_t count, char *json, size_t room);

/// Concatenates the chain id, the packed transaction and 32 zero bytes, and hashes them with
/// libcrypto.
/// - Parameter buffer: room for `count` + 64 bytes.
int yardstick_digest(const uint8_t chain[32], const uint8_t *packed, size_t count, uint8_t *buffer, uint8_t digest[32]);

/// Creates an SQLite file with `count` rows, each with a name ("key 0" and so on) as primary key
/// and 72 bytes.
int yardstick_make_rows(const char *path, size_t count);

/// Opens the file, selects the bytes of one name, and closes it.
/// - Returns: the number of bytes.
int yardstick_look_up(const char *path, const char *name);

/// True if SQLite's parser accepts the JSON text.
int yardstick_json_valid(const char *json, size_t count);

#endif
