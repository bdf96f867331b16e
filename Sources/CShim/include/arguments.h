// The words that the program was started with.
#ifndef EOSVAULT_ARGUMENTS_H
#define EOSVAULT_ARGUMENTS_H

/// How many there are, with the program's name.
int shim_argument_count(void);

/// One of them, from 0; null beyond the last.
const char *shim_argument(int index);

#endif
