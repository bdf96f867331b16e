// What Swift cannot import: variadic calls, function-like macros and register clearing. Nothing
// here keeps state.
#ifndef EOSVAULT_SHIM_H
#define EOSVAULT_SHIM_H

/// Clears the vector registers of the calling thread (xmm, ymm and zmm where the CPU has them):
/// memcpy and the ciphers leave pieces of what they moved there.
void shim_clear_vector_registers(void);

/// PR_SET_DUMPABLE 0 and its reading back: 0 when the process is no longer dumpable, -1 otherwise.
int shim_forbid_dumping(void);

/// open(2) with O_PATH, O_NOFOLLOW and O_CLOEXEC: pins a file for fstat without opening it.
int shim_open_path(const char *path);

#endif
