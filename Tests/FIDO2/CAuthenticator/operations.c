// authenticatorMakeCredential and authenticatorGetAssertion, with hmac-secret and credProtect.
//
// A credential id is 32 random bytes, the level of protection, and their code by the master key,
// from which the private key and the secrets are derived.
#include "internal.h"

#include <string.h>

enum { NONCE = 32, LEVEL = NONCE, CODE = LEVEL + 1, ID = CODE + 16 };
/// credProtect: CTAP 2.1, section 12.1.
enum { NO_PROTECTION = 1, VERIFICATION_REQUIRED = 3 };

static void derived(
    const struct authenticator *self, const char *use, const uint8_t party[32], const uint8_t nonce[NONCE],
    uint8_t result[32]) {
    struct buffer message = {.count = 0};
    put_bytes(&message, use, strlen(use));
    put_bytes(&message, party, 32);
    put_bytes(&message, nonce, NONCE);
    hmac_sha256(self->durable.master, 32, message.bytes, message.count, result);
}

static void make_id(
    const struct authenticator *self, const uint8_t party[32], const uint8_t nonce[NONCE], uint8_t level,
    uint8_t id[ID]) {
    const char use[] = {'i', 'd', (char)level, 0};
    uint8_t code[32];
    derived(self, use, party, nonce, code);
    memcpy(id, nonce, NONCE);
    id[LEVEL] = level;
    memcpy(id + CODE, code, ID - CODE);
}

static void key_of(
    const struct authenticator *self, const uint8_t party[32], const uint8_t *nonce, uint8_t scalar[32]) {
    derived(self, "key", party, nonce, scalar);
    make_scalar(scalar);
}

/// Verifies the user, by a token or a fingerprint, and waits for the touch.
/// hash, code, protocol: the members of the request. permission: of the command.
static int permit_operation(
    struct authenticator *self, const uint8_t party[32], struct item hash, struct item code,
    struct item protocol, struct item options, int permission, uint8_t *flags) {
    int status = OK;
    if (code.kind == 2) {
        if (protocol.kind != 0 || !(self->options.protocols & (int)protocol.number)) return INVALID_PARAMETER;
        if (!is_code(
                (int)protocol.number, self->token, 32, hash.content, hash.count, code.content, code.count))
            return PIN_AUTH_INVALID;
        if (!(self->permissions & permission)) return PIN_AUTH_INVALID;
        if (self->has_party && memcmp(self->party, party, 32) != 0) return PIN_AUTH_INVALID;
        *flags |= 0x04;
    } else if (member_named(options, "uv").number == 21) {
        status = verify_fingerprint(self);
        if (status != OK) return status;
        *flags |= 0x04;
    } else if (permission == 1 && (self->durable.has_pin || self->options.has_fingerprint)) {
        return PUAT_REQUIRED;
    }
    if (permission == 2 && member_named(options, "up").number == 20) return OK;
    status = wait_for_touch(self);
    if (status != OK) return status;
    *flags |= 0x01;
    // A token permits one operation with a touch.
    random_bytes(self->token, 32);
    return OK;
}

/// The start of the authenticator data.
static void put_start(struct authenticator *self, struct buffer *data, const uint8_t party[32], uint8_t flags) {
    uint8_t hash[32];
    memcpy(hash, party, 32);
    if (has_fault(self, "wrong-party")) hash[0] ^= 1;
    if (has_fault(self, "no-uv-flag")) flags &= (uint8_t)~0x04;
    if (has_fault(self, "no-up-flag")) flags &= (uint8_t)~0x01;
    const uint32_t counter = ++self->durable.counter;
    state_save(self);
    put_bytes(data, hash, 32);
    put_byte(data, flags);
    for (int shift = 24; shift >= 0; shift -= 8) put_byte(data, (uint8_t)(counter >> shift));
}

static size_t sign_data(
    struct authenticator *self, const struct buffer *data, struct item hash, const uint8_t scalar[32],
    uint8_t signature[80]) {
    struct buffer message = *data;
    uint8_t digest[32];
    put_bytes(&message, hash.content, hash.count);
    if (has_fault(self, "wrong-signature")) put_byte(&message, 0);
    sha256_of(message.bytes, message.count, digest);
    return sign_digest(scalar, digest, signature);
}

/// True if the list of algorithms has ES256.
static int has_algorithm(struct item list) {
    const uint8_t *at = list.content, *end = list.content + list.count;
    while (list.kind == 4 && at < end) {
        const struct item entry = read_item(at, end), number = member_named(entry, "alg");
        if (number.kind == 1 && number.number == 6) return 1;
        at = entry.next;
    }
    return 0;
}

int make_credential(struct authenticator *self, struct item map, struct buffer *out) {
    const struct item hash = member(map, 1), name = member_named(member(map, 2), "id");
    const struct item user = member_named(member(map, 3), "id"), extensions = member(map, 6);
    if (hash.kind != 2 || hash.count != 32 || name.kind != 3 || user.kind != 2) return MISSING_PARAMETER;
    if (!has_algorithm(member(map, 4))) return UNSUPPORTED_ALGORITHM;
    if (member_named(member(map, 7), "rk").number == 21) return INVALID_OPTION;
    uint8_t party[32], flags = 0, nonce[NONCE], id[ID], scalar[32], point[64], signature[80];
    sha256_of(name.content, name.count, party);
    int status = permit_operation(self, party, hash, member(map, 8), member(map, 9), member(map, 7), 1, &flags);
    if (status != OK) return status;
    const int has_secret = !self->options.no_secret && member_named(extensions, "hmac-secret").number == 21 &&
                           !has_fault(self, "no-extension");
    const struct item wanted = member_named(extensions, "credProtect");
    const int is_protected = !self->options.no_protection && wanted.kind == 0 && wanted.number >= NO_PROTECTION &&
                             wanted.number <= VERIFICATION_REQUIRED;
    const int shows_level = is_protected && !has_fault(self, "no-protection");
    random_bytes(nonce, NONCE);
    make_id(self, party, nonce, is_protected ? (uint8_t)wanted.number : NO_PROTECTION, id);
    key_of(self, party, nonce, scalar);
    public_point(scalar, point);
    if (has_fault(self, "off-curve")) point[63] ^= 1;
    struct buffer data = {.count = 0};
    put_start(self, &data, party, flags | 0x40 | (has_secret || shows_level ? 0x80 : 0));
    put_bytes(&data, "eosvault-test-01", 16);
    put_byte(&data, 0);
    put_byte(&data, ID);
    put_bytes(&data, id, ID);
    put_key(&data, point, -7);
    if (has_secret || shows_level) put_head(&data, 5, (uint64_t)(has_secret + shows_level));
    if (shows_level) {
        put_text(&data, "credProtect");
        put_number(&data, (int)wanted.number - has_fault(self, "weak-protection"));
    }
    if (has_secret) {
        put_text(&data, "hmac-secret");
        put_bool(&data, 1);
    }
    const size_t count = sign_data(self, &data, hash, scalar, signature);
    put_head(out, 5, 3);
    put_number(out, 1);
    put_text(out, "packed");
    put_number(out, 2);
    put_blob(out, data.bytes, data.count);
    put_number(out, 3);
    put_head(out, 5, 2);
    put_text(out, "alg");
    put_number(out, -7);
    put_text(out, "sig");
    put_blob(out, signature, count);
    return OK;
}

/// The output of hmac-secret. Returns OK and the encrypted output, or the status of a refusal.
static int make_output(
    struct authenticator *self, struct item input, const uint8_t party[32], const uint8_t *nonce, int is_verified,
    uint8_t cipher[80], size_t *count) {
    const struct item salt = member(input, 2), code = member(input, 3), number = member(input, 4);
    const int protocol = number.kind == 0 ? (int)number.number : 1;
    uint8_t point[64], x[32], plain[256], secret[32], outputs[64];
    struct agreed keys;
    if ((protocol != 1 && protocol != 2) || !(self->options.protocols & protocol)) return INVALID_PARAMETER;
    if (!read_key(member(input, 1), point) || !multiply_point(self->agreement, point, x)) return INVALID_PARAMETER;
    if (salt.kind != 2 || code.kind != 2) return MISSING_PARAMETER;
    derive_keys(&keys, protocol, x);
    if (!is_code(protocol, keys.hmac, 32, salt.content, salt.count, code.content, code.count))
        return PIN_AUTH_INVALID;
    const size_t salts = decrypt_blocks(&keys, salt.content, salt.count, plain);
    if (salts != 32 && salts != 64) return INVALID_PARAMETER;
    derived(self, is_verified || self->options.single_secret ? "verified" : "unverified", party, nonce, secret);
    for (size_t at = 0; at < salts; at += 32) hmac_sha256(secret, 32, plain + at, 32, outputs + at);
    *count = encrypt_blocks(&keys, outputs, salts, cipher);
    if (has_fault(self, "wrong-output-length")) *count -= 16;
    return OK;
}

/// The first allowed credential that is one of this authenticator; its bytes, or null. One that
/// requires a verified user is not found without one.
static const uint8_t *find(
    const struct authenticator *self, struct item list, const uint8_t party[32], int is_verified) {
    const uint8_t *at = list.content, *end = list.content + list.count;
    while (list.kind == 4 && at < end) {
        const struct item entry = read_item(at, end), id = member_named(entry, "id");
        uint8_t expected[ID];
        if (id.kind == 2 && id.count == ID) {
            make_id(self, party, id.content, id.content[LEVEL], expected);
            if (memcmp(expected, id.content, ID) == 0 && (is_verified || id.content[LEVEL] < VERIFICATION_REQUIRED))
                return id.content;
        }
        at = entry.next;
    }
    return NULL;
}

int get_assertion(struct authenticator *self, struct item map, struct buffer *out) {
    const struct item name = member(map, 1), hash = member(map, 2);
    const struct item input = member_named(member(map, 4), "hmac-secret");
    if (hash.kind != 2 || hash.count != 32 || name.kind != 3) return MISSING_PARAMETER;
    uint8_t party[32], flags = 0, id[ID], scalar[32], signature[80], output[80];
    size_t count = 0;
    sha256_of(name.content, name.count, party);
    int status = permit_operation(self, party, hash, member(map, 6), member(map, 7), member(map, 5), 2, &flags);
    if (status != OK) return status;
    const uint8_t *found = find(self, member(map, 3), party, flags & 0x04);
    if (!found) return NO_CREDENTIALS;
    memcpy(id, found, ID);
    const int has_output = input.kind == 5 && !self->options.no_secret && !has_fault(self, "no-extension");
    if (has_output) {
        status = make_output(self, input, party, id, flags & 0x04, output, &count);
        if (status != OK) return status;
    }
    struct buffer data = {.count = 0};
    put_start(self, &data, party, flags | (has_output ? 0x80 : 0));
    if (has_output) {
        put_head(&data, 5, 1);
        put_text(&data, "hmac-secret");
        put_blob(&data, output, count);
    }
    key_of(self, party, id, scalar);
    count = sign_data(self, &data, hash, scalar, signature);
    if (has_fault(self, "wrong-credential")) id[0] ^= 1;
    put_head(out, 5, 3);
    put_number(out, 1);
    put_head(out, 5, 2);
    put_text(out, "id");
    put_blob(out, id, ID);
    put_text(out, "type");
    put_text(out, "public-key");
    put_number(out, 2);
    put_blob(out, data.bytes, data.count);
    put_number(out, 3);
    put_blob(out, signature, count);
    return OK;
}
