// What a process that was taken over would try, one thing at a time.
#ifndef EOSVAULT_DEEDS_H
#define EOSVAULT_DEEDS_H

/// Does the deed of this name in the current folder, which has in it: `secret`, `outside/`,
/// `input`, `inside/file`, `inside/escape` (a symbolic link to `../secret`) and `out/`. Returns 0
/// when it was done, else its errno; -1 when there is no such deed.
int deed_do(const char *name);

/// The name of the deed of this number, null behind the last.
const char *deed_name(int number);

/// What the sandbox's filter says of a system call of which each argument is `argument`: an action
/// of <linux/seccomp.h>. On this processor's table of calls, or with `is_foreign` on another's.
unsigned deed_verdict(unsigned call, unsigned long argument, int is_foreign);

/// The same with one argument that is not zero, on this processor.
unsigned deed_verdict_of_one(unsigned call, int argument, unsigned long value);

#endif
