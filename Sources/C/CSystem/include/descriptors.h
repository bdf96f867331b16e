// File descriptors that a process inherits.
#ifndef EOSVAULT_DESCRIPTORS_H
#define EOSVAULT_DESCRIPTORS_H

#include <stddef.h>

/// Closes each descriptor above 2 that is not in `kept`. `kept` is sorted, has no duplicates, and
/// all its numbers are above 2.
void files_close_descriptors(const int kept[], size_t count);

#endif
