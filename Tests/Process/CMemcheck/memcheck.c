#include "memcheck.h"

#include <string.h>
#include <valgrind/memcheck.h>

static struct memcheck_site all[256];
static size_t site_count;

static void record(const unsigned char *file, uint32_t line, size_t secret) {
    size_t index = 0;
    while (index < site_count &&
           (all[index].line != line || strcmp((const char *)all[index].file, (const char *)file) != 0))
        index++;
    if (index == sizeof all / sizeof all[0]) return;
    if (index == site_count) all[site_count++] = (struct memcheck_site){file, line, 0};
    all[index].count += secret != 0;
}

void memcheck_classify(const void *bytes, size_t count, const unsigned char *file, uint32_t line) {
    VALGRIND_MAKE_MEM_UNDEFINED(bytes, count);
    record(file, line, memcheck_secret_count(bytes, count));
}

void memcheck_disclose(const void *bytes, size_t count, const unsigned char *file, uint32_t line) {
    record(file, line, memcheck_secret_count(bytes, count));
    VALGRIND_MAKE_MEM_DEFINED(bytes, count);
}

uint64_t memcheck_disclosed(uint64_t value, int size, const unsigned char *file, uint32_t line) {
    record(file, line, memcheck_secret_count(&value, (size_t)size));
    VALGRIND_MAKE_MEM_DEFINED(&value, sizeof value);
    return value;
}

size_t memcheck_secret_count(const void *bytes, size_t count) {
    size_t secret = 0;
    for (size_t index = 0; index < count; index++) {
        unsigned char bits = 0;
        VALGRIND_GET_VBITS((const unsigned char *)bytes + index, &bits, 1);
        secret += bits != 0;
    }
    return secret;
}

size_t memcheck_sites(struct memcheck_site *sites, size_t limit) {
    memcpy(sites, all, (site_count < limit ? site_count : limit) * sizeof all[0]);
    return site_count;
}

uint64_t memcheck_opaque(uint64_t value) {
    return value;
}

int memcheck_is_running(void) {
    return RUNNING_ON_VALGRIND != 0;
}
