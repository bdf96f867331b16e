// The size of a terminal.
#ifndef EOSVAULT_TERMINAL_H
#define EOSVAULT_TERMINAL_H

struct terminal_size {
    int rows, columns;
};

/// The size of the terminal that a descriptor is open on; zeros if it is not a terminal, or if the
/// terminal does not report a size.
struct terminal_size terminal_size(int descriptor);

#endif
