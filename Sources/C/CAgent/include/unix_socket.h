// Calls on Unix sockets that Swift does not import.
#ifndef EOSVAULT_UNIX_SOCKET_H
#define EOSVAULT_UNIX_SOCKET_H

#include <stdint.h>

/// The process at the other end of a connection, when it connected.
struct agent_peer {
    int32_t pid;
    uint32_t uid, gid;
};

/// Takes the next connection of a listening socket. No other program inherits its descriptor, and
/// reads and writes do not wait. Returns the descriptor, or -1 and errno.
int agent_accept(int listener);

/// Returns 0 and the credentials of the peer that the kernel reports (SO_PEERCRED), or -1 and
/// errno.
int agent_peer(int connection, struct agent_peer *peer);

/// Sends one byte and a descriptor. Returns 0, or -1 and errno.
int agent_send_descriptor(int connection, int descriptor);

/// Waits for a byte and a descriptor, which no other program inherits. Returns the descriptor, or
/// -1 and errno: EPROTO if something else was sent, EPIPE if the other end is closed.
int agent_receive_descriptor(int connection);

#endif
