// Landlock and seccomp, which glibc has no functions for: what the kernel offers, and giving rights away.
#ifndef EOSVAULT_SANDBOX_H
#define EOSVAULT_SANDBOX_H

/// The version of Landlock's ABI that the kernel speaks, from 1; 0 when it has none, or has it turned off.
int sandbox_landlock_version(void);

/// 1 when the kernel takes seccomp filters of this process, else 0.
int sandbox_has_seccomp(void);

#endif
