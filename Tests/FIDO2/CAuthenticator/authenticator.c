// authenticatorGetInfo and authenticatorClientPIN, and the options.
//
// Faults of packets (hid.c): cut, oversized, sequence, channel, garbage, hang, eof, keepalive.
// Faults of every answer: truncated, trailing, deep, indefinite, duplicate, empty, error.
// Faults of operations (operations.c): wrong-credential, wrong-party, no-uv-flag, no-up-flag,
// no-extension, no-protection, weak-protection, wrong-signature, wrong-output-length, off-curve.
// off-curve also has `agreement`, and wrong-output-length `token`.
// Commands: init, info, tries, agreement, token, make, assert.
#include "internal.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t model[16] = "eosvault-test-01";

int authenticator_option(struct authenticator_options *options, const char *name, const char *value) {
    const struct {
        const char *name;
        int *flag;
    } flags[] = {
        {"--uv", &options->has_fingerprint},       {"--no-hmac-secret", &options->no_secret},
        {"--no-pin", &options->no_pin},            {"--never-touch", &options->never_touched},
        {"--no-permissions", &options->no_permissions}, {"--no-ctap2", &options->no_ctap2},
        {"--change-pin", &options->must_change},   {"--single-secret", &options->single_secret},
        {"--no-cred-protect", &options->no_protection},
    };
    for (size_t at = 0; at < sizeof flags / sizeof flags[0]; at++) {
        if (strcmp(name, flags[at].name) != 0) continue;
        *flags[at].flag = 1;
        return 1;
    }
    if (!value) return 0;
    if (strcmp(name, "--pin") == 0) options->pin = value;
    else if (strcmp(name, "--fault") == 0) options->fault = value;
    else if (strcmp(name, "--touch-after") == 0) options->touch_after = atoi(value);
    else if (strcmp(name, "--uv-fails") == 0) options->failed_fingerprints = atoi(value);
    else if (strcmp(name, "--minimum-pin") == 0) options->minimum_pin = atoi(value);
    else if (strcmp(name, "--protocol") == 0 && strcmp(value, "1") == 0) options->protocols = 1;
    else if (strcmp(name, "--protocol") == 0 && strcmp(value, "2") == 0) options->protocols = 2;
    else if (strcmp(name, "--protocol") == 0 && strcmp(value, "both") == 0) options->protocols = 3;
    else return 0;
    return 2;
}

int has_fault(const struct authenticator *self, const char *name) {
    const char *fault = self->options.fault, *mark = fault ? strchr(fault, '@') : NULL;
    if (!fault) return 0;
    const size_t count = mark ? (size_t)(mark - fault) : strlen(fault);
    if (strlen(name) != count || memcmp(fault, name, count) != 0) return 0;
    return !mark || (self->command && strcmp(mark + 1, self->command) == 0);
}

static int get_info(struct authenticator *self, struct buffer *out) {
    const struct authenticator_options *options = &self->options;
    put_head(out, 5, (uint64_t)(8 + options->must_change + (options->minimum_pin > 0)));
    put_number(out, 1);
    put_head(out, 4, options->no_permissions && !options->single_secret ? 1 : 2);
    put_text(out, "FIDO_2_0");
    if (options->single_secret) put_text(out, "U2F_V2");
    else if (!options->no_permissions) put_text(out, "FIDO_2_1");
    put_number(out, 2);
    put_head(out, 4, (uint64_t)(!options->no_protection + !options->no_secret));
    if (!options->no_protection) put_text(out, "credProtect");
    if (!options->no_secret) put_text(out, "hmac-secret");
    put_number(out, 3);
    put_blob(out, model, 16);
    put_number(out, 4);
    put_head(out, 5, (uint64_t)(2 + options->has_fingerprint + !options->no_pin + !options->no_permissions));
    put_text(out, "rk");
    put_bool(out, 0);
    put_text(out, "up");
    put_bool(out, 1);
    if (options->has_fingerprint) {
        put_text(out, "uv");
        put_bool(out, 1);
    }
    if (!options->no_pin) {
        put_text(out, "clientPin");
        put_bool(out, self->durable.has_pin);
    }
    if (!options->no_permissions) {
        put_text(out, "pinUvAuthToken");
        put_bool(out, 1);
    }
    put_number(out, 5);
    put_number(out, 1200);
    put_number(out, 6);
    put_head(out, 4, options->protocols == 3 ? 2 : 1);
    if (options->protocols & 2) put_number(out, 2);
    if (options->protocols & 1) put_number(out, 1);
    put_number(out, 7);
    put_number(out, 8);
    put_number(out, 8);
    put_number(out, 128);
    if (options->must_change) {
        put_number(out, 12);
        put_bool(out, 1);
    }
    if (options->minimum_pin > 0) {
        put_number(out, 13);
        put_number(out, options->minimum_pin);
    }
    return OK;
}

// MARK: authenticatorClientPIN

/// Agrees with the platform. Returns 1, or 0 for an invalid key.
static int agree(struct authenticator *self, struct item map, int protocol, struct agreed *keys) {
    uint8_t point[64], x[32];
    if (!read_key(member(map, 3), point) || !multiply_point(self->agreement, point, x)) return 0;
    derive_keys(keys, protocol, x);
    return 1;
}

/// Gives the token, encrypted.
static int give_token(
    struct authenticator *self, struct item map, const struct agreed *keys, int has_permissions,
    struct buffer *out) {
    random_bytes(self->token, 32);
    self->permissions = has_permissions ? (int)member(map, 9).number : 3;
    const struct item party = member(map, 10);
    self->has_party = has_permissions && party.kind == 3;
    if (self->has_party) sha256_of(party.content, party.count, self->party);
    uint8_t cipher[64];
    const size_t count = encrypt_blocks(keys, self->token, 32, cipher);
    put_head(out, 5, 1);
    put_number(out, 2);
    put_blob(out, cipher, has_fault(self, "wrong-output-length") ? count - 16 : count);
    return OK;
}

static int check_pin(struct authenticator *self, struct item map, const struct agreed *keys) {
    struct durable *durable = &self->durable;
    uint8_t hash[256];
    const struct item cipher = member(map, 6);
    if (!durable->has_pin) return PIN_NOT_SET;
    if (durable->tries == 0) return PIN_BLOCKED;
    if (self->wrong_in_row >= 3) return PIN_AUTH_BLOCKED;
    if (cipher.kind != 2) return MISSING_PARAMETER;
    durable->tries--;
    state_save(self);
    const size_t count = decrypt_blocks(keys, cipher.content, cipher.count, hash);
    if (count != 16 || memcmp(hash, durable->pin_hash, 16) != 0) {
        random_bytes(self->agreement, 32);
        make_scalar(self->agreement);
        if (durable->tries == 0) return PIN_BLOCKED;
        return ++self->wrong_in_row >= 3 ? PIN_AUTH_BLOCKED : PIN_INVALID;
    }
    self->wrong_in_row = 0;
    durable->tries = TRIES;
    durable->fingerprint_tries = FINGERPRINT_TRIES;
    state_save(self);
    return OK;
}

int verify_fingerprint(struct authenticator *self) {
    struct durable *durable = &self->durable;
    if (!self->options.has_fingerprint) return INVALID_OPTION;
    if (durable->fingerprint_tries == 0) return UV_BLOCKED;
    int status = wait_for_touch(self);
    if (status != OK) return status;
    if (self->fingerprints++ < self->options.failed_fingerprints) {
        durable->fingerprint_tries--;
        state_save(self);
        return UV_INVALID;
    }
    durable->fingerprint_tries = FINGERPRINT_TRIES;
    state_save(self);
    return OK;
}

int client_pin(struct authenticator *self, struct item map, struct buffer *out) {
    const struct item command = member(map, 2);
    const int protocol = (int)member(map, 1).number;
    if (command.kind != 0) return MISSING_PARAMETER;
    if (command.number == 1 || command.number == 7) {
        put_head(out, 5, 1);
        put_number(out, command.number == 1 ? 3 : 5);
        put_number(out, command.number == 1 ? self->durable.tries : self->durable.fingerprint_tries);
        return OK;
    }
    if ((protocol != 1 && protocol != 2) || !(self->options.protocols & protocol)) return INVALID_PARAMETER;
    struct agreed keys;
    uint8_t point[64];
    int status = OK;
    switch (command.number) {
    case 2:
        public_point(self->agreement, point);
        if (has_fault(self, "off-curve")) point[63] ^= 1;
        put_head(out, 5, 1);
        put_number(out, 1);
        put_key(out, point, -25);
        return OK;
    case 5:
        if (!agree(self, map, protocol, &keys)) return INVALID_PARAMETER;
        status = check_pin(self, map, &keys);
        return status != OK ? status : give_token(self, map, &keys, 0, out);
    case 6:
    case 9:
        if (self->options.no_permissions) return INVALID_SUBCOMMAND;
        if (member(map, 9).kind != 0 || member(map, 9).number == 0) return MISSING_PARAMETER;
        if (!agree(self, map, protocol, &keys)) return INVALID_PARAMETER;
        status = command.number == 9 ? check_pin(self, map, &keys) : verify_fingerprint(self);
        return status != OK ? status : give_token(self, map, &keys, 1, out);
    default: return INVALID_SUBCOMMAND;
    }
}

// MARK: commands

static const char *name_of(const uint8_t *request, struct item map) {
    const uint64_t number = member(map, 2).number;
    switch (request[0]) {
    case 1: return "make";
    case 2: return "assert";
    case 4: return "info";
    default: return number == 1 || number == 7 ? "tries" : number == 2 ? "agreement" : "token";
    }
}

/// Changes a correct answer.
static void spoil(struct authenticator *self, struct buffer *answer) {
    static const uint8_t deep[] = {0xa1, 1, 0x81, 0x81, 0x81, 0x81, 0};
    struct buffer changed = {.count = 0};
    if (has_fault(self, "truncated")) answer->count = 1 + answer->count / 2;
    if (has_fault(self, "empty")) answer->count = 0;
    if (has_fault(self, "trailing")) put_byte(answer, 0);
    if (has_fault(self, "error")) {
        answer->bytes[0] = 0x7f;
        answer->count = 1;
    }
    if (has_fault(self, "deep")) {
        answer->count = 1;
        put_bytes(answer, deep, sizeof deep);
    }
    if (answer->count < 2 || answer->bytes[1] >> 5 != 5) return;
    if (has_fault(self, "indefinite")) {
        answer->bytes[1] = 0xbf;
        put_byte(answer, 0xff);
    }
    if (has_fault(self, "duplicate")) {
        // The first entry twice.
        const uint8_t *end = answer->bytes + answer->count;
        const struct item key = read_item(answer->bytes + 2, end), value = read_item(key.next, end);
        put_bytes(&changed, answer->bytes, 1);
        put_byte(&changed, (uint8_t)(answer->bytes[1] + 1));
        put_bytes(&changed, answer->bytes + 2, (size_t)(value.next - answer->bytes - 2));
        put_bytes(&changed, answer->bytes + 2, answer->count - 2);
        *answer = changed;
    }
}

void perform_command(struct authenticator *self, const uint8_t *request, size_t count, struct buffer *answer) {
    const uint8_t *end = request + count;
    const struct item map = read_item(request + 1, end);
    int status = INVALID_COMMAND;
    struct buffer out = {.count = 0};
    answer->count = 0;
    if (count > 1 && (map.kind != 5 || map.next != end)) {
        put_byte(answer, INVALID_CBOR);
        return;
    }
    self->command = name_of(request, map);
    switch (request[0]) {
    case 1: status = make_credential(self, map, &out); break;
    case 2: status = get_assertion(self, map, &out); break;
    case 4: status = get_info(self, &out); break;
    case 6: status = self->options.no_pin && !self->options.has_fingerprint ? INVALID_COMMAND
                                                                            : client_pin(self, map, &out);
    }
    put_byte(answer, (uint8_t)status);
    if (status == OK) put_bytes(answer, out.bytes, out.count);
    spoil(self, answer);
}
