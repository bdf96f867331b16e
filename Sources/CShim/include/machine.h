// What the kernel tells of itself by system calls that Swift does not import.
#ifndef EOSVAULT_MACHINE_H
#define EOSVAULT_MACHINE_H

/// 1 when something keeps the clock synchronised, 0 when nothing does, -1 when the kernel does not
/// say.
int machine_clock_is_synchronised(void);

/// A regular file.
typedef struct {
    /// The mount that it is seen in: the first field of a line of /proc/self/mountinfo.
    unsigned long long mount;
    unsigned long long size;
} machine_file;

/// 1 when a regular file lies at the path, and the kernel tells its mount (from Linux 5.8 on), else
/// 0.
int machine_look_at_file(const char *path, machine_file *file);

/// 1 when the addresses of this process are not random (setarch -R, a debugger), 0 when they may
/// be, -1 when the kernel does not say.
int machine_addresses_are_fixed(void);

/// 1 when the kernel's random number generator has been seeded, else 0.
int machine_random_is_ready(void);

#endif
