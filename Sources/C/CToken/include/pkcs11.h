// The part of PKCS#11 that this program uses: OASIS, "PKCS #11 Cryptographic Token Interface Base
// Specification Version 2.40", on Unix, where structures have the natural alignment.
#ifndef EOSVAULT_PKCS11_H
#define EOSVAULT_PKCS11_H

typedef unsigned char CK_BYTE;
typedef unsigned long CK_ULONG;
typedef CK_ULONG CK_RV, CK_FLAGS, CK_SLOT_ID, CK_SESSION_HANDLE, CK_OBJECT_HANDLE, CK_OBJECT_CLASS,
    CK_MECHANISM_TYPE, CK_ATTRIBUTE_TYPE, CK_USER_TYPE;

#define CK_UNAVAILABLE_INFORMATION (~0UL)

#define CKR_OK 0x000UL
#define CKR_ARGUMENTS_BAD 0x007UL
#define CKR_FUNCTION_FAILED 0x006UL
#define CKR_GENERAL_ERROR 0x005UL
#define CKR_ATTRIBUTE_SENSITIVE 0x011UL
#define CKR_ATTRIBUTE_TYPE_INVALID 0x012UL
#define CKR_DEVICE_ERROR 0x030UL
#define CKR_DEVICE_REMOVED 0x032UL
#define CKR_FUNCTION_NOT_SUPPORTED 0x054UL
#define CKR_KEY_HANDLE_INVALID 0x060UL
#define CKR_MECHANISM_INVALID 0x070UL
#define CKR_OBJECT_HANDLE_INVALID 0x082UL
#define CKR_OPERATION_NOT_INITIALIZED 0x091UL
#define CKR_PIN_INCORRECT 0x0a0UL
#define CKR_PIN_LEN_RANGE 0x0a2UL
#define CKR_PIN_LOCKED 0x0a4UL
#define CKR_SESSION_CLOSED 0x0b0UL
#define CKR_SESSION_HANDLE_INVALID 0x0b3UL
#define CKR_TEMPLATE_INCOMPLETE 0x0d0UL
#define CKR_TEMPLATE_INCONSISTENT 0x0d1UL
#define CKR_TOKEN_NOT_PRESENT 0x0e0UL
#define CKR_SLOT_ID_INVALID 0x003UL
#define CKR_USER_ALREADY_LOGGED_IN 0x100UL
#define CKR_USER_NOT_LOGGED_IN 0x101UL
#define CKR_BUFFER_TOO_SMALL 0x150UL
#define CKR_CRYPTOKI_NOT_INITIALIZED 0x190UL
#define CKR_CRYPTOKI_ALREADY_INITIALIZED 0x191UL

#define CKF_LOGIN_REQUIRED 0x0004UL
#define CKF_PROTECTED_AUTHENTICATION_PATH 0x0100UL
#define CKF_TOKEN_INITIALIZED 0x0400UL
#define CKF_USER_PIN_COUNT_LOW 0x10000UL
#define CKF_USER_PIN_FINAL_TRY 0x20000UL
#define CKF_USER_PIN_LOCKED 0x40000UL
#define CKF_OS_LOCKING_OK 0x2UL
#define CKF_RW_SESSION 0x2UL
#define CKF_SERIAL_SESSION 0x4UL
#define CKF_SIGN 0x0800UL
#define CKF_GENERATE_KEY_PAIR 0x10000UL

#define CKU_USER 1UL
#define CKO_PUBLIC_KEY 2UL
#define CKO_PRIVATE_KEY 3UL
#define CKK_EC 3UL
#define CKM_EC_KEY_PAIR_GEN 0x1040UL
#define CKM_ECDSA 0x1041UL

#define CKA_CLASS 0x000UL
#define CKA_TOKEN 0x001UL
#define CKA_PRIVATE 0x002UL
#define CKA_LABEL 0x003UL
#define CKA_KEY_TYPE 0x100UL
#define CKA_ID 0x102UL
#define CKA_SENSITIVE 0x103UL
#define CKA_SIGN 0x108UL
#define CKA_VERIFY 0x10aUL
#define CKA_EXTRACTABLE 0x162UL
#define CKA_LOCAL 0x163UL
#define CKA_NEVER_EXTRACTABLE 0x164UL
#define CKA_ALWAYS_SENSITIVE 0x165UL
#define CKA_ALWAYS_AUTHENTICATE 0x202UL
#define CKA_EC_PARAMS 0x180UL
#define CKA_EC_POINT 0x181UL

typedef struct {
    CK_BYTE major, minor;
} CK_VERSION;

typedef struct {
    CK_BYTE label[32], manufacturerID[32], model[16], serialNumber[16];
    CK_FLAGS flags;
    CK_ULONG maxSessionCount, sessionCount, maxRwSessionCount, rwSessionCount, maxPinLen, minPinLen,
        totalPublicMemory, freePublicMemory, totalPrivateMemory, freePrivateMemory;
    CK_VERSION hardwareVersion, firmwareVersion;
    CK_BYTE utcTime[16];
} CK_TOKEN_INFO;

typedef struct {
    CK_ULONG minKeySize, maxKeySize;
    CK_FLAGS flags;
} CK_MECHANISM_INFO;

typedef struct {
    CK_MECHANISM_TYPE mechanism;
    void *parameter;
    CK_ULONG parameterLen;
} CK_MECHANISM;

typedef struct {
    CK_ATTRIBUTE_TYPE type;
    void *value;
    CK_ULONG valueLen;
} CK_ATTRIBUTE;

typedef struct {
    void *createMutex, *destroyMutex, *lockMutex, *unlockMutex;
    CK_FLAGS flags;
    void *reserved;
} CK_C_INITIALIZE_ARGS;

typedef CK_RV (*CK_UNUSED)(void);

// The functions in the order of the specification, section 5.
typedef struct CK_FUNCTION_LIST {
    CK_VERSION version;
    CK_RV (*C_Initialize)(void *);
    CK_RV (*C_Finalize)(void *);
    CK_UNUSED C_GetInfo;
    CK_RV (*C_GetFunctionList)(struct CK_FUNCTION_LIST **);
    CK_RV (*C_GetSlotList)(CK_BYTE, CK_SLOT_ID *, CK_ULONG *);
    CK_UNUSED C_GetSlotInfo;
    CK_RV (*C_GetTokenInfo)(CK_SLOT_ID, CK_TOKEN_INFO *);
    CK_RV (*C_GetMechanismList)(CK_SLOT_ID, CK_MECHANISM_TYPE *, CK_ULONG *);
    CK_RV (*C_GetMechanismInfo)(CK_SLOT_ID, CK_MECHANISM_TYPE, CK_MECHANISM_INFO *);
    CK_UNUSED C_InitToken, C_InitPIN, C_SetPIN;
    CK_RV (*C_OpenSession)(CK_SLOT_ID, CK_FLAGS, void *, void *, CK_SESSION_HANDLE *);
    CK_RV (*C_CloseSession)(CK_SESSION_HANDLE);
    CK_UNUSED C_CloseAllSessions, C_GetSessionInfo, C_GetOperationState, C_SetOperationState;
    CK_RV (*C_Login)(CK_SESSION_HANDLE, CK_USER_TYPE, CK_BYTE *, CK_ULONG);
    CK_RV (*C_Logout)(CK_SESSION_HANDLE);
    CK_UNUSED C_CreateObject, C_CopyObject;
    CK_RV (*C_DestroyObject)(CK_SESSION_HANDLE, CK_OBJECT_HANDLE);
    CK_UNUSED C_GetObjectSize;
    CK_RV (*C_GetAttributeValue)(CK_SESSION_HANDLE, CK_OBJECT_HANDLE, CK_ATTRIBUTE *, CK_ULONG);
    CK_UNUSED C_SetAttributeValue;
    CK_RV (*C_FindObjectsInit)(CK_SESSION_HANDLE, CK_ATTRIBUTE *, CK_ULONG);
    CK_RV (*C_FindObjects)(CK_SESSION_HANDLE, CK_OBJECT_HANDLE *, CK_ULONG, CK_ULONG *);
    CK_RV (*C_FindObjectsFinal)(CK_SESSION_HANDLE);
    CK_UNUSED C_EncryptInit, C_Encrypt, C_EncryptUpdate, C_EncryptFinal, C_DecryptInit, C_Decrypt,
        C_DecryptUpdate, C_DecryptFinal, C_DigestInit, C_Digest, C_DigestUpdate, C_DigestKey,
        C_DigestFinal;
    CK_RV (*C_SignInit)(CK_SESSION_HANDLE, CK_MECHANISM *, CK_OBJECT_HANDLE);
    CK_RV (*C_Sign)(CK_SESSION_HANDLE, CK_BYTE *, CK_ULONG, CK_BYTE *, CK_ULONG *);
    CK_UNUSED C_SignUpdate, C_SignFinal, C_SignRecoverInit, C_SignRecover, C_VerifyInit, C_Verify,
        C_VerifyUpdate, C_VerifyFinal, C_VerifyRecoverInit, C_VerifyRecover, C_DigestEncryptUpdate,
        C_DecryptDigestUpdate, C_SignEncryptUpdate, C_DecryptVerifyUpdate, C_GenerateKey;
    CK_RV (*C_GenerateKeyPair)(
        CK_SESSION_HANDLE, CK_MECHANISM *, CK_ATTRIBUTE *, CK_ULONG, CK_ATTRIBUTE *, CK_ULONG,
        CK_OBJECT_HANDLE *, CK_OBJECT_HANDLE *);
    CK_UNUSED C_WrapKey, C_UnwrapKey, C_DeriveKey, C_SeedRandom, C_GenerateRandom,
        C_GetFunctionStatus, C_CancelFunction, C_WaitForSlotEvent;
} CK_FUNCTION_LIST;

#endif
