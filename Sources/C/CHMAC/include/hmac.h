// HMAC (RFC 2104) and PBKDF2 (RFC 8018, section 5.2) of secrets, with the hash functions of
// libcrypto.
//
// libcrypto's own HMAC and PBKDF2 keep the hashed key on the heap. Here all of it is in a state
// that the caller allocates in guarded memory and wipes. No function uses the heap. What remains on
// the stack and in registers is for `wipeScratch`.
#ifndef EOSVAULT_HMAC_H
#define EOSVAULT_HMAC_H

#include <stddef.h>
#include <stdint.h>

enum hmac_function { HMAC_SHA1, HMAC_SHA256, HMAC_SHA512 };

struct hmac_state;

/// The bytes of a state, which must be aligned to 16 bytes.
size_t hmac_state_count(void);

/// The bytes of a tag: 20, 32 or 64.
size_t hmac_tag_count(enum hmac_function function);

/// Starts with a key. A key longer than a block of the function is hashed.
void hmac_start(struct hmac_state *state, enum hmac_function function, const uint8_t *key, size_t count);

/// Adds the next part of the message.
void hmac_add(struct hmac_state *state, const uint8_t *part, size_t count);

/// Writes the tag. The state is then ready for another message with the same key.
void hmac_finish(struct hmac_state *state, uint8_t *tag);

/// Derives bytes from the password that `hmac_start` got as its key.
/// rounds: 1 or more. derived: receives `derived_count` bytes.
void hmac_pbkdf2(
    struct hmac_state *state, const uint8_t *salt, size_t salt_count, uint32_t rounds, uint8_t *derived,
    size_t derived_count);

#endif
