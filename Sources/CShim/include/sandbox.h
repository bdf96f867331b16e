// Landlock and seccomp, which glibc has no functions for: what the kernel offers, and giving rights
// away for good.
#ifndef EOSVAULT_SANDBOX_H
#define EOSVAULT_SANDBOX_H

#include <stddef.h>
#include <stdint.h>

/// The version of Landlock's ABI that the kernel speaks, from 1; 0 when it has none, or has it
/// turned off; -1 and errno when it does not say.
int sandbox_landlock_version(void);

/// 1 when the kernel takes seccomp filters of this process, 0 when it knows none; -1 and errno when
/// it does not say.
int sandbox_has_seccomp(void);

/// PR_SET_NO_NEW_PRIVS, without which the kernel takes neither a ruleset nor a filter: 0, or -1 and
/// errno.
int sandbox_forbid_new_privileges(void);

/// A ruleset of Landlock that forbids these rights where no rule gives them: a descriptor, or -1
/// and errno.
int sandbox_make_ruleset(uint64_t files, uint64_t network, uint64_t scopes);

/// open(2) with O_PATH and O_CLOEXEC: a descriptor that names a file, which nothing is opened by;
/// -1 and errno.
int sandbox_open_path(const char *path);

/// Gives `rights` to the file that `descriptor` (also of O_PATH) is of, or to what is below the
/// folder: 0, or -1 and errno.
int sandbox_add_rule(int ruleset, int descriptor, uint64_t rights);

/// Puts the calling thread under the ruleset, beside those that it is under already: 0, or -1 and
/// errno.
int sandbox_enforce_ruleset(int ruleset);

/// Puts all threads of the process under a filter that lets system calls through which a vault and
/// a terminal need, and no other; what that is, and why, stands in sandbox.c. Returns 0, or -1 and
/// errno.
int sandbox_filter_calls(void);

// For tests.

struct sock_filter;

/// The filter itself, as <linux/filter.h> has it: how many instructions it has, 0 when they are
/// more than `capacity`.
size_t sandbox_make_filter(struct sock_filter *code, size_t capacity);

#endif
