#include "cbor.h"

#include <stdlib.h>
#include <string.h>

void put_bytes(struct buffer *out, const void *bytes, size_t count) {
    if (count > sizeof out->bytes - out->count) abort();
    memcpy(out->bytes + out->count, bytes, count);
    out->count += count;
}

void put_byte(struct buffer *out, uint8_t byte) { put_bytes(out, &byte, 1); }

void put_head(struct buffer *out, int kind, uint64_t number) {
    const int first = kind << 5;
    if (number < 24) {
        put_byte(out, (uint8_t)(first | (int)number));
    } else if (number < 256) {
        put_byte(out, (uint8_t)(first | 24));
        put_byte(out, (uint8_t)number);
    } else {
        put_byte(out, (uint8_t)(first | 25));
        put_byte(out, (uint8_t)(number >> 8));
        put_byte(out, (uint8_t)number);
    }
}

void put_number(struct buffer *out, int number) {
    if (number < 0) put_head(out, 1, (uint64_t)(-1 - number));
    else put_head(out, 0, (uint64_t)number);
}

void put_text(struct buffer *out, const char *text) {
    put_head(out, 3, strlen(text));
    put_bytes(out, text, strlen(text));
}

void put_blob(struct buffer *out, const void *bytes, size_t count) {
    put_head(out, 2, count);
    put_bytes(out, bytes, count);
}

void put_bool(struct buffer *out, int value) { put_byte(out, value ? 0xf5 : 0xf4); }

void put_key(struct buffer *out, const uint8_t point[64], int algorithm) {
    put_head(out, 5, 5);
    put_number(out, 1);
    put_number(out, 2);
    put_number(out, 3);
    put_number(out, algorithm);
    put_number(out, -1);
    put_number(out, 1);
    put_number(out, -2);
    put_blob(out, point, 32);
    put_number(out, -3);
    put_blob(out, point + 32, 32);
}

static struct item read_at(const uint8_t *bytes, const uint8_t *end, int depth) {
    struct item none = {.kind = -1}, item;
    if (bytes >= end || depth > 8) return none;
    item.kind = *bytes >> 5;
    const int low = *bytes++ & 31;
    item.number = (uint64_t)low;
    if (low >= 24) {
        if (low > 26) return none;
        const int count = 1 << (low - 24);
        if (end - bytes < count) return none;
        item.number = 0;
        for (int at = 0; at < count; at++) item.number = item.number << 8 | *bytes++;
    }
    item.content = bytes;
    item.count = 0;
    item.next = bytes;
    if (item.kind == 2 || item.kind == 3) {
        if (item.number > (uint64_t)(end - bytes)) return none;
        item.count = item.number;
        item.next = bytes + item.count;
    } else if (item.kind == 4 || item.kind == 5) {
        const uint64_t items = item.number * (item.kind == 5 ? 2 : 1);
        for (uint64_t at = 0; at < items; at++) {
            const struct item part = read_at(item.next, end, depth + 1);
            if (part.kind < 0) return none;
            item.next = part.next;
        }
        item.count = (size_t)(item.next - bytes);
    }
    return item;
}

struct item read_item(const uint8_t *bytes, const uint8_t *end) { return read_at(bytes, end, 0); }

static struct item find(struct item map, int kind, uint64_t number, const char *text) {
    struct item none = {.kind = -1};
    if (map.kind != 5) return none;
    const uint8_t *at = map.content, *end = map.content + map.count;
    while (at < end) {
        const struct item key = read_item(at, end), value = read_item(key.next, end);
        const int is_same = text ? key.count == strlen(text) && memcmp(key.content, text, key.count) == 0
                                 : key.number == number;
        if (key.kind == kind && is_same) return value;
        at = value.next;
    }
    return none;
}

struct item member(struct item map, int key) {
    return key < 0 ? find(map, 1, (uint64_t)(-1 - key), NULL) : find(map, 0, (uint64_t)key, NULL);
}

struct item member_named(struct item map, const char *key) { return find(map, 3, 0, key); }

struct item element(struct item array) {
    struct item none = {.kind = -1};
    return array.kind == 4 && array.number ? read_item(array.content, array.content + array.count) : none;
}

int read_key(struct item key, uint8_t point[64]) {
    const struct item x = member(key, -2), y = member(key, -3);
    if (x.kind != 2 || y.kind != 2 || x.count != 32 || y.count != 32) return 0;
    memcpy(point, x.content, 32);
    memcpy(point + 32, y.content, 32);
    return 1;
}
