// CTAPHID: CTAP 2.1, section 11.2.
#include "internal.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { PACKET = 64, REPORT = PACKET + 1, FIRST = PACKET - 7, NEXT = PACKET - 5, MAXIMUM = 7609 };
enum { PING = 0x01, INIT = 0x06, CBOR = 0x10, CANCEL = 0x11, KEEPALIVE = 0x3b, ERROR = 0x3f };

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/// Reads a report. Returns 1, 0 if the time is over, or -1 at the end.
static int read_report(int descriptor, uint8_t report[REPORT], int milliseconds) {
    size_t count = 0;
    while (count < REPORT) {
        struct pollfd entry = {.fd = descriptor, .events = POLLIN};
        const int ready = poll(&entry, 1, count ? -1 : milliseconds);
        if (ready < 0 && errno == EINTR) continue;
        if (ready == 0) return 0;
        const ssize_t got = ready < 0 ? -1 : read(descriptor, report + count, REPORT - count);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return -1;
        count += (size_t)got;
    }
    return 1;
}

static int write_packet(int descriptor, const uint8_t packet[PACKET]) {
    size_t count = 0;
    while (count < PACKET) {
        const ssize_t put = send(descriptor, packet + count, PACKET - count, MSG_NOSIGNAL);
        const ssize_t done = put < 0 && errno == ENOTSOCK ? write(descriptor, packet + count, PACKET - count) : put;
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return -1;
        count += (size_t)done;
    }
    return 0;
}

static void put_channel(uint8_t *packet, uint32_t channel) {
    for (int at = 0; at < 4; at++) packet[at] = (uint8_t)(channel >> (24 - 8 * at));
}

/// Sends a message. stated: the count in its first packet.
static int write_message(
    struct authenticator *self, uint32_t channel, int command, const uint8_t *bytes, size_t count, size_t stated) {
    uint8_t packet[PACKET] = {0};
    put_channel(packet, has_fault(self, "channel") && command != KEEPALIVE ? channel ^ 0x100 : channel);
    packet[4] = (uint8_t)(0x80 | command);
    packet[5] = (uint8_t)(stated >> 8);
    packet[6] = (uint8_t)stated;
    size_t done = count < FIRST ? count : FIRST;
    memcpy(packet + 7, bytes, done);
    if (write_packet(self->descriptor, packet) != 0) return -1;
    for (int sequence = 0; done < count; sequence++) {
        const size_t part = count - done < NEXT ? count - done : NEXT;
        memset(packet + 4, 0, PACKET - 4);
        packet[4] = (uint8_t)(sequence + (has_fault(self, "sequence") ? 1 : 0));
        memcpy(packet + 5, bytes + done, part);
        if (write_packet(self->descriptor, packet) != 0) return -1;
        done += part;
    }
    return 0;
}

/// Sends an answer, with the faults of packets. Returns -1 at the end.
static int answer(struct authenticator *self, uint32_t channel, int command, const uint8_t *bytes, size_t count) {
    static const uint8_t zeros[MAXIMUM] = {0};
    uint8_t noise[PACKET];
    if (has_fault(self, "hang")) return 0;
    if (has_fault(self, "eof")) return -1;
    if (has_fault(self, "garbage")) {
        random_bytes(noise, PACKET);
        put_channel(noise, channel);
        noise[4] &= 0x7f;
        return write_packet(self->descriptor, noise);
    }
    if (has_fault(self, "oversized")) return write_message(self, channel, command, zeros, MAXIMUM, MAXIMUM);
    if (has_fault(self, "cut")) return write_message(self, channel, command, bytes, count < FIRST ? count : FIRST, 600);
    if (has_fault(self, "sequence") && count <= FIRST)
        return write_message(self, channel, command, zeros, FIRST + 20, FIRST + 20);
    if (has_fault(self, "keepalive")) {
        noise[0] = 9;
        if (write_message(self, channel, KEEPALIVE, noise, 1, 1) != 0) return -1;
    }
    return write_message(self, channel, command, bytes, count, count);
}

int wait_for_touch(struct authenticator *self) {
    const long start = now(), limit = 30000;
    uint8_t report[REPORT];
    for (;;) {
        const long passed = now() - start;
        if (!self->options.never_touched && passed >= self->options.touch_after) return OK;
        if (passed >= limit) return USER_ACTION_TIMEOUT;
        const uint8_t status = 2;
        if (write_message(self, self->channel, KEEPALIVE, &status, 1, 1) != 0) return USER_ACTION_TIMEOUT;
        const long left = self->options.never_touched ? 100 : self->options.touch_after - passed;
        const int got = read_report(self->descriptor, report, (int)(left < 100 ? left : 100));
        if (got < 0) return USER_ACTION_TIMEOUT;
        if (got > 0 && report[5] == (0x80 | CANCEL)) return KEEPALIVE_CANCEL;
    }
}

static int initialise(struct authenticator *self, uint32_t channel, const uint8_t *message, size_t count) {
    uint8_t bytes[17] = {0};
    if (count != 8) return 0;
    memcpy(bytes, message, 8);
    if (has_fault(self, "truncated")) bytes[0] ^= 1;
    put_channel(bytes + 8, channel == 0xffffffff ? ++self->last_channel : channel);
    bytes[12] = 2;
    bytes[16] = self->options.no_ctap2 ? 0 : 0x0c;
    return answer(self, channel, INIT, bytes, sizeof bytes);
}

/// Runs a complete message. Returns -1 at the end.
static int run(struct authenticator *self, int command, const uint8_t *message, size_t count) {
    const uint8_t invalid = 0x01, no_channel = 0x0b;
    self->command = "init";
    if (command == INIT) return initialise(self, self->channel, message, count);
    if (self->channel == 0 || self->channel > self->last_channel)
        return write_message(self, self->channel, ERROR, &no_channel, 1, 1);
    if (command == PING) return answer(self, self->channel, PING, message, count);
    if (command == CANCEL) return 0;
    if (command != CBOR || count == 0) return write_message(self, self->channel, ERROR, &invalid, 1, 1);
    struct buffer *out = calloc(1, sizeof *out);
    if (!out) return -1;
    perform_command(self, message, count, out);
    const int result = answer(self, self->channel, CBOR, out->bytes, out->count);
    free(out);
    return result;
}

static uint32_t channel_of(const uint8_t *packet) {
    return (uint32_t)packet[0] << 24 | (uint32_t)packet[1] << 16 | (uint32_t)packet[2] << 8 | packet[3];
}

/// Reads messages until the end. A message of another channel meanwhile is refused by silence.
static void serve(struct authenticator *self) {
    uint8_t report[REPORT], message[MAXIMUM + PACKET];
    size_t count = 0, expected = 0;
    int command = -1, sequence = 0;
    while (read_report(self->descriptor, report, -1) > 0) {
        const uint8_t *packet = report + 1;
        // Each report has a number, which is 0.
        if (report[0] != 0) return;
        if (packet[4] & 0x80) {
            self->channel = channel_of(packet);
            command = packet[4] & 0x7f;
            expected = (size_t)packet[5] << 8 | packet[6];
            count = expected < FIRST ? expected : FIRST;
            sequence = 0;
            memcpy(message, packet + 7, FIRST);
        } else {
            if (command < 0 || packet[4] != sequence++ || channel_of(packet) != self->channel) return;
            const size_t part = expected - count < NEXT ? expected - count : NEXT;
            memcpy(message + count, packet + 5, part);
            count += part;
        }
        if (expected > MAXIMUM) return;
        if (count < expected) continue;
        if (run(self, command, message, count) != 0) return;
        command = -1;
    }
}

int authenticator_serve(int descriptor, const struct authenticator_options *options) {
    struct authenticator *self = calloc(1, sizeof *self);
    if (!self) return -1;
    self->options = *options;
    if (self->options.protocols == 0) self->options.protocols = 3;
    // CTAP 2.0 has no permissions.
    self->options.no_permissions |= self->options.single_secret;
    self->descriptor = descriptor;
    const int result = state_open(self);
    if (result == 0) serve(self);
    close(descriptor);
    free(self);
    return result;
}

struct start {
    int descriptor;
    struct authenticator_options options;
};

static void *serve_thread(void *argument) {
    struct start *start = argument;
    authenticator_serve(start->descriptor, &start->options);
    free(start);
    return NULL;
}

int authenticator_start(const struct authenticator_options *options) {
    int ends[2];
    pthread_t thread;
    struct start *start = calloc(1, sizeof *start);
    if (!start || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return -1;
    *start = (struct start){ends[1], *options};
    if (pthread_create(&thread, NULL, serve_thread, start) != 0) return -1;
    pthread_detach(thread);
    return ends[0];
}
