/// What permits one operation: a PIN, or a fingerprint.
enum Permit {
    /// The authentication code of the client data, and the number of the protocol.
    case code([UInt8], protocolNumber: Int)
    /// The authenticator verifies the user during the operation.
    case option

    var code: CBORValue? { if case .code(let code, _) = self { .bytes(code) } else { nil } }
    var protocolNumber: CBORValue? {
        if case .code(_, let number) = self { COSEKey.number(number) } else { nil }
    }
    /// `uv` is not sent together with a code: CTAP 2.1, section 6.1.2.
    var option: CBORValue? {
        if case .option = self { .named(["uv": .bool(true)]) } else { nil }
    }
}
