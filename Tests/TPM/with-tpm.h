#ifndef EOSVAULT_WITH_TPM_H
#define EOSVAULT_WITH_TPM_H

#include <stddef.h>
#include <stdint.h>

enum { MOST = 4096 };

_Noreturn void fail(const char *message);

static inline uint32_t number(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/// Sends a command to swtpm. Returns the size of the answer.
size_t ask(const uint8_t *command, size_t count, uint8_t *answer);

// faults.c

struct fault {
    const char *name;
    /// 0: each command.
    size_t index;
    uint32_t code;
    /// How often TPM_RC_RETRY was the answer to a command.
    size_t repeated;
};

/// The result of `damage` that closes the connection.
#define CLOSED SIZE_MAX

void parse_fault(struct fault *fault, const char *text);
/// index: of the command, from 1.
int applies(const struct fault *fault, size_t index, const uint8_t *command);
/// True if the command is not passed on, and the answer is TPM_RC_RETRY.
int asks_to_repeat(const struct fault *fault, const uint8_t *command);
/// Writes the answer to a command that is not passed on. Returns its size; 0 to pass it on.
size_t imitate(const struct fault *fault, const uint8_t *command, uint8_t *answer);
/// Changes an answer, in a buffer of 2 * MOST bytes. Returns its size, 0 for none.
size_t damage(const struct fault *fault, uint8_t *answer, size_t count);

// setup.c

/// Sends the command of an option. Returns how many further arguments the option has.
int set_up(const char *option, const char *value);
/// Prints the objects and sessions in the TPM, and returns their number.
int count_left(void);
void shut_down(void);

#endif
