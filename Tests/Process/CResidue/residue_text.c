#include "residue.h"

#include <stdlib.h>
#include <string.h>

enum { BITS = 26 };

struct residue_text {
    uint8_t seen[1 << (BITS - 3)];
};

static uint64_t bit_of(const uint8_t *piece) {
    uint64_t first, last;
    memcpy(&first, piece, sizeof first);
    memcpy(&last, piece + RESIDUE_WORDS - sizeof last, sizeof last);
    return (first * 0x9e3779b97f4a7c15u ^ last * 0xbf58476d1ce4e5b9u) * 0x94d049bb133111ebu >> (64 - BITS);
}

residue_text *residue_text_make(const uint8_t *bytes, size_t count) {
    residue_text *text = calloc(1, sizeof *text);
    size_t plain = 0;
    for (size_t at = 0; text && at < count; at++) {
        plain = (bytes[at] >= 'a' && bytes[at] <= 'z') || bytes[at] == ' ' ? plain + 1 : 0;
        if (plain < RESIDUE_WORDS) continue;
        uint64_t bit = bit_of(bytes + at + 1 - RESIDUE_WORDS);
        text->seen[bit >> 3] |= (uint8_t)(1 << (bit & 7));
    }
    return text;
}

bool residue_text_has(const residue_text *text, const uint8_t *piece) {
    uint64_t bit = bit_of(piece);
    return text->seen[bit >> 3] >> (bit & 7) & 1;
}
