// A PKCS#11 module for tests: tokens whose keys are in a folder, and that fail or lie as the folder
// says. EOSVAULT_TEST_MODULE is the path of the folder, which contains:
//
//   tokens              a line for each slot: label|serial|pin|K1 private key|R1 private key, in
//                       hexadecimal digits, or - for no key
//   faults              optional: words separated by spaces. Every call reads it again. With
//                       `late`, those of C_Sign begin after ten signatures.
//   counters            a line for each call of C_Initialize, C_Login, C_Sign, C_DestroyObject and
//                       C_Finalize
//   pids                the id of each process that loaded the module
//   tries-<serial>      the number of wrong PINs since the last right one
//   generated-<serial>  a line for each generated key: curve|id|label|private key, and after that
//                       |public or |private when only that object is left
#define _GNU_SOURCE
#include "pkcs11.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/obj_mac.h>
#include <openssl/sha.h>

// What the header leaves out, because only a module needs it.
enum {
    CKA_VALUE = 0x011, CKF_USER_PIN_INITIALIZED = 0x008, CKR_ATTRIBUTE_VALUE_INVALID = 0x013,
    CKR_DATA_LEN_RANGE = 0x021, CKR_DEVICE_MEMORY = 0x031, CKR_OPERATION_ACTIVE = 0x090,
    CKR_SESSION_COUNT = 0x0b1, CKR_SESSION_PARALLEL_NOT_SUPPORTED = 0x0b4, CKR_SESSION_READ_ONLY = 0x0b5,
    CKR_USER_TYPE_INVALID = 0x103, CKR_CURVE_NOT_SUPPORTED = 0x140
};
enum { MAX_TOKENS = 16, MAX_KEYS = 128, MAX_SESSIONS = 64, MAX_TRIES = 3, MAX_PIN = 64 };
enum { SCALAR = 32, SIGNATURE = 64, NAME = 64, LINE = 1024 };

/// The objects of a key. Their handles are 2 * index of the key + kind + 1, so that none is 0.
/// Their bits in `left` are kind + 1.
enum { PUBLIC, PRIVATE };

struct token {
    char label[33], serial[17], pin[MAX_PIN + 1];
    int logged_in;
};

/// Long enough for a point. An identifier or a label can have NAME bytes.
struct value {
    CK_ULONG length;
    CK_BYTE bytes[80];
};

struct key {
    int token, curve, generated, left;
    BIGNUM *secret;
    struct value id, label;
};

/// `handle` is 0 when the session is not open.
struct session {
    CK_SESSION_HANDLE handle;
    int token, writable, finding;
    CK_ULONG found, next;
    CK_OBJECT_HANDLE matches[2 * MAX_KEYS];
    const struct key *signing;
};

static struct curve {
    const char *name;
    int nid;
    CK_ULONG oid_length;
    CK_BYTE oid[10];
    EC_GROUP *group;
} curves[] = {
    {"K1", NID_secp256k1, 7, {0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x0a}, NULL},
    {"R1", NID_X9_62_prime256v1, 10, {0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07}, NULL},
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char faults[LINE];
static int initialized;
static struct token tokens[MAX_TOKENS];
static struct key keys[MAX_KEYS];
static struct session sessions[MAX_SESSIONS];
static CK_ULONG token_count, key_count;
/// Only ever grows, so that the handle of a closed session never means another session.
static CK_SESSION_HANDLE last_session;
static CK_ULONG forgetful_attempts, signature_count;

// MARK: the folder

static const char *path_of(const char *name, const char *serial, const char *suffix) {
    static char path[768];
    const char *folder = getenv("EOSVAULT_TEST_MODULE");
    snprintf(path, sizeof path, "%s/%s%s%s", folder ? folder : "", name, serial, suffix);
    return path;
}

/// Leaves a space before and after each word.
static void read_faults(void) {
    FILE *file = fopen(path_of("faults", "", ""), "re");
    size_t length = file ? fread(faults + 1, 1, sizeof faults - 3, file) : 0;
    if (file) fclose(file);
    faults[0] = ' ';
    strcpy(faults + 1 + length, " ");
    for (char *c = faults; *c; c++)
        if (*c == '\n') *c = ' ';
}

static int has(const char *word) {
    char part[64];
    snprintf(part, sizeof part, " %s ", word);
    return strstr(faults, part) != NULL;
}

static int write_file(const char *name, const char *serial, const char *mode, const char *text) {
    FILE *file = fopen(path_of(name, serial, ""), mode);
    if (file) fputs(text, file);
    return file ? fclose(file) : -1;
}

/// Best effort: a sandbox can forbid it.
static void count(const char *line) { write_file("counters", "", "ae", line); }

static int wrong_tries(const struct token *token) {
    FILE *file = fopen(path_of("tries-", token->serial, ""), "re");
    int tries = 0;
    if (file && fscanf(file, "%d", &tries) != 1) tries = 0;
    if (file) fclose(file);
    return tries;
}

/// Fields can be empty, so strtok does not do.
static int split(char *line, char **fields, int max) {
    int count = 0;
    line[strcspn(line, "\n")] = 0;
    while (line && count < max) fields[count++] = strsep(&line, "|");
    return line ? -1 : count;
}

static int from_hex(const char *hex, struct value *value) {
    return OPENSSL_hexstr2buf_ex(value->bytes, NAME, &value->length, hex, 0) ? 0 : -1;
}

static char *to_hex(const CK_BYTE *bytes, CK_ULONG length, char *hex) {
    hex[0] = 0;
    for (CK_ULONG i = 0; i < length; i++) sprintf(hex + 2 * i, "%02x", bytes[i]);
    return hex;
}

// MARK: faults that can come at any place

/// For an hour and not forever, so that a test that fails leaves no process behind. `sleep` is in a
/// loop because a signal ends it.
static void hang(void) {
    for (time_t end = time(NULL) + 3600; time(NULL) < end;) sleep(60);
}

static void fail_at(const char *place) {
    char word[32];
    snprintf(word, sizeof word, "crash-%s", place);
    if (has(word)) abort();
    snprintf(word, sizeof word, "hang-%s", place);
    if (has(word)) hang();
}

__attribute__((constructor)) static void load(void) {
    read_faults();
    char text[16];
    snprintf(text, sizeof text, "%d\n", (int)getpid());
    write_file("pids", "", "ae", text);
    fail_at("load");
}

// MARK: calls

static int enter(void) {
    pthread_mutex_lock(&mutex);
    read_faults();
    return 0;
}

static void leave(int *entered) {
    (void)entered;
    pthread_mutex_unlock(&mutex);
}

/// Callers ask for CKF_OS_LOCKING_OK, so one call at a time, from here to the end of the function.
#define ENTER int entered __attribute__((cleanup(leave))) = enter()
#define FIND_SESSION struct session *session; TRY(find_session(handle, &session))
#define SESSION ENTER; FIND_SESSION
#define REQUIRE(condition, otherwise) do { if (!(condition)) return (otherwise); } while (0)
#define TRY(call) do { CK_RV tried = (call); if (tried != CKR_OK) return tried; } while (0)

/// A token that logs out stops its signatures.
static void log_out(int token, int closes_sessions) {
    tokens[token].logged_in = 0;
    for (int i = 0; i < MAX_SESSIONS; i++) {
        if (sessions[i].token != token) continue;
        sessions[i].signing = NULL;
        if (closes_sessions) sessions[i].handle = 0;
    }
}

static CK_RV check_present(void) {
    REQUIRE(initialized, CKR_CRYPTOKI_NOT_INITIALIZED);
    if (!has("removed")) return CKR_OK;
    // Sessions do not survive this, even when the token comes back.
    for (CK_ULONG i = 0; i < token_count; i++) log_out((int)i, 1);
    return CKR_DEVICE_REMOVED;
}

static CK_RV check_slot(CK_SLOT_ID slot) {
    TRY(check_present());
    return slot < token_count ? CKR_OK : CKR_SLOT_ID_INVALID;
}

static CK_RV find_session(CK_SESSION_HANDLE handle, struct session **session) {
    TRY(check_present());
    for (int i = 0; i < MAX_SESSIONS && handle; i++) {
        *session = &sessions[i];
        if (sessions[i].handle == handle) return CKR_OK;
    }
    return CKR_SESSION_HANDLE_INVALID;
}

static int is_logged_in(const struct session *session) { return tokens[session->token].logged_in; }

// MARK: curves

static void check(int done) {
    if (!done) abort();
}

/// The private key of `wrong-key` and `sign-with-other-key`. It is the same for both, so together
/// they make a token that is right about another key.
static BIGNUM *other_secret;

static BIGNUM *random_scalar(const EC_GROUP *group) {
    BIGNUM *scalar = BN_new();
    do check(scalar && BN_priv_rand_range(scalar, EC_GROUP_get0_order(group)));
    while (BN_is_zero(scalar));
    return scalar;
}

static BIGNUM *make_nonce(
    const EC_GROUP *group, const BIGNUM *secret, const CK_BYTE *digest, BN_CTX *context) {
    if (!has("deterministic")) return random_scalar(group);
    CK_BYTE bytes[SCALAR + 32], hash[SHA256_DIGEST_LENGTH];
    check(BN_bn2binpad(secret, bytes, SCALAR) == SCALAR);
    memcpy(bytes + SCALAR, digest, 32);
    SHA256(bytes, sizeof bytes, hash);
    BIGNUM *nonce = BN_bin2bn(hash, sizeof hash, NULL);
    check(nonce && BN_mod(nonce, nonce, EC_GROUP_get0_order(group), context));
    return nonce;
}

/// ECDSA by hand, because `deterministic` chooses the nonce. Like a token, it does not make s low.
static void sign(const EC_GROUP *group, const BIGNUM *secret, const CK_BYTE *digest, CK_BYTE *signature) {
    const BIGNUM *order = EC_GROUP_get0_order(group);
    BN_CTX *context = BN_CTX_new();
    EC_POINT *point = EC_POINT_new(group);
    BIGNUM *nonce = make_nonce(group, secret, digest, context);
    BIGNUM *r = BN_new(), *s = BN_new(), *z = BN_bin2bn(digest, 32, NULL);
    check(context && point && r && s && z);
    check(EC_POINT_mul(group, point, nonce, NULL, NULL, context));
    check(EC_POINT_get_affine_coordinates(group, point, r, NULL, context));
    check(BN_mod(r, r, order, context) && BN_mod_mul(s, r, secret, order, context));
    check(BN_mod_add(s, s, z, order, context) && BN_mod_inverse(z, nonce, order, context) != NULL);
    check(BN_mod_mul(s, s, z, order, context));
    check(BN_bn2binpad(r, signature, SCALAR) == SCALAR);
    check(BN_bn2binpad(s, signature + SCALAR, SCALAR) == SCALAR);
    BN_clear_free(nonce);
    BN_free(r), BN_free(s), BN_free(z);
    EC_POINT_free(point);
    BN_CTX_free(context);
}

// MARK: keys

static struct key *add_key(int token, int curve, const char *secret) {
    if (key_count == MAX_KEYS || strlen(secret) != 2 * SCALAR) return NULL;
    struct key *key = &keys[key_count++];
    *key = (struct key){.token = token, .curve = curve, .left = (PUBLIC + 1) | (PRIVATE + 1)};
    if (BN_hex2bn(&key->secret, secret) != 2 * SCALAR || BN_is_zero(key->secret)) return NULL;
    return BN_cmp(key->secret, EC_GROUP_get0_order(curves[curve].group)) < 0 ? key : NULL;
}

static int read_token(char *line) {
    char *fields[5];
    if (token_count == MAX_TOKENS || split(line, fields, 5) != 5) return -1;
    struct token *token = &tokens[token_count];
    *token = (struct token){.logged_in = 0};
    snprintf(token->label, sizeof token->label, "%s", fields[0]);
    snprintf(token->serial, sizeof token->serial, "%s", fields[1]);
    snprintf(token->pin, sizeof token->pin, "%s", fields[2]);
    for (int curve = 0; curve < 2; curve++) {
        if (strcmp(fields[3 + curve], "-") == 0) continue;
        struct key *key = add_key((int)token_count, curve, fields[3 + curve]);
        if (!key) return -1;
        key->id = (struct value){1, {(CK_BYTE)(curve + 1)}};
        key->label = (struct value){2, {curve ? 'r' : 'k', '1'}};
    }
    token_count++;
    return 0;
}

static int read_generated(int token, char *line) {
    char *fields[5];
    int count = split(line, fields, 5);
    struct key *key = count < 4 ? NULL : add_key(token, strcmp(fields[0], curves[1].name) == 0, fields[3]);
    if (!key) return -1;
    key->generated = 1;
    if (count == 5) key->left = strcmp(fields[4], "public") == 0 ? PUBLIC + 1 : PRIVATE + 1;
    return from_hex(fields[1], &key->id) | from_hex(fields[2], &key->label);
}

static int read_tokens(void) {
    char line[LINE];
    for (int i = 0; i < 2; i++) {
        if (!curves[i].group) curves[i].group = EC_GROUP_new_by_curve_name(curves[i].nid);
        check(curves[i].group != NULL);
    }
    if (!other_secret) check(BN_dec2bn(&other_secret, "7"));
    FILE *file = fopen(path_of("tokens", "", ""), "re");
    int failed = file ? 0 : -1;
    while (!failed && fgets(line, sizeof line, file)) failed = line[0] == '\n' ? 0 : read_token(line);
    if (file) fclose(file);
    for (int i = 0; i < (int)token_count && !failed; i++) {
        file = fopen(path_of("generated-", tokens[i].serial, ""), "re");
        while (!failed && file && fgets(line, sizeof line, file)) failed = read_generated(i, line);
        if (file) fclose(file);
    }
    return failed;
}

static void write_line(const struct key *key, char *line) {
    char id[2 * NAME + 1], label[2 * NAME + 1], secret[2 * SCALAR + 1];
    CK_BYTE bytes[SCALAR];
    check(BN_bn2binpad(key->secret, bytes, SCALAR) == SCALAR);
    snprintf(
        line, LINE, "%s|%s|%s|%s", curves[key->curve].name, to_hex(key->id.bytes, key->id.length, id),
        to_hex(key->label.bytes, key->label.length, label), to_hex(bytes, SCALAR, secret));
}

/// Writes what is left of the key. It copies the other lines from the file and not from memory,
/// because another process can have added a key.
static int rewrite_generated(const struct key *key) {
    const char *serial = tokens[key->token].serial;
    char old[LINE], line[LINE], final[768];
    write_line(key, line);
    FILE *from = fopen(path_of("generated-", serial, ""), "re");
    FILE *to = fopen(path_of("generated-", serial, ".new"), "we");
    while (from && to && fgets(old, sizeof old, from))
        if (strncmp(old, line, strlen(line)) != 0) fputs(old, to);
    if (from) fclose(from);
    if (to && key->left) fprintf(to, "%s|%s\n", line, key->left == PUBLIC + 1 ? "public" : "private");
    if (!to || fclose(to) != 0) return -1;
    strcpy(final, path_of("generated-", serial, ""));
    return rename(path_of("generated-", serial, ".new"), final);
}

static void forget_everything(void) {
    for (CK_ULONG i = 0; i < key_count; i++) BN_clear_free(keys[i].secret);
    memset(sessions, 0, sizeof sessions);
    memset(keys, 0, sizeof keys);
    token_count = key_count = 0;
    initialized = 0;
}

// MARK: attributes

static struct key *find_object(const struct session *session, CK_OBJECT_HANDLE handle, int *kind) {
    if (handle == 0 || handle > 2 * key_count) return NULL;
    struct key *key = &keys[(handle - 1) / 2];
    *kind = (int)((handle - 1) % 2);
    if (key->token != session->token || !(key->left & (*kind + 1))) return NULL;
    return *kind == PUBLIC || is_logged_in(session) ? key : NULL;
}

static CK_RV answer(struct value *value, const void *bytes, CK_ULONG length) {
    memcpy(value->bytes, bytes, length);
    value->length = length;
    return CKR_OK;
}

static CK_RV answer_number(struct value *value, CK_ULONG number) {
    return answer(value, &number, sizeof number);
}

static CK_RV answer_flag(struct value *value, CK_BYTE flag) { return answer(value, &flag, 1); }

static CK_RV answer_point(
    struct value *value, const struct key *key, const BIGNUM *secret, int compressed, int raw) {
    const EC_GROUP *group = curves[key->curve].group;
    CK_BYTE *start = value->bytes + (raw ? 0 : 2);
    EC_POINT *point = EC_POINT_new(group);
    check(point && EC_POINT_mul(group, point, secret, NULL, NULL, NULL));
    value->length = EC_POINT_point2oct(
        group, point, compressed ? POINT_CONVERSION_COMPRESSED : POINT_CONVERSION_UNCOMPRESSED, start,
        sizeof value->bytes - 2, NULL);
    EC_POINT_free(point);
    if (raw) return CKR_OK;
    value->bytes[0] = 0x04; // OCTET STRING
    value->bytes[1] = (CK_BYTE)value->length;
    value->length += 2;
    return CKR_OK;
}

/// What is true. Keys of `tokens` are answered like keys that the token made.
static CK_RV true_attribute(
    const struct key *key, int kind, CK_ATTRIBUTE_TYPE type, struct value *value) {
    const struct curve *curve = &curves[key->curve];
    switch (type) {
    case CKA_CLASS: return answer_number(value, kind == PRIVATE ? CKO_PRIVATE_KEY : CKO_PUBLIC_KEY);
    case CKA_KEY_TYPE: return answer_number(value, CKK_EC);
    case CKA_ID: return answer(value, key->id.bytes, key->id.length);
    case CKA_LABEL: return answer(value, key->label.bytes, key->label.length);
    case CKA_EC_PARAMS: return answer(value, curve->oid, curve->oid_length);
    case CKA_EC_POINT:
        // A template of a new key can ask before there is one.
        return key->secret ? answer_point(value, key, key->secret, 0, 0) : CKR_ATTRIBUTE_TYPE_INVALID;
    case CKA_TOKEN:
    case CKA_LOCAL: return answer_flag(value, 1);
    case CKA_PRIVATE: return answer_flag(value, kind == PRIVATE);
    case CKA_VERIFY: return kind == PUBLIC ? answer_flag(value, 1) : CKR_ATTRIBUTE_TYPE_INVALID;
    case CKA_SIGN:
    case CKA_SENSITIVE:
    case CKA_ALWAYS_SENSITIVE:
    case CKA_NEVER_EXTRACTABLE:
    case CKA_EXTRACTABLE:
        return kind == PRIVATE ? answer_flag(value, type != CKA_EXTRACTABLE) : CKR_ATTRIBUTE_TYPE_INVALID;
    case CKA_ALWAYS_AUTHENTICATE: return answer_flag(value, kind == PRIVATE && has("always-authenticate"));
    case CKA_VALUE: return kind == PRIVATE ? CKR_ATTRIBUTE_SENSITIVE : CKR_ATTRIBUTE_TYPE_INVALID;
    default: return CKR_ATTRIBUTE_TYPE_INVALID;
    }
}

/// What the token says.
static CK_RV said_attribute(
    const struct key *key, int kind, CK_ATTRIBUTE_TYPE type, struct value *value) {
    TRY(true_attribute(key, kind, type, value));
    if (has("extractable") && type == CKA_EXTRACTABLE) return answer_flag(value, 1);
    if (has("extractable") && type == CKA_NEVER_EXTRACTABLE) return answer_flag(value, 0);
    int is_sensitivity = type == CKA_SENSITIVE || type == CKA_ALWAYS_SENSITIVE;
    if (has("not-sensitive") && is_sensitivity) return answer_flag(value, 0);
    if (type != CKA_EC_POINT) return CKR_OK;
    if (kind == PRIVATE && has("private-without-point")) return CKR_ATTRIBUTE_TYPE_INVALID;
    const BIGNUM *secret = has("wrong-key") ? other_secret : key->secret;
    return answer_point(value, key, secret, has("compressed-point"), has("raw-point"));
}

static int matches(const struct key *key, int kind, const CK_ATTRIBUTE *template, CK_ULONG count) {
    struct value value;
    for (CK_ULONG i = 0; i < count; i++) {
        const int names = template[i].type == CKA_ID || template[i].type == CKA_LABEL;
        if (names && has("find-ignores-names")) continue;
        if (true_attribute(key, kind, template[i].type, &value) != CKR_OK) return 0;
        if (template[i].valueLen != value.length) return 0;
        if (memcmp(template[i].value, value.bytes, value.length) != 0) return 0;
    }
    return 1;
}

static CK_RV C_GetAttributeValue(
    CK_SESSION_HANDLE handle, CK_OBJECT_HANDLE object, CK_ATTRIBUTE *template, CK_ULONG count) {
    SESSION;
    struct value value;
    CK_RV result = CKR_OK;
    int kind;
    REQUIRE(template, CKR_ARGUMENTS_BAD);
    const struct key *key = find_object(session, object, &kind);
    REQUIRE(key, CKR_OBJECT_HANDLE_INVALID);
    for (CK_ATTRIBUTE *item = template; item < template + count; item++) {
        CK_RV rv = said_attribute(key, kind, item->type, &value);
        if (rv == CKR_OK && item->value && item->valueLen < value.length) rv = CKR_BUFFER_TOO_SMALL;
        if (rv == CKR_OK && item->value) memcpy(item->value, value.bytes, value.length);
        int lie = !item->value && item->type == CKA_EC_POINT && has("oversized-attribute");
        item->valueLen = rv == CKR_OK ? (lie ? 1UL << 30 : value.length) : CK_UNAVAILABLE_INFORMATION;
        if (rv != CKR_OK) result = rv;
    }
    return result;
}

// MARK: objects

static CK_RV C_FindObjectsInit(CK_SESSION_HANDLE handle, CK_ATTRIBUTE *template, CK_ULONG count) {
    SESSION;
    REQUIRE(template || !count, CKR_ARGUMENTS_BAD);
    REQUIRE(!session->finding, CKR_OPERATION_ACTIVE);
    session->finding = 1;
    session->found = session->next = 0;
    for (CK_OBJECT_HANDLE object = 1; object <= 2 * key_count; object++) {
        int kind;
        const struct key *key = find_object(session, object, &kind);
        if (!key || (kind == PUBLIC && has("no-public-object"))) continue;
        if (matches(key, kind, template, count)) session->matches[session->found++] = object;
    }
    return CKR_OK;
}

static CK_RV C_FindObjects(
    CK_SESSION_HANDLE handle, CK_OBJECT_HANDLE *objects, CK_ULONG max, CK_ULONG *count) {
    SESSION;
    REQUIRE(objects && count, CKR_ARGUMENTS_BAD);
    REQUIRE(session->finding, CKR_OPERATION_NOT_INITIALIZED);
    int endless = has("many-objects");
    for (*count = 0; *count < max && (endless || session->next < session->found); ++*count)
        objects[*count] = session->found ? session->matches[session->next++ % session->found] : 1;
    return CKR_OK;
}

static CK_RV C_FindObjectsFinal(CK_SESSION_HANDLE handle) {
    SESSION;
    REQUIRE(session->finding, CKR_OPERATION_NOT_INITIALIZED);
    session->finding = 0;
    return CKR_OK;
}

static CK_RV C_DestroyObject(CK_SESSION_HANDLE handle, CK_OBJECT_HANDLE object) {
    SESSION;
    int kind;
    count("destroy\n");
    struct key *key = find_object(session, object, &kind);
    REQUIRE(key, CKR_OBJECT_HANDLE_INVALID);
    REQUIRE(session->writable, CKR_SESSION_READ_ONLY);
    key->left &= ~(kind + 1);
    return key->generated && rewrite_generated(key) != 0 ? CKR_DEVICE_ERROR : CKR_OK;
}

/// A template may only say what this module makes. It must ask for a token object: the default is
/// an object that goes away with its session, which nobody wants of a key.
static CK_RV read_template(struct key *key, int kind, const CK_ATTRIBUTE *template, CK_ULONG count) {
    int asks_for_token = 0;
    for (const CK_ATTRIBUTE *item = template; item < template + count; item++) {
        struct value *name = item->type == CKA_ID ? &key->id : item->type == CKA_LABEL ? &key->label : NULL;
        if (name && item->valueLen > NAME) return CKR_ATTRIBUTE_VALUE_INVALID;
        if (name) answer(name, item->value, item->valueLen);
        if (item->type == CKA_TOKEN) asks_for_token = 1;
        for (int i = 0; i < 2 && item->type == CKA_EC_PARAMS; i++) {
            int is_same = item->valueLen == curves[i].oid_length;
            if (is_same && memcmp(item->value, curves[i].oid, item->valueLen) == 0) key->curve = i;
            else if (key->curve < 0 && i == 1) return CKR_CURVE_NOT_SUPPORTED;
        }
    }
    REQUIRE(key->curve >= 0, CKR_TEMPLATE_INCOMPLETE);
    return asks_for_token && matches(key, kind, template, count) ? CKR_OK : CKR_TEMPLATE_INCONSISTENT;
}

static CK_RV C_GenerateKeyPair(
    CK_SESSION_HANDLE handle, CK_MECHANISM *mechanism, CK_ATTRIBUTE *public, CK_ULONG public_count,
    CK_ATTRIBUTE *private, CK_ULONG private_count, CK_OBJECT_HANDLE *public_key,
    CK_OBJECT_HANDLE *private_key) {
    SESSION;
    struct key key = {.curve = -1};
    char line[LINE];
    REQUIRE(mechanism && public && private && public_key && private_key, CKR_ARGUMENTS_BAD);
    REQUIRE(mechanism->mechanism == CKM_EC_KEY_PAIR_GEN, CKR_MECHANISM_INVALID);
    REQUIRE(session->writable, CKR_SESSION_READ_ONLY);
    REQUIRE(is_logged_in(session), CKR_USER_NOT_LOGGED_IN);
    TRY(read_template(&key, PUBLIC, public, public_count));
    TRY(read_template(&key, PRIVATE, private, private_count));
    REQUIRE(key_count < MAX_KEYS && !has("no-space"), CKR_DEVICE_MEMORY);
    if (has("ignores-id")) key.id = (struct value){1, {0xee}};
    key.secret = random_scalar(curves[key.curve].group);
    write_line(&key, line);
    BN_clear_free(key.secret);
    strcat(line, "\n");
    REQUIRE(write_file("generated-", tokens[session->token].serial, "ae", line) == 0, CKR_DEVICE_ERROR);
    REQUIRE(read_generated(session->token, line) == 0, CKR_GENERAL_ERROR);
    fail_at("generate");
    REQUIRE(!has("generate-removed"), CKR_DEVICE_REMOVED);
    *public_key = 2 * key_count - 1;
    *private_key = 2 * key_count;
    return CKR_OK;
}

// MARK: signatures

static int signs_wrong(const char *word) { return has(word) && (!has("late") || signature_count >= 10); }

/// With `forgets-session`, every second attempt fails: in C_Sign the first time, in C_SignInit the
/// second time, and so on. So a caller that tries again once gets each signature.
static int forgets(const struct session *session, CK_ULONG attempt) {
    if (!has("forgets-session") || forgetful_attempts % 4 != attempt) return 0;
    log_out(session->token, 1);
    return 1;
}

static CK_RV C_SignInit(CK_SESSION_HANDLE handle, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE object) {
    SESSION;
    int kind;
    char removed[64];
    snprintf(removed, sizeof removed, "removed-sign-%s", tokens[session->token].serial);
    REQUIRE(!signs_wrong("removed-sign") && !signs_wrong(removed), CKR_DEVICE_REMOVED);
    forgetful_attempts += has("forgets-session") ? 1 : 0;
    REQUIRE(!forgets(session, 0), CKR_SESSION_HANDLE_INVALID);
    REQUIRE(mechanism, CKR_ARGUMENTS_BAD);
    REQUIRE(mechanism->mechanism == CKM_ECDSA && !has("no-ecdsa"), CKR_MECHANISM_INVALID);
    REQUIRE(!session->signing, CKR_OPERATION_ACTIVE);
    REQUIRE(is_logged_in(session), CKR_USER_NOT_LOGGED_IN);
    const struct key *key = find_object(session, object, &kind);
    REQUIRE(key && kind == PRIVATE, CKR_KEY_HANDLE_INVALID);
    session->signing = key;
    return CKR_OK;
}

static CK_RV C_Sign(
    CK_SESSION_HANDLE handle, CK_BYTE *digest, CK_ULONG digest_length, CK_BYTE *signature, CK_ULONG *length) {
    ENTER;
    count("sign\n");
    FIND_SESSION;
    CK_BYTE result[SIGNATURE];
    CK_ULONG size = has("short-signature") ? SIGNATURE / 2 : SIGNATURE;
    CK_ULONG said = has("oversized-signature") ? 4096 : size;
    REQUIRE(session->signing, CKR_OPERATION_NOT_INITIALIZED);
    if (signature_count >= 10 || !has("late")) fail_at("sign");
    REQUIRE(!forgets(session, 2), CKR_SESSION_HANDLE_INVALID);
    const struct key *key = session->signing;
    if (length && (!signature || (*length < size && said == size))) {
        // A question about the length doesn't end the operation.
        *length = said;
        return signature ? CKR_BUFFER_TOO_SMALL : CKR_OK;
    }
    session->signing = NULL;
    REQUIRE(length && digest, CKR_ARGUMENTS_BAD);
    REQUIRE(digest_length == 32, CKR_DATA_LEN_RANGE);
    sign(curves[key->curve].group, has("sign-with-other-key") ? other_secret : key->secret, digest, result);
    signature_count++;
    if (signs_wrong("wrong-signature")) result[SIGNATURE - 1] ^= 1;
    memcpy(signature, result, *length < size ? *length : size);
    *length = said;
    return CKR_OK;
}

// MARK: sessions

static CK_RV C_OpenSession(
    CK_SLOT_ID slot, CK_FLAGS flags, void *application, void *notify, CK_SESSION_HANDLE *handle) {
    ENTER;
    (void)application, (void)notify;
    TRY(check_slot(slot));
    REQUIRE(handle, CKR_ARGUMENTS_BAD);
    REQUIRE(flags & CKF_SERIAL_SESSION, CKR_SESSION_PARALLEL_NOT_SUPPORTED);
    for (int i = 0; i < MAX_SESSIONS; i++) {
        if (sessions[i].handle) continue;
        sessions[i] = (struct session){.handle = ++last_session, .token = (int)slot};
        sessions[i].writable = (flags & CKF_RW_SESSION) != 0;
        *handle = last_session;
        return CKR_OK;
    }
    return CKR_SESSION_COUNT;
}

static CK_RV C_CloseSession(CK_SESSION_HANDLE handle) {
    SESSION;
    session->handle = 0;
    for (int i = 0; i < MAX_SESSIONS; i++)
        if (sessions[i].handle && sessions[i].token == session->token) return CKR_OK;
    log_out(session->token, 0);
    return CKR_OK;
}

static CK_RV C_Login(CK_SESSION_HANDLE handle, CK_USER_TYPE user, CK_BYTE *pin, CK_ULONG length) {
    ENTER;
    count("login\n");
    FIND_SESSION;
    fail_at("login");
    struct token *token = &tokens[session->token];
    int tries = wrong_tries(token);
    REQUIRE(user == CKU_USER, CKR_USER_TYPE_INVALID);
    REQUIRE(!token->logged_in, CKR_USER_ALREADY_LOGGED_IN);
    REQUIRE(tries < MAX_TRIES && !has("pin-locked"), CKR_PIN_LOCKED);
    REQUIRE(pin, CKR_ARGUMENTS_BAD);
    REQUIRE(length >= 1 && length <= MAX_PIN, CKR_PIN_LEN_RANGE);
    int is_right = length == strlen(token->pin) && memcmp(pin, token->pin, length) == 0;
    char text[] = {(char)('0' + (is_right ? 0 : tries + 1)), '\n', 0};
    if (!is_right || tries) REQUIRE(write_file("tries-", token->serial, "we", text) == 0, CKR_DEVICE_ERROR);
    token->logged_in = is_right;
    return is_right ? CKR_OK : CKR_PIN_INCORRECT;
}

static CK_RV C_Logout(CK_SESSION_HANDLE handle) {
    SESSION;
    REQUIRE(is_logged_in(session), CKR_USER_NOT_LOGGED_IN);
    log_out(session->token, 0);
    return CKR_OK;
}

// MARK: slots and tokens

static CK_RV C_GetSlotList(CK_BYTE present, CK_SLOT_ID *slots, CK_ULONG *count) {
    ENTER;
    REQUIRE(initialized, CKR_CRYPTOKI_NOT_INITIALIZED);
    REQUIRE(count, CKR_ARGUMENTS_BAD);
    CK_ULONG room = slots ? *count : 0;
    CK_ULONG real = present && has("removed") ? 0 : token_count;
    *count = has("oversized-list") ? 1000000 : real;
    REQUIRE(!slots || room >= real || *count != real, CKR_BUFFER_TOO_SMALL);
    for (CK_ULONG i = 0; i < real && i < room; i++) slots[i] = i;
    return CKR_OK;
}

/// Text in PKCS#11 ends with spaces and not with a zero.
static void pad(CK_BYTE *field, size_t size, const char *text) {
    memset(field, ' ', size);
    memcpy(field, text, strnlen(text, size));
}

static CK_RV C_GetTokenInfo(CK_SLOT_ID slot, CK_TOKEN_INFO *info) {
    ENTER;
    TRY(check_slot(slot));
    REQUIRE(info, CKR_ARGUMENTS_BAD);
    const struct token *token = &tokens[slot];
    int tries = has("pin-locked") ? MAX_TRIES : wrong_tries(token);
    *info = (CK_TOKEN_INFO){.maxPinLen = MAX_PIN, .minPinLen = 1, .maxSessionCount = MAX_SESSIONS};
    pad(info->label, sizeof info->label, token->label);
    pad(info->manufacturerID, sizeof info->manufacturerID, "eosvault tests");
    pad(info->model, sizeof info->model, "lying");
    pad(info->serialNumber, sizeof info->serialNumber, token->serial);
    pad(info->utcTime, sizeof info->utcTime, "");
    info->flags = CKF_LOGIN_REQUIRED | CKF_USER_PIN_INITIALIZED | CKF_TOKEN_INITIALIZED;
    if (tries > 0) info->flags |= CKF_USER_PIN_COUNT_LOW;
    if (tries == MAX_TRIES - 1) info->flags |= CKF_USER_PIN_FINAL_TRY;
    if (tries >= MAX_TRIES) info->flags |= CKF_USER_PIN_LOCKED;
    // The standard lets a token keep these to itself.
    info->sessionCount = info->rwSessionCount = CK_UNAVAILABLE_INFORMATION;
    info->totalPublicMemory = info->freePublicMemory = CK_UNAVAILABLE_INFORMATION;
    info->totalPrivateMemory = info->freePrivateMemory = CK_UNAVAILABLE_INFORMATION;
    return CKR_OK;
}

static int says_mechanism(CK_MECHANISM_TYPE type) {
    if (has("no-mechanisms")) return 0;
    return type == CKM_EC_KEY_PAIR_GEN || (type == CKM_ECDSA && !has("no-ecdsa"));
}

static CK_RV C_GetMechanismList(CK_SLOT_ID slot, CK_MECHANISM_TYPE *list, CK_ULONG *count) {
    ENTER;
    static const CK_MECHANISM_TYPE all[] = {CKM_EC_KEY_PAIR_GEN, CKM_ECDSA};
    TRY(check_slot(slot));
    REQUIRE(count, CKR_ARGUMENTS_BAD);
    CK_ULONG room = *count;
    *count = 0;
    for (int i = 0; i < 2; i++) {
        if (!says_mechanism(all[i])) continue;
        if (list && *count < room) list[*count] = all[i];
        ++*count;
    }
    return list && *count > room ? CKR_BUFFER_TOO_SMALL : CKR_OK;
}

static CK_RV C_GetMechanismInfo(CK_SLOT_ID slot, CK_MECHANISM_TYPE type, CK_MECHANISM_INFO *info) {
    ENTER;
    TRY(check_slot(slot));
    REQUIRE(info, CKR_ARGUMENTS_BAD);
    REQUIRE(says_mechanism(type), CKR_MECHANISM_INVALID);
    *info = (CK_MECHANISM_INFO){256, 256, type == CKM_ECDSA ? CKF_SIGN : CKF_GENERATE_KEY_PAIR};
    return CKR_OK;
}

// MARK: the module

static CK_RV C_Initialize(void *arguments) {
    ENTER;
    count("initialize\n");
    fail_at("initialize");
    REQUIRE(!initialized, CKR_CRYPTOKI_ALREADY_INITIALIZED);
    REQUIRE(!arguments || !((CK_C_INITIALIZE_ARGS *)arguments)->reserved, CKR_ARGUMENTS_BAD);
    // As badly behaved code of vendors does.
    if (has("stdout")) (void)!write(1, "hello", 5);
    if (has("forks") && fork() == 0) {
        hang();
        _exit(0);
    }
    if (read_tokens() != 0) {
        forget_everything();
        return CKR_GENERAL_ERROR;
    }
    initialized = 1;
    return CKR_OK;
}

static CK_RV C_Finalize(void *reserved) {
    ENTER;
    count("finalize\n");
    fail_at("finalize");
    REQUIRE(initialized, CKR_CRYPTOKI_NOT_INITIALIZED);
    REQUIRE(!reserved, CKR_ARGUMENTS_BAD);
    forget_everything();
    return CKR_OK;
}

static CK_RV unsupported(void) { return CKR_FUNCTION_NOT_SUPPORTED; }

__attribute__((visibility("default"))) CK_RV C_GetFunctionList(CK_FUNCTION_LIST **list);

CK_RV C_GetFunctionList(CK_FUNCTION_LIST **list) {
    ENTER;
    static CK_FUNCTION_LIST functions;
    const CK_UNUSED none = unsupported;
    fail_at("load");
    REQUIRE(list, CKR_ARGUMENTS_BAD);
    for (size_t at = offsetof(CK_FUNCTION_LIST, C_Initialize); at < sizeof functions; at += sizeof none)
        memcpy((char *)&functions + at, &none, sizeof none);
    functions.version = (CK_VERSION){has("old-version") ? 1 : 2, has("old-version") ? 0 : 40};
#define PUT(name) functions.name = name
    PUT(C_Initialize), PUT(C_Finalize), PUT(C_GetFunctionList), PUT(C_GetSlotList), PUT(C_GetTokenInfo);
    PUT(C_GetMechanismList), PUT(C_GetMechanismInfo), PUT(C_OpenSession), PUT(C_CloseSession), PUT(C_Login);
    PUT(C_Logout), PUT(C_DestroyObject), PUT(C_GetAttributeValue), PUT(C_FindObjectsInit);
    PUT(C_FindObjects), PUT(C_FindObjectsFinal), PUT(C_SignInit), PUT(C_Sign), PUT(C_GenerateKeyPair);
    if (has("null-functions")) functions.C_Sign = NULL;
    *list = &functions;
    return CKR_OK;
}
