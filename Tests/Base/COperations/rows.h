// Rows of the table of operations.
#ifndef EOSVAULT_ROWS_H
#define EOSVAULT_ROWS_H

/// The result of a call that returns -1 on failure.
#define RESULT(call) return (call) < 0 ? errno : 0
#define OPERATION(name) static int name(void)
#define ROW(name) {#name, name}

struct operation {
    const char *name;
    int (*run)(void);
};

/// Operations on the descriptors of an agent. The last row has no name.
extern const struct operation agent_operations[];

/// Opens the descriptors of an agent. Returns 0, or -1 and errno.
int agent_operations_prepare(void);

/// The id of the process that started this one.
int operation_parent(void);

#endif
