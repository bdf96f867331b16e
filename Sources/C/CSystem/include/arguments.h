// The command-line arguments of the program.
#ifndef EOSVAULT_ARGUMENTS_H
#define EOSVAULT_ARGUMENTS_H

/// The number of arguments, including the program's name.
int process_argument_count(void);

/// The argument at an index from 0; null beyond the last.
const char *process_argument(int index);

#endif
