// What this program's own headers say of how it was linked.
#ifndef EOSVAULT_PROGRAM_H
#define EOSVAULT_PROGRAM_H

#include <stdbool.h>

struct shim_program {
    /// It may be loaded at any address.
    bool position_independent;
    /// What is relocated becomes read-only, and all of it is relocated before the program runs.
    bool read_only_relocations, bound_at_start;
    /// No segment is writable and executable, the stack included, and no code is relocated.
    bool writes_no_code;
    /// No folder of its own is searched for shared objects.
    bool no_search_path;
};

struct shim_program shim_this_program(void);

#endif
