// What the kernel tells of itself by system calls that Swift does not import.
#ifndef EOSVAULT_MACHINE_H
#define EOSVAULT_MACHINE_H

/// 1 when something keeps the clock synchronised, 0 when nothing does, -1 when the kernel does not say.
int machine_clock_is_synchronised(void);

/// 1 when the kernel's random number generator has been seeded, else 0.
int machine_random_is_ready(void);

#endif
