#include "with-tpm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t command[MOST], answer[MOST];
static size_t count;

static void add(uint32_t value, size_t bytes) {
    while (bytes-- > 0) command[count++] = (uint8_t)(value >> 8 * bytes);
}

/// Begins a command without sessions.
static void begin(uint32_t code) {
    count = 0;
    add(0x8001, 2);
    add(0, 4);
    add(code, 4);
}

/// Begins a command with one handle and an empty password.
static void begin_authorized(uint32_t code, uint32_t handle) {
    begin(code);
    command[1] = 2;
    add(handle, 4);
    add(9, 4);
    add(0x40000009, 4);
    // No nonce, no attributes, no password.
    add(0, 2);
    add(0, 1);
    add(0, 2);
}

static uint32_t send(void) {
    const size_t size = count;
    command[2] = command[3] = 0;
    command[4] = (uint8_t)(size >> 8);
    command[5] = (uint8_t)size;
    return ask(command, size, answer) >= 10 ? number(answer + 6) : UINT32_MAX;
}

static void must(const char *what) {
    if (send() == 0) return;
    fprintf(stderr, "with-tpm: %s: error 0x%x\n", what, number(answer + 6));
    fail("the TPM is not set up");
}

enum { LOCKOUT = 0x4000000a, PLATFORM = 0x4000000c, OWNER = 0x40000001 };

int set_up(const char *option, const char *value) {
    if (strcmp(option, "--clear") == 0) {
        begin_authorized(0x126, PLATFORM);
        must(option);
        return 0;
    }
    if (strcmp(option, "--extend") == 0) {
        begin_authorized(0x182, (uint32_t)atoi(value));
        add(1, 4);
        add(0x000b, 2);
        for (int index = 0; index < 32; index++) add(0x5a, 1);
        must(option);
        return 1;
    }
    if (strcmp(option, "--owner-password") == 0) {
        begin_authorized(0x129, OWNER);
        add(1, 2);
        add('x', 1);
        must(option);
        return 0;
    }
    if (strcmp(option, "--reset-lockout") == 0) {
        begin_authorized(0x139, LOCKOUT);
        must(option);
        return 0;
    }
    if (strcmp(option, "--lockout-settings") == 0) {
        unsigned maximum, interval, recovery;
        if (sscanf(value, "%u,%u,%u", &maximum, &interval, &recovery) != 3) fail("three numbers are needed");
        begin_authorized(0x13a, LOCKOUT);
        add(maximum, 4);
        add(interval, 4);
        add(recovery, 4);
        must(option);
        return 1;
    }
    fail("there is no such option");
}

static int count_from(uint32_t first) {
    begin(0x17a);
    add(1, 4);
    add(first, 4);
    add(64, 4);
    if (send() != 0) return 0;
    const int left = (int)number(answer + 15);
    for (int index = 0; index < left; index++)
        fprintf(stderr, "with-tpm: 0x%08x is left in the TPM\n", number(answer + 19 + 4 * index));
    return left;
}

int count_left(void) { return count_from(0x80000000) + count_from(0x02000000); }

void shut_down(void) {
    begin(0x145);
    add(0, 2);
    send();
}
