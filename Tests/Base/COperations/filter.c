#include "operations.h"

#include <stdint.h>
#include <string.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include "sandbox.h"

// Interprets a filter: a program for a machine with one accumulator that can read only the system
// call (Documentation/networking/filter.rst).
static uint32_t run(const struct sock_filter *code, size_t count, const struct seccomp_data *data) {
    uint32_t accumulator = 0;
    for (size_t i = 0; i < count; i++) {
        const struct sock_filter step = code[i];
        switch (step.code) {
        case BPF_LD | BPF_W | BPF_ABS: memcpy(&accumulator, (const char *)data + step.k, sizeof accumulator); break;
        case BPF_JMP | BPF_JA: i += step.k; break;
        case BPF_JMP | BPF_JEQ | BPF_K: i += accumulator == step.k ? step.jt : step.jf; break;
        case BPF_JMP | BPF_JGT | BPF_K: i += accumulator > step.k ? step.jt : step.jf; break;
        case BPF_JMP | BPF_JGE | BPF_K: i += accumulator >= step.k ? step.jt : step.jf; break;
        case BPF_JMP | BPF_JSET | BPF_K: i += (accumulator & step.k) != 0 ? step.jt : step.jf; break;
        case BPF_RET | BPF_K: return step.k;
        default: return SECCOMP_RET_LOG;
        }
    }
    return SECCOMP_RET_LOG;
}

#ifdef __x86_64__
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

static unsigned verdict(int profile, const struct seccomp_data *data) {
    struct sock_filter code[BPF_MAXINSNS];
    const size_t count = sandbox_make_filter((enum sandbox_profile)profile, code, BPF_MAXINSNS);
    return run(code, count, data);
}

unsigned filter_verdict(int profile, unsigned call, unsigned long argument, int is_foreign) {
    struct seccomp_data data = {.nr = (int)call, .arch = is_foreign ? AUDIT_ARCH_I386 : OWN_ARCHITECTURE};
    for (int i = 0; i < 6; i++) data.args[i] = argument;
    return verdict(profile, &data);
}

unsigned filter_verdict_of_one(int profile, unsigned call, int argument, unsigned long value) {
    struct seccomp_data data = {.nr = (int)call, .arch = OWN_ARCHITECTURE};
    data.args[argument] = value;
    return verdict(profile, &data);
}
