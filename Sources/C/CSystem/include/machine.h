// Facts about the kernel from system calls that Swift does not import.
#ifndef EOSVAULT_MACHINE_H
#define EOSVAULT_MACHINE_H

/// 1 when the clock is synchronised, 0 when it is not, -1 when the kernel does not report it.
int machine_clock_is_synchronised(void);

/// 1 when the addresses of this process are not random (setarch -R, a debugger); 0 when they may be
/// random; -1 when the kernel does not report it.
int machine_addresses_are_fixed(void);

/// 1 when the kernel's random number generator has been seeded, else 0.
int machine_random_is_ready(void);

#endif
