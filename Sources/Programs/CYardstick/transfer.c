#include "yardstick.h"

#include <string.h>

/// The text that is left to read.
typedef struct {
    const char *at, *end;
} text;

typedef struct {
    uint8_t *at, *end;
} room;

static int skip(text *text, const char *literal) {
    size_t count = strlen(literal);
    if ((size_t)(text->end - text->at) < count || memcmp(text->at, literal, count) != 0) return 0;
    text->at += count;
    return 1;
}

static int append(room *room, const void *bytes, size_t count) {
    if ((size_t)(room->end - room->at) < count) return 0;
    memcpy(room->at, bytes, count);
    room->at += count;
    return 1;
}

static int name_digit(char c) {
    if (c >= 'a' && c <= 'z') return c - 'a' + 6;
    if (c >= '1' && c <= '5') return c - '1' + 1;
    return c == '.' ? 0 : -1;
}

static int pack_name(text *text, room *room) {
    uint64_t value = 0;
    int count = 0;
    for (; text->at < text->end && *text->at != '"'; text->at++, count++) {
        int digit = name_digit(*text->at);
        if (digit < 0 || count > 12 || (count == 12 && digit > 15)) return 0;
        value |= count < 12 ? (uint64_t)digit << (59 - 5 * count) : (uint64_t)digit;
    }
    return append(room, &value, 8);
}

static int pack_asset(text *text, room *room) {
    int64_t amount = 0;
    uint64_t symbol = 0;
    int point = 0, precision = 0, shift = 8;
    for (; text->at < text->end && *text->at != ' '; text->at++) {
        if (*text->at == '.') {
            if (point++) return 0;
            continue;
        }
        if (*text->at < '0' || *text->at > '9') return 0;
        if (__builtin_mul_overflow(amount, 10, &amount)) return 0;
        if (__builtin_add_overflow(amount, *text->at - '0', &amount)) return 0;
        precision += point;
    }
    if (!skip(text, " ")) return 0;
    for (; text->at < text->end && *text->at != '"'; text->at++, shift += 8) {
        if (*text->at < 'A' || *text->at > 'Z' || shift > 56) return 0;
        symbol |= (uint64_t)(uint8_t)*text->at << shift;
    }
    symbol |= (uint64_t)precision;
    return append(room, &amount, 8) && append(room, &symbol, 8);
}

static int pack_string(text *text, room *room) {
    const char *end = memchr(text->at, '"', (size_t)(text->end - text->at));
    if (!end || end - text->at > 127) return 0;
    size_t count = (size_t)(end - text->at);
    uint8_t prefix = (uint8_t)count;
    if (!append(room, &prefix, 1) || !append(room, text->at, count)) return 0;
    text->at = end;
    return 1;
}

int yardstick_pack_transfer(const char *json, size_t count, uint8_t *bytes, size_t size) {
    text text = {json, json + count};
    room room = {bytes, bytes + size};
    if (!skip(&text, "{\"from\":\"") || !pack_name(&text, &room)) return -1;
    if (!skip(&text, "\",\"to\":\"") || !pack_name(&text, &room)) return -1;
    if (!skip(&text, "\",\"quantity\":\"") || !pack_asset(&text, &room)) return -1;
    if (!skip(&text, "\",\"memo\":\"") || !pack_string(&text, &room)) return -1;
    return skip(&text, "\"}") && text.at == text.end ? (int)(room.at - bytes) : -1;
}

static int unpack_name(const uint8_t *bytes, room *room) {
    static const char digits[] = ".12345abcdefghijklmnopqrstuvwxyz";
    uint64_t value;
    char name[13];
    memcpy(&value, bytes, 8);
    for (int i = 0; i < 12; i++) name[i] = digits[value >> (59 - 5 * i) & 31];
    name[12] = digits[value & 15];
    size_t count = 13;
    while (count && name[count - 1] == '.') count--;
    return append(room, name, count);
}

static int unpack_asset(const uint8_t *bytes, room *room) {
    int64_t amount;
    memcpy(&amount, bytes, 8);
    if (amount < 0) return 0;
    char digits[48], *at = digits + sizeof digits;
    unsigned precision = bytes[8];
    if (precision > 18) return 0;
    for (unsigned i = 0; amount || i <= precision; i++, amount /= 10) {
        if (i && i == precision) *--at = '.';
        *--at = (char)('0' + amount % 10);
    }
    size_t count = strnlen((const char *)bytes + 9, 7);
    return append(room, at, (size_t)(digits + sizeof digits - at)) && append(room, " ", 1) &&
           append(room, bytes + 9, count);
}

static int put(room *room, const char *literal) { return append(room, literal, strlen(literal)); }

int yardstick_unpack_transfer(const uint8_t *bytes, size_t count, char *json, size_t size) {
    room room = {(uint8_t *)json, (uint8_t *)json + size};
    if (count < 33 || bytes[32] > 127 || count != 33 + (size_t)bytes[32]) return -1;
    if (!put(&room, "{\"from\":\"") || !unpack_name(bytes, &room)) return -1;
    if (!put(&room, "\",\"to\":\"") || !unpack_name(bytes + 8, &room)) return -1;
    if (!put(&room, "\",\"quantity\":\"") || !unpack_asset(bytes + 16, &room)) return -1;
    if (!put(&room, "\",\"memo\":\"") || !append(&room, bytes + 33, bytes[32])) return -1;
    return put(&room, "\"}") ? (int)(room.at - (uint8_t *)json) : -1;
}
