// Calls that Swift cannot import: variadic calls, function-like macros and register clearing. No
// function here keeps state.
#ifndef EOSVAULT_SHIM_H
#define EOSVAULT_SHIM_H

/// Clears the vector registers of the calling thread (xmm, ymm and zmm where the CPU has them):
/// memcpy and the ciphers leave parts of the data there.
void shim_clear_vector_registers(void);

/// Sets PR_SET_DUMPABLE to 0 and reads it back. Returns 0 when the process is no longer dumpable,
/// else -1.
int shim_forbid_dumping(void);

#endif
