#define _GNU_SOURCE
#include "probe.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

static __thread long allocations;

long probe_allocations(void) { return allocations; }

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
int probe_counts_allocations(void) { return 0; }
#else
int probe_counts_allocations(void) { return 1; }

// glibc's own functions, under the names that it provides for this purpose.
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

// A sanitizer would put the arrays in other places.
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
    // The loop reads what the call left on the stack, so the array is uninitialised on purpose.
    while (lowest < painted && below[lowest] == paint) lowest++;
#pragma clang diagnostic pop
    return painted - lowest;
}

size_t probe_stack_depth(void (*body)(void *), void *context) {
    paint_stack();
    body(context);
    return touched();
}

PLAIN int probe_stack_has(uint64_t inverted, size_t depth) {
    const unsigned char *end = __builtin_frame_address(0);
    for (const unsigned char *place = end - depth; place < end - sizeof inverted; place++) {
        uint64_t word = 0;
        for (size_t i = 0; i < sizeof word; i++) word |= (uint64_t)place[i] << (8 * i);
        if (~word == inverted) return 1;
    }
    return 0;
}

int probe_forbid(const int calls[], size_t count) {
    struct sock_filter code[64];
    size_t length = 0;
    code[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < count && length < 60; i++) {
        code[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i], 0, 1);
        code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    }
    code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {.len = (unsigned short)length, .filter = code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
