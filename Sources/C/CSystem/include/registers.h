// Clearing the registers of the processor.
#ifndef EOSVAULT_REGISTERS_H
#define EOSVAULT_REGISTERS_H

/// Clears the vector registers of the calling thread (xmm, ymm and zmm where the CPU has them):
/// memcpy and the ciphers leave parts of the data there.
void registers_clear_vectors(void);

#endif
