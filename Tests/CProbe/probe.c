#define _GNU_SOURCE
#include "probe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static __thread long allocations;

long probe_allocations(void) { return allocations; }

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
int probe_counts_allocations(void) { return 0; }
#else
int probe_counts_allocations(void) { return 1; }

// glibc's own, under the names that it keeps for this purpose.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    allocations++;
    return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    allocations++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    allocations++;
    *result = __libc_memalign(alignment, size);
    return *result ? 0 : ENOMEM;
}
#endif

enum { painted = 256 * 1024, paint = 0xa5 };

// A sanitizer would put the arrays elsewhere.
#define PLAIN __attribute__((noinline, no_sanitize("address", "thread", "memory")))

PLAIN static void paint_stack(void) {
    volatile unsigned char below[painted];
    for (size_t i = 0; i < painted; i++) below[i] = paint;
}

PLAIN static size_t touched(void) {
    volatile unsigned char below[painted];
    size_t lowest = 0;
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wuninitialized"
    // What the call left there is the point of it.
    while (lowest < painted && below[lowest] == paint) lowest++;
#pragma clang diagnostic pop
    return painted - lowest;
}

size_t probe_stack_depth(void (*body)(void *), void *context) {
    paint_stack();
    body(context);
    return touched();
}
