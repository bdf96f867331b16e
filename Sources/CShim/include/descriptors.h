// Descriptors that a process inherits.
#ifndef EOSVAULT_DESCRIPTORS_H
#define EOSVAULT_DESCRIPTORS_H

#include <stddef.h>

/// Closes each descriptor above 2 that is not one of `kept`.
/// `kept` is in rising order, without repetition, all above 2.
void shim_close_descriptors(const int kept[], size_t count);

#endif
