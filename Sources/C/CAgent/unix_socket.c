#define _GNU_SOURCE
#include "unix_socket.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <sys/socket.h>

int agent_accept(int listener) {
    int connection;
    do connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    while (connection < 0 && errno == EINTR);
    return connection;
}

int agent_peer(int connection, struct agent_peer *peer) {
    struct ucred credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) return -1;
    *peer = (struct agent_peer){credentials.pid, credentials.uid, credentials.gid};
    return 0;
}

/// A message of one byte, with room for one descriptor.
struct parcel {
    struct msghdr message;
    struct iovec part;
    char byte;
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
};

static void prepare(struct parcel *parcel) {
    memset(parcel, 0, sizeof *parcel);
    parcel->part = (struct iovec){&parcel->byte, 1};
    parcel->message.msg_iov = &parcel->part;
    parcel->message.msg_iovlen = 1;
    parcel->message.msg_control = &parcel->control;
    parcel->message.msg_controllen = sizeof parcel->control;
}

int agent_send_descriptor(int connection, int descriptor) {
    struct parcel parcel;
    prepare(&parcel);
    struct cmsghdr *header = &parcel.control.header;
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof descriptor);
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    ssize_t count;
    do count = sendmsg(connection, &parcel.message, MSG_NOSIGNAL);
    while (count < 0 && errno == EINTR);
    return count == 1 ? 0 : -1;
}

int agent_receive_descriptor(int connection) {
    struct parcel parcel;
    prepare(&parcel);
    ssize_t count;
    do count = recvmsg(connection, &parcel.message, MSG_CMSG_CLOEXEC);
    while (count < 0 && errno == EINTR);
    if (count < 0) return -1;
    const struct cmsghdr *header = CMSG_FIRSTHDR(&parcel.message);
    if (count == 1 && header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
        header->cmsg_len == CMSG_LEN(sizeof(int))) {
        int descriptor;
        memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
        return descriptor;
    }
    errno = count == 0 ? EPIPE : EPROTO;
    return -1;
}
