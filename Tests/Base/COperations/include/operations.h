// Operations that an attacker would try in a process under control, one at a time.
#ifndef EOSVAULT_OPERATIONS_H
#define EOSVAULT_OPERATIONS_H

/// The descriptors that `operation_prepare` opens.
enum {
    OPERATION_LISTENER = 200,
    OPERATION_OTHER_LISTENER,
    OPERATION_NAMED,
    OPERATION_UNNAMED,
    /// A client of `socket`.
    OPERATION_CLIENT,
    /// Both ends of a connection.
    OPERATION_PAIR,
    OPERATION_OTHER_END,
    OPERATION_TIMER,
    OPERATION_EVENT,
    /// It reports removals in `inside`.
    OPERATION_WATCH,
    /// A socket for datagrams without an address.
    OPERATION_DATAGRAM,
};

/// Makes the listening sockets `socket` and `other`, opens `secret` twice, and opens the
/// descriptors of an agent. Returns 0, or -1 and errno.
int operation_prepare(void);

/// Takes the connection to `socket` that the sandbox made. Without it, operations connect.
void operation_use_connection(int file);

/// Connects to the Unix socket at `path`. Returns a descriptor, or -1 and errno.
int operation_connect(const char *path);

/// Runs the operation of this name in the current folder. The folder contains `secret`, `input`,
/// `outside/`, `inside/file`, `inside/escape` (a symbolic link to `../secret`), `out/` and
/// `run/agent`. Returns 0 when the operation succeeded, else its errno; -1 when there is no such
/// operation.
int operation_run(const char *name);

/// The name of the operation with this number; null after the last.
const char *operation_name(int number);

/// The result of the sandbox's filter for a system call whose arguments all have the value
/// `argument`: an action of <linux/seccomp.h>. Uses the call table of this processor, or with
/// `is_foreign` of another architecture.
unsigned filter_verdict(int profile, unsigned call, unsigned long argument, int is_foreign);

/// The result of the filter for a system call whose arguments are zero except one, on this
/// processor.
unsigned filter_verdict_of_one(int profile, unsigned call, int argument, unsigned long value);

#endif
