// Calls of one PKCS#11 module, which is code of another vendor: every count and length that it
// returns is checked before it is used.
//
// Each function returns 0, or the return value of the call that failed (CKR_…), or a TOKEN_… code.
// After a failure, `token_failed_call` has the name of the call.
#ifndef EOSVAULT_TOKEN_H
#define EOSVAULT_TOKEN_H

#include <stddef.h>
#include <stdint.h>

// Above all return values of PKCS#11 that are not of a vendor.
enum {
    /// The file can't be loaded; `token_load_error` has the reason of the dynamic linker.
    TOKEN_NOT_LOADED = 0x7fff0001,
    /// The module lacks a function that is needed, or has another version than 2 or 3.
    TOKEN_NOT_A_MODULE,
    /// The module returned something that the standard does not allow.
    TOKEN_INVALID_ANSWER,
    /// An attribute has more bytes than this program takes.
    TOKEN_TOO_LARGE,
    /// There are more than TOKEN_MAXIMUM tokens or objects.
    TOKEN_TOO_MANY,
};

enum { TOKEN_MAXIMUM = 64 };

struct token_facts {
    uint64_t slot;
    // Padded with spaces, as the standard has them.
    uint8_t label[32], manufacturer[32], model[16], serial[16];
    uint64_t flags;
    // 0 or 1: the token signs and generates with these mechanisms.
    uint8_t has_ecdsa, has_generation;
};

/// The call that failed last.
const char *token_failed_call(void);
/// Why the dynamic linker does not load the module.
const char *token_load_error(void);

/// Loads a module and initialises it. Called once in a process.
unsigned long token_load(const char *path);

/// The tokens that are present.
/// tokens: room for TOKEN_MAXIMUM. count: how many there are.
unsigned long token_list(struct token_facts *tokens, size_t *count);

/// Opens a session. writable: 1 to generate a key.
unsigned long token_open(uint64_t slot, int writable);

/// Logs out, closes the session and ends the module.
void token_finish(void);

/// Logs in as the user. Returns 0 also if the user is logged in.
/// pin: null for a token with a keypad of its own.
unsigned long token_login(uint8_t *pin, size_t count);

/// The objects of a class (2 public keys, 3 private keys) of elliptic curves.
/// id, label: only objects with these attributes; null for any.
/// objects: room for TOKEN_MAXIMUM. count: how many there are.
unsigned long token_find(
    unsigned long object_class, const uint8_t *id, size_t id_count, const uint8_t *label, size_t label_count,
    uint64_t *objects, size_t *count);

/// Reads an attribute. count: the room, and then the length; 0 if the object does not have it.
unsigned long token_attribute(uint64_t object, unsigned long type, uint8_t *value, size_t *count);

/// Makes a key pair that is kept in the token: sensitive, not extractable, for signatures.
/// curve: the DER of the curve's object identifier.
/// Returns 0 with the handles of both keys.
unsigned long token_generate(
    const uint8_t *curve, size_t curve_count, const uint8_t *label, size_t label_count, const uint8_t *id,
    size_t id_count, uint64_t *public_key, uint64_t *private_key);

/// Removes an object.
unsigned long token_remove(uint64_t object);

/// Signs 32 bytes with CKM_ECDSA.
/// signature: 64 bytes, r and s.
unsigned long token_sign(uint64_t key, const uint8_t *digest, uint8_t *signature);

#endif
