// Argon2id: RFC 9106. The names in capitals are from there.
//
// The memory is in its own mapping, which is not dumped, and is wiped before it is unmapped. Some
// of its addresses depend on the password, as the algorithm requires.
#include "argon2.h"

#include <sodium.h>
#include <string.h>
#include <sys/mman.h>

enum { VERSION = 0x13, TYPE_ID = 2, SLICES = 4, BLOCK_WORDS = 128, BLOCK_BYTES = 1024, KEY_BYTES = 32 };

struct block {
    uint64_t words[BLOCK_WORDS];
};

/// A derivation: its memory has `lanes` rows of `columns` blocks.
struct derivation {
    struct argon2_cost cost;
    struct block *memory;
    uint32_t columns, segment;
};

/// The place of a block that is computed.
struct place {
    uint32_t pass, slice, lane, index;
};

static void add_number(crypto_generichash_state *state, uint32_t number) {
    uint8_t bytes[4];
    for (int at = 0; at < 4; at++) bytes[at] = (uint8_t)(number >> 8 * at);
    crypto_generichash_update(state, bytes, sizeof bytes);
}

/// The first hash, H_0: section 3.2.
static void first_hash(
    uint8_t hash[64], struct argon2_cost cost, const uint8_t *password, size_t password_count,
    const uint8_t *salt, size_t salt_count
) {
    crypto_generichash_state state;
    crypto_generichash_init(&state, NULL, 0, 64);
    add_number(&state, cost.lanes);
    add_number(&state, KEY_BYTES);
    add_number(&state, cost.kibibytes);
    add_number(&state, cost.passes);
    add_number(&state, VERSION);
    add_number(&state, TYPE_ID);
    add_number(&state, (uint32_t)password_count);
    if (password_count > 0) crypto_generichash_update(&state, password, password_count);
    add_number(&state, (uint32_t)salt_count);
    crypto_generichash_update(&state, salt, salt_count);
    // No secret and no associated data.
    add_number(&state, 0);
    add_number(&state, 0);
    crypto_generichash_final(&state, hash, 64);
}

/// The variable-length hash H': section 3.3.
/// count: 32 or 1024.
static void long_hash(uint8_t *output, uint32_t count, const uint8_t *input, size_t input_count) {
    crypto_generichash_state state;
    uint8_t value[64];
    crypto_generichash_init(&state, NULL, 0, count > 64 ? 64 : count);
    add_number(&state, count);
    crypto_generichash_update(&state, input, input_count);
    crypto_generichash_final(&state, value, count > 64 ? 64 : count);
    while (count > 64) {
        memcpy(output, value, 32);
        output += 32;
        count -= 32;
        crypto_generichash(value, 64, value, 64, NULL, 0);
    }
    memcpy(output, value, count);
}

static void read_block(struct block *block, const uint8_t bytes[BLOCK_BYTES]) {
    for (int word = 0; word < BLOCK_WORDS; word++) {
        block->words[word] = 0;
        for (int at = 0; at < 8; at++) block->words[word] |= (uint64_t)bytes[8 * word + at] << 8 * at;
    }
}

static void write_block(uint8_t bytes[BLOCK_BYTES], const struct block *block) {
    for (int at = 0; at < BLOCK_BYTES; at++) bytes[at] = (uint8_t)(block->words[at / 8] >> 8 * (at % 8));
}

static uint64_t rotated(uint64_t word, int bits) { return word >> bits | word << (64 - bits); }

static uint64_t sum(uint64_t a, uint64_t b) { return a + b + 2 * (uint64_t)(uint32_t)a * (uint32_t)b; }

/// The function GB: section 3.6.
static void mix(uint64_t *a, uint64_t *b, uint64_t *c, uint64_t *d) {
    *a = sum(*a, *b);
    *d = rotated(*d ^ *a, 32);
    *c = sum(*c, *d);
    *b = rotated(*b ^ *c, 24);
    *a = sum(*a, *b);
    *d = rotated(*d ^ *a, 16);
    *c = sum(*c, *d);
    *b = rotated(*b ^ *c, 63);
}

/// The permutation P of eight pairs of words.
/// step: from a pair to the next one, in words.
static void permute(uint64_t *first, int step) {
    uint64_t v[16];
    for (int pair = 0; pair < 8; pair++) {
        v[2 * pair] = first[step * pair];
        v[2 * pair + 1] = first[step * pair + 1];
    }
    for (int at = 0; at < 4; at++) mix(&v[at], &v[4 + at], &v[8 + at], &v[12 + at]);
    for (int at = 0; at < 4; at++)
        mix(&v[at], &v[4 + (at + 1) % 4], &v[8 + (at + 2) % 4], &v[12 + (at + 3) % 4]);
    for (int pair = 0; pair < 8; pair++) {
        first[step * pair] = v[2 * pair];
        first[step * pair + 1] = v[2 * pair + 1];
    }
}

/// The compression function G: section 3.5. `result` is added to what is there, or replaces it.
static void compress(struct block *result, const struct block *x, const struct block *y, int is_added) {
    struct block r, z;
    for (int word = 0; word < BLOCK_WORDS; word++) r.words[word] = x->words[word] ^ y->words[word];
    z = r;
    for (int row = 0; row < 8; row++) permute(&z.words[16 * row], 2);
    for (int column = 0; column < 8; column++) permute(&z.words[2 * column], 16);
    for (int word = 0; word < BLOCK_WORDS; word++) {
        const uint64_t mixed = r.words[word] ^ z.words[word];
        result->words[word] = is_added ? result->words[word] ^ mixed : mixed;
    }
}

static struct block *block(const struct derivation *run, uint32_t lane, uint32_t column) {
    return run->memory + (size_t)lane * run->columns + column;
}

/// The column of the block that a pseudo-random number chooses: section 3.4.2.
static uint32_t chosen_column(
    const struct derivation *run, const struct place *place, uint32_t random, int is_same_lane
) {
    // The blocks that may be chosen, and the first of them.
    uint32_t area = place->pass == 0 ? place->slice * run->segment : run->columns - run->segment;
    if (is_same_lane)
        area += place->index - 1;
    else if (place->index == 0)
        area -= 1;
    const uint64_t square = (uint64_t)random * random >> 32;
    const uint32_t position = area - 1 - (uint32_t)(area * square >> 32);
    const uint32_t start = place->pass == 0 ? 0 : (place->slice + 1) % SLICES * run->segment;
    return (uint32_t)(((uint64_t)start + position) % run->columns);
}

/// The next 128 pairs of numbers that do not depend on the password: section 3.4.1.2.
static void next_addresses(struct block *addresses, struct block *input) {
    static const struct block zero;
    input->words[6] += 1;
    compress(addresses, &zero, input, 0);
    compress(addresses, &zero, addresses, 0);
}

static void fill_segment(const struct derivation *run, struct place place) {
    const int is_independent = place.pass == 0 && place.slice < SLICES / 2;
    struct block addresses = {{0}};
    struct block input = {{
        place.pass, place.lane, place.slice, (uint64_t)run->columns * run->cost.lanes, run->cost.passes, TYPE_ID,
    }};
    const uint32_t first = place.pass == 0 && place.slice == 0 ? 2 : 0;
    if (is_independent && first > 0) next_addresses(&addresses, &input);
    for (place.index = first; place.index < run->segment; place.index++) {
        const uint32_t column = place.slice * run->segment + place.index;
        const struct block *last = block(run, place.lane, (column + run->columns - 1) % run->columns);
        if (is_independent && place.index % BLOCK_WORDS == 0) next_addresses(&addresses, &input);
        const uint64_t random = is_independent ? addresses.words[place.index % BLOCK_WORDS] : last->words[0];
        const uint32_t lane =
            place.pass == 0 && place.slice == 0 ? place.lane : (uint32_t)(random >> 32) % run->cost.lanes;
        const uint32_t chosen = chosen_column(run, &place, (uint32_t)random, lane == place.lane);
        compress(block(run, place.lane, column), last, block(run, lane, chosen), place.pass > 0);
    }
}

/// The first two blocks of each lane: section 3.2, steps 3 and 4.
static void begin(const struct derivation *run, const uint8_t hash[64]) {
    uint8_t input[64 + 8] = {0}, bytes[BLOCK_BYTES];
    memcpy(input, hash, 64);
    for (uint32_t lane = 0; lane < run->cost.lanes; lane++) {
        for (int at = 0; at < 4; at++) input[64 + 4 + at] = (uint8_t)(lane >> 8 * at);
        for (uint8_t column = 0; column < 2; column++) {
            input[64] = column;
            long_hash(bytes, BLOCK_BYTES, input, sizeof input);
            read_block(block(run, lane, column), bytes);
        }
    }
}

static void finish(const struct derivation *run, uint8_t key[KEY_BYTES]) {
    struct block last = *block(run, 0, run->columns - 1);
    uint8_t bytes[BLOCK_BYTES];
    for (uint32_t lane = 1; lane < run->cost.lanes; lane++)
        for (int word = 0; word < BLOCK_WORDS; word++)
            last.words[word] ^= block(run, lane, run->columns - 1)->words[word];
    write_block(bytes, &last);
    long_hash(key, KEY_BYTES, bytes, sizeof bytes);
}

int argon2id_derive(
    struct argon2_cost cost, const uint8_t *password, size_t password_count, const uint8_t *salt,
    size_t salt_count, uint8_t key[KEY_BYTES]
) {
    struct derivation run = {.cost = cost, .segment = cost.kibibytes / (SLICES * cost.lanes)};
    run.columns = SLICES * run.segment;
    const size_t size = (size_t)run.columns * cost.lanes * BLOCK_BYTES;
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return 0;
    if (madvise(memory, size, MADV_DONTDUMP) != 0 || madvise(memory, size, MADV_WIPEONFORK) != 0) {
        munmap(memory, size);
        return 0;
    }
    run.memory = memory;
    uint8_t hash[64];
    first_hash(hash, cost, password, password_count, salt, salt_count);
    begin(&run, hash);
    for (uint32_t pass = 0; pass < cost.passes; pass++)
        for (uint32_t slice = 0; slice < SLICES; slice++)
            for (uint32_t lane = 0; lane < cost.lanes; lane++)
                fill_segment(&run, (struct place){.pass = pass, .slice = slice, .lane = lane});
    finish(&run, key);
    sodium_memzero(memory, size);
    munmap(memory, size);
    return 1;
}
