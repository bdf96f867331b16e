// Landlock and seccomp, which glibc has no functions for: what the kernel offers, and dropping
// privileges permanently.
#ifndef EOSVAULT_SANDBOX_H
#define EOSVAULT_SANDBOX_H

#include <stddef.h>
#include <stdint.h>

/// The version of Landlock's ABI that the kernel supports, from 1; 0 when it has none or has it
/// disabled; -1 and errno when the kernel does not report it.
int sandbox_landlock_version(void);

/// 1 when the kernel accepts seccomp filters from this process, 0 when it does not support them; -1
/// and errno when the kernel does not report it.
int sandbox_has_seccomp(void);

/// Sets PR_SET_NO_NEW_PRIVS, which the kernel requires for a ruleset and for a filter. Returns 0,
/// or -1 and errno.
int sandbox_forbid_new_privileges(void);

/// Creates a Landlock ruleset that forbids these rights unless a rule allows them. Returns a
/// descriptor, or -1 and errno.
int sandbox_make_ruleset(uint64_t files, uint64_t network, uint64_t scopes);

/// Allows `rights` on the file of `descriptor` (O_PATH is enough) or on everything below the
/// folder. Returns 0, or -1 and errno.
int sandbox_add_rule(int ruleset, int descriptor, uint64_t rights);

/// Applies the ruleset to the calling thread, in addition to earlier ones. Returns 0, or -1 and
/// errno.
int sandbox_enforce_ruleset(int ruleset);

/// What a process needs.
enum sandbox_profile {
    /// A vault, files and a terminal.
    SANDBOX_SIGNER,
    /// Files, a terminal, a camera, and children that become decoders.
    SANDBOX_SCANNER,
    /// Memory, and descriptors that are open already.
    SANDBOX_DECODER,
    /// A vault, files, a terminal, threads, a socket that listens, and its connections.
    SANDBOX_AGENT,
    /// Files, a terminal, and a connection.
    SANDBOX_AGENT_CLIENT,
};

/// Applies a filter to all threads of the process. It allows only the system calls that the profile
/// needs; sandbox.c lists them with reasons. Returns 0, or -1 and errno.
int sandbox_filter_calls(enum sandbox_profile profile);

// For tests.

struct sock_filter;

/// Writes the filter in the form of <linux/filter.h> to `code`. Returns the number of instructions;
/// 0 when there are more than `capacity`.
size_t sandbox_make_filter(enum sandbox_profile profile, struct sock_filter *code, size_t capacity);

#endif
