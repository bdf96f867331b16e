#define _GNU_SOURCE
#include "tpm.h"

#include "signals.h"

#include <errno.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

enum { HEADER = 10 };

int64_t tpm_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/// Waits until the file is ready. Returns 0, TPM_TIMED_OUT, TPM_CANCELLED or TPM_GONE.
static int wait_for(int file, short events, int64_t end) {
    // A signal that is held back does not interrupt poll(2).
    enum { SLICE = 100 };
    while (1) {
        const int64_t left = end - tpm_now();
        struct pollfd poll_file = {.fd = file, .events = events};
        const int ready = poll(&poll_file, 1, left > SLICE ? SLICE : left > 0 ? (int)left : 0);
        if (ready > 0) return poll_file.revents & POLLNVAL ? TPM_GONE : 0;
        if (ready < 0 && errno != EINTR) return TPM_GONE;
        if (ready == 0 && left <= SLICE) return TPM_TIMED_OUT;
        if (ready == 0 && signals_end_is_pending()) return TPM_CANCELLED;
    }
}

static int may_be_repeated(void) { return errno == EINTR || errno == EAGAIN; }

/// Drops what is left of an earlier answer, until nothing comes for some milliseconds. Returns 0 or
/// TPM_GONE.
static int drop_answer(int file, uint8_t *buffer, int64_t end, int silence) {
    while (tpm_now() <= end && wait_for(file, POLLIN, tpm_now() + silence) == 0) {
        const ssize_t count = read(file, buffer, TPM_MOST);
        // A TPM's device is readable before its first command, and has no bytes then.
        if (count == 0 || (count < 0 && errno == EAGAIN)) break;
        if (count < 0 && errno != EINTR) return TPM_GONE;
    }
    return 0;
}

static int write_command(int file, const uint8_t *command, size_t count, int64_t end) {
    size_t offset = 0;
    while (offset < count) {
        const int result = wait_for(file, POLLOUT, end);
        if (result != 0) return result;
        const ssize_t written = write(file, command + offset, count - offset);
        if (written > 0) offset += (size_t)written;
        // Linux still runs the command before this one.
        else if (written < 0 && errno == EBUSY) return TPM_TIMED_OUT;
        else if (written == 0 || !may_be_repeated()) return TPM_GONE;
        else if (tpm_now() > end) return TPM_TIMED_OUT;
    }
    return 0;
}

/// The size in the header of an answer.
static size_t stated_size(const uint8_t *answer) {
    return (size_t)answer[2] << 24 | (size_t)answer[3] << 16 | (size_t)answer[4] << 8 | answer[5];
}

/// Reads an answer. Returns its size, or one of the values of `tpm_exchange`.
static long read_answer(int file, uint8_t *answer, int64_t end) {
    size_t got = 0;
    while (1) {
        const int result = wait_for(file, POLLIN, end);
        if (result != 0) return result;
        const ssize_t more = read(file, answer + got, TPM_MOST - got);
        if (more < 0 && may_be_repeated()) continue;
        if (more <= 0) return got == 0 ? TPM_GONE : TPM_INVALID_ANSWER;
        got += (size_t)more;
        if (got < HEADER) continue;
        const size_t stated = stated_size(answer);
        if (stated < HEADER || stated > TPM_MOST || got > stated) return TPM_INVALID_ANSWER;
        if (got == stated) return (long)got;
    }
}

long tpm_exchange(
    int file, const uint8_t *command, size_t count, uint8_t answer[TPM_MOST], int milliseconds, int owed) {
    enum { SILENCE = 50 };
    // poll(2) ignores a negative descriptor.
    if (file < 0) return TPM_GONE;
    if (owed > 0) wait_for(file, POLLIN, tpm_now() + owed);
    const int64_t end = tpm_now() + milliseconds;
    int result = drop_answer(file, answer, end, owed > 0 ? SILENCE : 0);
    if (result == 0) result = write_command(file, command, count, end);
    if (result != 0) return result;
    const long size = read_answer(file, answer, end);
    // The rest must not be taken for the next answer.
    if (size == TPM_INVALID_ANSWER) drop_answer(file, answer, end, SILENCE);
    return size;
}

void tpm_pause(int milliseconds) {
    struct timespec time = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};
    while (nanosleep(&time, &time) != 0 && errno == EINTR) continue;
}
