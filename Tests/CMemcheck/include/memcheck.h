// valgrind's client requests, which are macros, and where they were made. Outside of valgrind they
// do nothing.
#ifndef EOSVAULT_MEMCHECK_H
#define EOSVAULT_MEMCHECK_H

#include <stddef.h>
#include <stdint.h>

/// The bytes count as uninitialised from here on.
void memcheck_classify(const void *bytes, size_t count, const unsigned char *file, uint32_t line);

/// They count as initialised from here on.
void memcheck_disclose(const void *bytes, size_t count, const unsigned char *file, uint32_t line);

/// The same of a value of so many bytes.
uint64_t memcheck_disclosed(uint64_t value, int size, const unsigned char *file, uint32_t line);

/// How many of the bytes have a bit that counts as uninitialised.
size_t memcheck_secret_count(const void *bytes, size_t count);

/// A line of a source file that classifies or discloses.
struct memcheck_site {
    const unsigned char *file;
    uint32_t line;
    /// How often something there was secret afterwards or before.
    uint32_t count;
};

/// The sites that were come by, up to `limit`.
/// Returns how many there are.
size_t memcheck_sites(struct memcheck_site *sites, size_t limit);

/// `value`, of which the compiler knows nothing.
uint64_t memcheck_opaque(uint64_t value);

/// Whether valgrind runs this process.
int memcheck_is_running(void);

#endif
