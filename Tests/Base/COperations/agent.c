#define _GNU_SOURCE
#include "operations.h"
#include "rows.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>

// MARK: descriptors that exist when the sandbox begins

static int place(int file, int number) { return file < 0 || dup2(file, number) < 0 ? -1 : close(file); }

static int make_pair(void) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return -1;
    return place(pair[0], OPERATION_PAIR) != 0 ? -1 : place(pair[1], OPERATION_OTHER_END);
}

/// Sends descriptor 0 and a byte.
static int send_descriptor(int file) {
    char byte = 'd';
    struct iovec part = {&byte, 1};
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {.header = {CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
    memset(CMSG_DATA(&control.header), 0, sizeof(int));
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    return sendmsg(file, &message, 0) == 1 ? 0 : -1;
}

int agent_operations_prepare(void) {
    if (place(operation_connect("socket"), OPERATION_CLIENT) != 0 || make_pair() != 0) return -1;
    if (place(timerfd_create(CLOCK_BOOTTIME, 0), OPERATION_TIMER) != 0) return -1;
    if (place(eventfd(0, 0), OPERATION_EVENT) != 0) return -1;
    if (place(inotify_init1(IN_NONBLOCK), OPERATION_WATCH) != 0) return -1;
    if (place(socket(AF_UNIX, SOCK_DGRAM, 0), OPERATION_DATAGRAM) != 0) return -1;
    return inotify_add_watch(OPERATION_WATCH, "inside", IN_DELETE) < 0 ? -1 : 0;
}

// MARK: what an agent needs

OPERATION(accept_client) {
    struct ucred peer;
    socklen_t length = sizeof peer;
    int file = accept4(OPERATION_LISTENER, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    RESULT(file < 0 ? -1 : getsockopt(file, SOL_SOCKET, SO_PEERCRED, &peer, &length));
}
OPERATION(send_and_receive) {
    char byte;
    if (send(OPERATION_OTHER_END, "x", 1, MSG_NOSIGNAL) != 1) return errno;
    if (recv(OPERATION_PAIR, &byte, 1, MSG_PEEK | MSG_DONTWAIT) != 1) return errno;
    RESULT(shutdown(OPERATION_PAIR, SHUT_WR));
}
OPERATION(receive_descriptor) {
    char byte;
    struct iovec part = {&byte, 1};
    char control[CMSG_SPACE(sizeof(int))];
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    RESULT(recvmsg(OPERATION_PAIR, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT) < 0 && errno != EAGAIN ? -1 : 0);
}
OPERATION(set_timer) {
    struct itimerspec time = {.it_value = {.tv_sec = 1 << 30}};
    RESULT(timerfd_settime(OPERATION_TIMER, TFD_TIMER_ABSTIME, &time, NULL));
}
OPERATION(use_event) {
    uint64_t count = 1;
    if (write(OPERATION_EVENT, &count, sizeof count) != sizeof count) return errno;
    RESULT(read(OPERATION_EVENT, &count, sizeof count));
}
OPERATION(see_a_removal) {
    char event[4096];
    if (unlink("inside/file") != 0) return errno;
    RESULT(read(OPERATION_WATCH, event, sizeof event));
}
OPERATION(name_of_parent) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/comm", operation_parent());
    RESULT(open(path, O_RDONLY));
}
OPERATION(remove_named_socket) { RESULT(unlink("run/agent")); }

// MARK: what it must not do

OPERATION(create_by_socket) { RESULT(open("run/new", O_WRONLY | O_CREAT | O_EXCL, 0600)); }
OPERATION(send_to_address) {
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "datagrams"};
    RESULT(sendto(OPERATION_DATAGRAM, "x", 1, 0, (struct sockaddr *)&address, sizeof address));
}
OPERATION(send_a_descriptor) { RESULT(send_descriptor(OPERATION_OTHER_END)); }
OPERATION(connect_datagrams) {
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "datagrams"};
    RESULT(connect(OPERATION_DATAGRAM, (struct sockaddr *)&address, sizeof address));
}
OPERATION(bind_datagrams) {
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "run/new"};
    RESULT(bind(OPERATION_DATAGRAM, (struct sockaddr *)&address, sizeof address));
}
OPERATION(listen_again) { RESULT(listen(OPERATION_LISTENER, 8)); }
OPERATION(set_socket_option) {
    int on = 1;
    RESULT(setsockopt(OPERATION_PAIR, SOL_SOCKET, SO_PASSCRED, &on, sizeof on));
}
OPERATION(watch_more) { RESULT(inotify_add_watch(OPERATION_WATCH, "outside", IN_DELETE)); }
OPERATION(make_timer) { RESULT(timerfd_create(CLOCK_BOOTTIME, 0)); }
OPERATION(make_event) { RESULT(eventfd(0, 0)); }
const struct operation agent_operations[] = {
    ROW(accept_client), ROW(send_and_receive), ROW(receive_descriptor), ROW(set_timer), ROW(use_event),
    ROW(see_a_removal), ROW(name_of_parent), ROW(remove_named_socket),
    ROW(create_by_socket), ROW(send_to_address), ROW(send_a_descriptor), ROW(connect_datagrams),
    ROW(bind_datagrams), ROW(listen_again), ROW(set_socket_option), ROW(watch_more), ROW(make_timer),
    ROW(make_event),
    {NULL, NULL},
};
