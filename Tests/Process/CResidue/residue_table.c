#include "residue.h"

#include <stdlib.h>
#include <string.h>

// A piece is found by its first eight bytes. A filter bit shows whether any piece may start with
// them, a hash table finds these pieces, and the rest is compared.

enum {
    FILTER_BITS = 20,
    /// The maximum number of findings that can grow at the same time.
    OPEN = 8,
};

typedef struct {
    uint64_t first;
    uint32_t pattern;
    uint32_t offset;
    /// The offset and count of the bytes after the first eight.
    uint32_t rest;
    uint32_t rest_count;
    bool is_used;
} piece;

struct residue_table {
    uint8_t filter[1 << (FILTER_BITS - 3)];
    piece *pieces;
    /// A power of two, more than twice `count`.
    size_t capacity;
    size_t count;
    uint8_t *rests;
    size_t rests_count, rests_capacity;
};

static inline uint64_t load(const uint8_t *bytes) {
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static inline uint64_t mix(uint64_t value) { return value * 0x9e3779b97f4a7c15u; }

residue_table *residue_table_make(void) {
    residue_table *table = calloc(1, sizeof *table);
    if (!table) return NULL;
    table->capacity = 1024;
    table->pieces = calloc(table->capacity, sizeof *table->pieces);
    if (table->pieces) return table;
    free(table);
    return NULL;
}

void residue_table_free(residue_table *table) {
    if (!table) return;
    free(table->pieces);
    free(table->rests);
    free(table);
}

size_t residue_table_count(const residue_table *table) { return table->count; }

static void insert(piece *pieces, size_t capacity, piece added) {
    size_t index = mix(added.first) >> 20 & (capacity - 1);
    while (pieces[index].is_used) index = (index + 1) & (capacity - 1);
    pieces[index] = added;
}

static bool grow(residue_table *table) {
    size_t capacity = table->capacity * 2;
    piece *pieces = calloc(capacity, sizeof *pieces);
    if (!pieces) return false;
    for (size_t index = 0; index < table->capacity; index++)
        if (table->pieces[index].is_used) insert(pieces, capacity, table->pieces[index]);
    free(table->pieces);
    table->pieces = pieces;
    table->capacity = capacity;
    return true;
}

bool residue_table_add(residue_table *table, uint32_t pattern, uint32_t offset, const uint8_t *bytes, size_t length) {
    if (length < RESIDUE_PIECE) return false;
    if (table->count * 2 >= table->capacity && !grow(table)) return false;
    size_t rest = length - RESIDUE_PIECE;
    if (table->rests_count + rest > table->rests_capacity) {
        size_t capacity = (table->rests_count + rest) * 2;
        uint8_t *rests = realloc(table->rests, capacity);
        if (!rests) return false;
        table->rests = rests;
        table->rests_capacity = capacity;
    }
    piece added = {.first = load(bytes), .pattern = pattern, .offset = offset, .rest = (uint32_t)table->rests_count,
                   .rest_count = (uint32_t)rest, .is_used = true};
    if (rest) memcpy(table->rests + table->rests_count, bytes + RESIDUE_PIECE, rest);
    table->rests_count += rest;
    insert(table->pieces, table->capacity, added);
    table->count++;
    uint64_t bit = mix(added.first) >> (64 - FILTER_BITS);
    table->filter[bit >> 3] |= (uint8_t)(1 << (bit & 7));
    return true;
}

/// Whether the piece extends an open finding; then that finding grows.
static bool joins(residue_finding *open, size_t *open_count, const piece *found, uint64_t address, uint32_t length) {
    for (size_t index = 0; index < *open_count; index++) {
        residue_finding *before = &open[index];
        if (before->pattern != found->pattern || address - before->address != found->offset - before->offset) continue;
        // With a gap between them they are two findings.
        if (found->offset > before->offset + before->count) continue;
        uint32_t end = found->offset + length - before->offset;
        if (end > before->count) before->count = end;
        return true;
    }
    return false;
}

size_t residue_find(const residue_table *table, const uint8_t *bytes, size_t count, uint64_t address,
                    residue_finding *findings, size_t capacity) {
    residue_finding open[OPEN];
    size_t open_count = 0, found_count = 0;
    if (count < RESIDUE_PIECE) return 0;
    size_t last = count - RESIDUE_PIECE;
    for (size_t at = 0; at <= last; at++) {
        uint64_t first = load(bytes + at);
        uint64_t mixed = mix(first);
        uint64_t bit = mixed >> (64 - FILTER_BITS);
        if (__builtin_expect(!(table->filter[bit >> 3] >> (bit & 7) & 1), 1)) continue;
        const size_t mask = table->capacity - 1;
        for (size_t index = mixed >> 20 & mask; table->pieces[index].is_used; index = (index + 1) & mask) {
            const piece *found = &table->pieces[index];
            if (found->first != first || found->rest_count > last - at) continue;
            const uint8_t *rest = table->rests + found->rest;
            if (found->rest_count && memcmp(rest, bytes + at + RESIDUE_PIECE, found->rest_count) != 0) continue;
            uint32_t length = RESIDUE_PIECE + found->rest_count;
            if (joins(open, &open_count, found, address + at, length)) continue;
            residue_finding added = {
                .pattern = found->pattern, .offset = found->offset, .address = address + at, .count = length};
            if (open_count == OPEN) {
                if (found_count < capacity) findings[found_count] = open[0];
                found_count++;
                memmove(open, open + 1, (OPEN - 1) * sizeof *open);
                open_count--;
            }
            open[open_count++] = added;
        }
    }
    for (size_t index = 0; index < open_count; index++) {
        if (found_count < capacity) findings[found_count] = open[index];
        found_count++;
    }
    return found_count;
}
