// How this program was linked, according to its own ELF headers.
#ifndef EOSVAULT_PROGRAM_H
#define EOSVAULT_PROGRAM_H

#include <stdbool.h>

struct machine_program {
    /// The program can be loaded at any address.
    bool position_independent;
    /// Relocated data becomes read-only; all relocations are applied before the program runs.
    bool read_only_relocations, bound_at_start;
    /// No segment is writable and executable, including the stack, and code needs no relocation.
    bool writes_no_code;
    /// The program has no search path for shared objects.
    bool no_search_path;
};

struct machine_program machine_this_program(void);

/// Gives back the memory of the program's code and constants. The kernel maps a page of the file
/// again when the program uses it. No page that was ever written is affected.
void machine_drop_read_only_pages(void);

#endif
