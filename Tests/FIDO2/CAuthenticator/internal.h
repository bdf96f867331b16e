// The state of one authenticator.
#ifndef AUTHENTICATOR_INTERNAL_H
#define AUTHENTICATOR_INTERNAL_H

#include "authenticator.h"
#include "cbor.h"
#include "crypto.h"

enum { TRIES = 8, FINGERPRINT_TRIES = 5 };

/// Status codes of CTAP 2.1, section 8.2.
enum {
    OK = 0x00,
    INVALID_COMMAND = 0x01,
    INVALID_PARAMETER = 0x02,
    INVALID_CBOR = 0x12,
    MISSING_PARAMETER = 0x14,
    UNSUPPORTED_ALGORITHM = 0x26,
    INVALID_OPTION = 0x2c,
    KEEPALIVE_CANCEL = 0x2d,
    NO_CREDENTIALS = 0x2e,
    USER_ACTION_TIMEOUT = 0x2f,
    PIN_INVALID = 0x31,
    PIN_BLOCKED = 0x32,
    PIN_AUTH_INVALID = 0x33,
    PIN_AUTH_BLOCKED = 0x34,
    PIN_NOT_SET = 0x35,
    PUAT_REQUIRED = 0x36,
    UV_BLOCKED = 0x3c,
    INVALID_SUBCOMMAND = 0x3e,
    UV_INVALID = 0x3f,
};

/// What a file keeps across starts.
struct durable {
    uint8_t magic[8];
    uint8_t master[32];
    uint8_t pin_hash[16];
    uint8_t has_pin, tries, fingerprint_tries, unused;
    uint32_t counter;
};

struct authenticator {
    struct authenticator_options options;
    struct durable durable;
    int descriptor;
    /// The wrong PINs in a row since the start, and the fingerprints that failed.
    int wrong_in_row, fingerprints;
    uint8_t agreement[32];
    uint8_t token[32];
    /// The permissions of the token, and the hash of the party's id if it has one.
    int permissions, has_party;
    uint8_t party[32];
    /// The command that runs, for faults.
    const char *command;
    uint32_t channel, last_channel;
    int is_cancelled;
};

/// Reads or makes the state. Returns 0, or -1.
int state_open(struct authenticator *self);
void state_save(struct authenticator *self);

/// True if the command that runs has this fault.
int has_fault(const struct authenticator *self, const char *name);

/// Runs a command. answer: receives the status and the CBOR.
void perform_command(struct authenticator *self, const uint8_t *request, size_t count, struct buffer *answer);
int client_pin(struct authenticator *self, struct item map, struct buffer *out);
int make_credential(struct authenticator *self, struct item map, struct buffer *out);
int get_assertion(struct authenticator *self, struct item map, struct buffer *out);

/// Sends keepalives until the touch. Returns OK, or the status of a refusal.
int wait_for_touch(struct authenticator *self);
/// Tries a fingerprint. Returns OK, or the status of a refusal.
int verify_fingerprint(struct authenticator *self);

#endif
