// The yardsticks of the benchmark: the same work in plain C over the same archives, in the same
// run. Nothing of it is in the product. Functions that return an int give 0 or a count, and -1
// where a library or the input refuses.
#ifndef EOSVAULT_YARDSTICK_H
#define EOSVAULT_YARDSTICK_H

#include <stddef.h>
#include <stdint.h>

/// Signs `count` digests of 32 bytes each as libfc does: candidates from 1, until one is canonical.
int yardstick_sign(const uint8_t scalar[32], const uint8_t *digests, size_t count);

/// The same, and recovers each signature's key and compares it with `point`.
int yardstick_sign_checked(const uint8_t scalar[32], const uint8_t point[33], const uint8_t *digests, size_t count);

/// Derives the compressed public key, `count` times.
int yardstick_derive(const uint8_t scalar[32], uint8_t point[33], size_t count);

/// Recovers the compressed public key from a signature (header byte, r, s), `count` times.
int yardstick_recover(const uint8_t signature[65], const uint8_t digest[32], uint8_t point[33], size_t count);

/// Packs a token transfer: `{"from":"…","to":"…","quantity":"…","memo":"…"}`, without white space
/// and escapes, its keys in this order. It knows no other type and reads nothing twice, so it
/// bounds what a codec of any type can reach.
/// - Returns: how many of the `room` bytes it wrote.
int yardstick_pack_transfer(const char *json, size_t count, uint8_t *bytes, size_t room);

/// The other way round; the memo is taken to need no escapes.
int yardstick_unpack_transfer(const uint8_t *bytes, size_t count, char *json, size_t room);

/// Puts the chain id, the packed transaction and 32 zero bytes one behind the other and hashes them
/// by libcrypto.
/// - Parameter buffer: room for `count` + 64 bytes.
int yardstick_digest(const uint8_t chain[32], const uint8_t *packed, size_t count, uint8_t *buffer, uint8_t digest[32]);

/// Makes an SQLite file with `count` rows, each a name ("key 0" and so on) as primary key and 72
/// bytes.
int yardstick_make_rows(const char *path, size_t count);

/// Opens the file, selects the bytes of one name, and closes it.
/// - Returns: how many bytes there are.
int yardstick_look_up(const char *path, const char *name);

#endif
