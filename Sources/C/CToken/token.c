#include "token.h"

#include "pkcs11.h"

#include <dlfcn.h>
#include <string.h>

// The state of the process: one module, one session.
static CK_FUNCTION_LIST *module;
static CK_SESSION_HANDLE session;
static int has_session, is_ready;
static const char *failed_call = "", *load_error = "";

const char *token_failed_call(void) { return failed_call; }
const char *token_load_error(void) { return load_error; }

#define CALL(name, ...) (failed_call = #name, module->name(__VA_ARGS__))

static int is_complete(const CK_FUNCTION_LIST *list) {
    return list->C_Initialize && list->C_GetSlotList && list->C_GetTokenInfo && list->C_GetMechanismInfo &&
           list->C_OpenSession && list->C_CloseSession && list->C_Login && list->C_DestroyObject &&
           list->C_GetAttributeValue && list->C_FindObjectsInit && list->C_FindObjects &&
           list->C_FindObjectsFinal && list->C_SignInit && list->C_Sign && list->C_GenerateKeyPair;
}

unsigned long token_load(const char *path) {
    failed_call = "dlopen";
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *reason = dlerror();
        load_error = reason ? reason : "";
        return TOKEN_NOT_LOADED;
    }
    failed_call = "C_GetFunctionList";
    CK_RV (*list_functions)(CK_FUNCTION_LIST **) = NULL;
    void *symbol = dlsym(library, "C_GetFunctionList");
    if (!symbol) return TOKEN_NOT_A_MODULE;
    memcpy(&list_functions, &symbol, sizeof symbol);
    CK_RV result = list_functions(&module);
    if (result != CKR_OK) return result;
    if (!module || module->version.major < 2 || module->version.major > 3 || !is_complete(module))
        return TOKEN_NOT_A_MODULE;
    CK_C_INITIALIZE_ARGS arguments = {.flags = CKF_OS_LOCKING_OK};
    result = CALL(C_Initialize, &arguments);
    is_ready = result == CKR_OK || result == CKR_CRYPTOKI_ALREADY_INITIALIZED;
    return is_ready ? CKR_OK : result;
}

static uint8_t has_mechanism(CK_SLOT_ID slot, CK_MECHANISM_TYPE type, CK_FLAGS flag) {
    CK_MECHANISM_INFO info = {0};
    return CALL(C_GetMechanismInfo, slot, type, &info) == CKR_OK && (info.flags & flag);
}

unsigned long token_list(struct token_facts *tokens, size_t *count) {
    CK_ULONG number = 0;
    *count = 0;
    CK_RV result = CALL(C_GetSlotList, 1, NULL, &number);
    if (result != CKR_OK) return result;
    if (number > TOKEN_MAXIMUM) return TOKEN_TOO_MANY;
    CK_SLOT_ID slots[TOKEN_MAXIMUM] = {0};
    number = TOKEN_MAXIMUM;
    result = CALL(C_GetSlotList, 1, slots, &number);
    if (result != CKR_OK) return result;
    if (number > TOKEN_MAXIMUM) return TOKEN_INVALID_ANSWER;
    for (CK_ULONG index = 0; index < number; index++) {
        CK_TOKEN_INFO info = {.flags = 0};
        result = CALL(C_GetTokenInfo, slots[index], &info);
        // It was removed, or it is not a token that this module knows.
        if (result != CKR_OK) continue;
        struct token_facts *token = &tokens[(*count)++];
        token->slot = slots[index];
        memcpy(token->label, info.label, sizeof token->label);
        memcpy(token->manufacturer, info.manufacturerID, sizeof token->manufacturer);
        memcpy(token->model, info.model, sizeof token->model);
        memcpy(token->serial, info.serialNumber, sizeof token->serial);
        token->flags = info.flags;
        token->has_ecdsa = has_mechanism(slots[index], CKM_ECDSA, CKF_SIGN);
        token->has_generation = has_mechanism(slots[index], CKM_EC_KEY_PAIR_GEN, CKF_GENERATE_KEY_PAIR);
    }
    return CKR_OK;
}

static void close_session(void) {
    if (has_session) module->C_CloseSession(session);
    has_session = 0;
}

unsigned long token_open(uint64_t slot, int writable) {
    close_session();
    const CK_FLAGS flags = CKF_SERIAL_SESSION | (writable ? CKF_RW_SESSION : 0);
    const CK_RV result = CALL(C_OpenSession, slot, flags, NULL, NULL, &session);
    has_session = result == CKR_OK;
    return result;
}

void token_finish(void) {
    if (has_session && module->C_Logout) module->C_Logout(session);
    close_session();
    if (is_ready && module->C_Finalize) module->C_Finalize(NULL);
    is_ready = 0;
}

unsigned long token_login(uint8_t *pin, size_t count) {
    const CK_RV result = CALL(C_Login, session, CKU_USER, pin, pin ? count : 0);
    return result == CKR_USER_ALREADY_LOGGED_IN ? CKR_OK : result;
}

unsigned long token_find(
    unsigned long object_class, const uint8_t *id, size_t id_count, const uint8_t *label, size_t label_count,
    uint64_t *objects, size_t *count) {
    CK_ULONG type = CKK_EC;
    CK_ATTRIBUTE wanted[4] = {
        {CKA_CLASS, &object_class, sizeof object_class}, {CKA_KEY_TYPE, &type, sizeof type}};
    CK_ULONG number = 2;
    if (id) wanted[number++] = (CK_ATTRIBUTE){CKA_ID, (void *)id, id_count};
    if (label) wanted[number++] = (CK_ATTRIBUTE){CKA_LABEL, (void *)label, label_count};
    *count = 0;
    CK_RV result = CALL(C_FindObjectsInit, session, wanted, number);
    if (result != CKR_OK) return result;
    CK_OBJECT_HANDLE found[TOKEN_MAXIMUM + 1] = {0};
    // A module may return fewer objects than there is room for: 0 is the end.
    for (CK_ULONG part = 1; part && *count <= TOKEN_MAXIMUM; *count += part) {
        const CK_ULONG room = TOKEN_MAXIMUM + 1 - *count;
        result = CALL(C_FindObjects, session, found + *count, room, &part);
        if (result == CKR_OK && part > room) result = TOKEN_INVALID_ANSWER;
        if (result != CKR_OK) break;
    }
    module->C_FindObjectsFinal(session);
    if (result != CKR_OK) return result;
    if (*count > TOKEN_MAXIMUM) return TOKEN_TOO_MANY;
    for (size_t index = 0; index < *count; index++) objects[index] = found[index];
    return CKR_OK;
}

unsigned long token_attribute(uint64_t object, unsigned long type, uint8_t *value, size_t *count) {
    const size_t room = *count;
    *count = 0;
    CK_ATTRIBUTE attribute = {type, NULL, 0};
    CK_RV result = CALL(C_GetAttributeValue, session, object, &attribute, 1);
    if (result == CKR_ATTRIBUTE_TYPE_INVALID || result == CKR_ATTRIBUTE_SENSITIVE) return CKR_OK;
    if (result != CKR_OK) return result;
    if (attribute.valueLen == CK_UNAVAILABLE_INFORMATION || attribute.valueLen == 0) return CKR_OK;
    if (attribute.valueLen > room) return TOKEN_TOO_LARGE;
    attribute = (CK_ATTRIBUTE){type, value, room};
    result = CALL(C_GetAttributeValue, session, object, &attribute, 1);
    if (result != CKR_OK) return result;
    if (attribute.valueLen > room) return TOKEN_INVALID_ANSWER;
    *count = attribute.valueLen;
    return CKR_OK;
}

unsigned long token_generate(
    const uint8_t *curve, size_t curve_count, const uint8_t *label, size_t label_count, const uint8_t *id,
    size_t id_count, uint64_t *public_key, uint64_t *private_key) {
    CK_BYTE yes = 1, no = 0;
    CK_ATTRIBUTE public_part[] = {
        {CKA_TOKEN, &yes, 1},
        {CKA_VERIFY, &yes, 1},
        {CKA_EC_PARAMS, (void *)curve, curve_count},
        {CKA_LABEL, (void *)label, label_count},
        {CKA_ID, (void *)id, id_count},
    };
    CK_ATTRIBUTE private_part[] = {
        {CKA_TOKEN, &yes, 1},     {CKA_PRIVATE, &yes, 1},
        {CKA_SENSITIVE, &yes, 1}, {CKA_EXTRACTABLE, &no, 1},
        {CKA_SIGN, &yes, 1},      {CKA_LABEL, (void *)label, label_count},
        {CKA_ID, (void *)id, id_count},
    };
    CK_MECHANISM mechanism = {CKM_EC_KEY_PAIR_GEN, NULL, 0};
    CK_OBJECT_HANDLE keys[2] = {0};
    const CK_RV result = CALL(
        C_GenerateKeyPair, session, &mechanism, public_part, sizeof public_part / sizeof *public_part, private_part,
        sizeof private_part / sizeof *private_part, &keys[0], &keys[1]);
    *public_key = keys[0];
    *private_key = keys[1];
    return result;
}

unsigned long token_remove(uint64_t object) { return CALL(C_DestroyObject, session, object); }

unsigned long token_sign(uint64_t key, const uint8_t *digest, uint8_t *signature) {
    CK_MECHANISM mechanism = {CKM_ECDSA, NULL, 0};
    CK_RV result = CALL(C_SignInit, session, &mechanism, key);
    if (result != CKR_OK) return result;
    CK_BYTE input[32], output[256];
    memcpy(input, digest, sizeof input);
    CK_ULONG count = sizeof output;
    result = CALL(C_Sign, session, input, sizeof input, output, &count);
    if (result != CKR_OK) return result;
    if (count != 64) return TOKEN_INVALID_ANSWER;
    memcpy(signature, output, 64);
    return CKR_OK;
}
