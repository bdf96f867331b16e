// CBOR for the authenticator: a writer without checks, and a reader of single items.
#ifndef AUTHENTICATOR_CBOR_H
#define AUTHENTICATOR_CBOR_H

#include <stddef.h>
#include <stdint.h>

struct buffer {
    uint8_t bytes[8192];
    size_t count;
};

void put_bytes(struct buffer *out, const void *bytes, size_t count);
void put_byte(struct buffer *out, uint8_t byte);
/// kind: 0 to 5, the major type.
void put_head(struct buffer *out, int kind, uint64_t number);
void put_number(struct buffer *out, int number);
void put_text(struct buffer *out, const char *text);
void put_blob(struct buffer *out, const void *bytes, size_t count);
void put_bool(struct buffer *out, int value);
/// The COSE key of a point of P-256.
void put_key(struct buffer *out, const uint8_t point[64], int algorithm);

struct item {
    /// The major type; -1 for nothing.
    int kind;
    uint64_t number;
    /// The bytes of a string, or the content of an array or map.
    const uint8_t *content;
    size_t count;
    /// What follows the item.
    const uint8_t *next;
};

struct item read_item(const uint8_t *bytes, const uint8_t *end);
/// The value of a key in a map.
struct item member(struct item map, int key);
struct item member_named(struct item map, const char *key);
/// The first element of an array.
struct item element(struct item array);
/// Reads a COSE key of P-256. Returns 1 if it is one.
int read_key(struct item key, uint8_t point[64]);

#endif
