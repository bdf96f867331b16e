// Wrappers for valgrind's client requests, which are macros. They also record the source lines that
// call them. Without valgrind they do nothing.
#ifndef EOSVAULT_MEMCHECK_H
#define EOSVAULT_MEMCHECK_H

#include <stddef.h>
#include <stdint.h>

/// Marks bytes as uninitialised (secret) from here on.
void memcheck_classify(const void *bytes, size_t count, const unsigned char *file, uint32_t line);

/// Marks bytes as initialised (public) from here on.
void memcheck_disclose(const void *bytes, size_t count, const unsigned char *file, uint32_t line);

/// Marks a value of `size` bytes as public and returns it.
uint64_t memcheck_disclosed(uint64_t value, int size, const unsigned char *file, uint32_t line);

/// The number of bytes that have an uninitialised bit.
size_t memcheck_secret_count(const void *bytes, size_t count);

/// A line of a source file that classifies or discloses.
struct memcheck_site {
    const unsigned char *file;
    uint32_t line;
    /// How often bytes were secret there: after a classification, or before a disclosure.
    uint32_t count;
};

/// Stores the sites that were executed, up to `limit`. Returns the number of all sites.
size_t memcheck_sites(struct memcheck_site *sites, size_t limit);

/// Returns `value`; the compiler can't predict the result.
uint64_t memcheck_opaque(uint64_t value);

/// Whether valgrind runs this process.
int memcheck_is_running(void);

#endif
