import Codecs

/// The return values of PKCS#11 (CKR_…).
enum ReturnValue {
    static let pinIncorrect: UInt64 = 0xa0
    static let pinInvalid: UInt64 = 0xa1
    static let pinLength: UInt64 = 0xa2
    static let pinLocked: UInt64 = 0xa4
    /// CKR_SESSION_CLOSED, CKR_SESSION_HANDLE_INVALID, CKR_USER_NOT_LOGGED_IN.
    static let forgottenSession: Set<UInt64> = [0xb0, 0xb3, 0x101]
    // Values of `CToken`.
    static let notLoaded: UInt64 = 0x7fff_0001
    static let notAModule: UInt64 = 0x7fff_0002
    static let invalidAnswer: UInt64 = 0x7fff_0003
    static let tooLarge: UInt64 = 0x7fff_0004
    static let tooMany: UInt64 = 0x7fff_0005

    private static let names: [UInt64: String] = [
        0x02: "CKR_HOST_MEMORY", 0x03: "CKR_SLOT_ID_INVALID", 0x05: "CKR_GENERAL_ERROR",
        0x06: "CKR_FUNCTION_FAILED", 0x07: "CKR_ARGUMENTS_BAD", 0x10: "CKR_ATTRIBUTE_READ_ONLY",
        0x12: "CKR_ATTRIBUTE_TYPE_INVALID", 0x13: "CKR_ATTRIBUTE_VALUE_INVALID",
        0x1b: "CKR_ACTION_PROHIBITED",
        0x30: "CKR_DEVICE_ERROR", 0x31: "CKR_DEVICE_MEMORY", 0x32: "CKR_DEVICE_REMOVED",
        0x50: "CKR_FUNCTION_CANCELED", 0x54: "CKR_FUNCTION_NOT_SUPPORTED", 0x60: "CKR_KEY_HANDLE_INVALID",
        0x63: "CKR_KEY_TYPE_INCONSISTENT", 0x68: "CKR_KEY_FUNCTION_NOT_PERMITTED",
        0x70: "CKR_MECHANISM_INVALID", 0x71: "CKR_MECHANISM_PARAM_INVALID", 0x82: "CKR_OBJECT_HANDLE_INVALID",
        0x90: "CKR_OPERATION_ACTIVE", 0x91: "CKR_OPERATION_NOT_INITIALIZED", 0xa0: "CKR_PIN_INCORRECT",
        0xa1: "CKR_PIN_INVALID", 0xa2: "CKR_PIN_LEN_RANGE", 0xa3: "CKR_PIN_EXPIRED", 0xa4: "CKR_PIN_LOCKED",
        0xb0: "CKR_SESSION_CLOSED", 0xb1: "CKR_SESSION_COUNT", 0xb3: "CKR_SESSION_HANDLE_INVALID",
        0xb5: "CKR_SESSION_READ_ONLY", 0xd0: "CKR_TEMPLATE_INCOMPLETE", 0xd1: "CKR_TEMPLATE_INCONSISTENT",
        0xe0: "CKR_TOKEN_NOT_PRESENT", 0xe1: "CKR_TOKEN_NOT_RECOGNIZED", 0xe2: "CKR_TOKEN_WRITE_PROTECTED",
        0x101: "CKR_USER_NOT_LOGGED_IN", 0x102: "CKR_USER_PIN_NOT_INITIALIZED",
        0x130: "CKR_DOMAIN_PARAMS_INVALID", 0x140: "CKR_CURVE_NOT_SUPPORTED", 0x150: "CKR_BUFFER_TOO_SMALL",
        0x190: "CKR_CRYPTOKI_NOT_INITIALIZED",
    ]

    static func text(_ code: UInt64) -> String {
        names[code] ?? "0x" + Hex.encode(Array(code.bigEndianBytes.drop { $0 == 0 }))
    }
}

extension UInt64 {
    fileprivate var bigEndianBytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: self >> (56 - 8 * $0)) }
    }
}
