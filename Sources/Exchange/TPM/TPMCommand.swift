/// A command (Part 1, 18).
struct TPMCommand {
    /// The codes of Part 2, 6.5.2.
    enum Code: UInt32, CaseIterable {
        case createPrimary = 0x131
        case create = 0x153
        case load = 0x157
        case unseal = 0x15e
        case flushContext = 0x165
        case policyAuthValue = 0x16b
        case startAuthSession = 0x176
        case getCapability = 0x17a
        case readRegisters = 0x17e
        case policyRegisters = 0x17f

        /// The name in the specification.
        var name: String {
            switch self {
            case .createPrimary: "TPM2_CreatePrimary"
            case .create: "TPM2_Create"
            case .load: "TPM2_Load"
            case .unseal: "TPM2_Unseal"
            case .flushContext: "TPM2_FlushContext"
            case .policyAuthValue: "TPM2_PolicyAuthValue"
            case .startAuthSession: "TPM2_StartAuthSession"
            case .getCapability: "TPM2_GetCapability"
            case .readRegisters: "TPM2_PCR_Read"
            case .policyRegisters: "TPM2_PolicyPCR"
            }
        }

        /// True if the answer begins with the handle of a new object or session.
        var makesHandle: Bool {
            switch self {
            case .createPrimary, .load, .startAuthSession: true
            default: false
            }
        }
    }

    let code: Code
    var handles: [UInt32] = []
    /// Nil for a command without sessions.
    var authorization: [UInt8]?
    var parameters: [UInt8] = []

    /// An authorization by an empty password (TPM_RS_PW; Part 1, 19.4).
    static let emptyPassword: [UInt8] = [0x40, 0, 0, 9, 0, 0, 0, 0, 0]

    /// TPM_ST_NO_SESSIONS or TPM_ST_SESSIONS.
    var tag: UInt16 { authorization == nil ? 0x8001 : 0x8002 }

    var bytes: [UInt8] {
        var body = Packing()
        for handle in handles { body.write(handle) }
        if let authorization {
            body.write(UInt32(authorization.count))
            body.write(raw: authorization)
        }
        body.write(raw: parameters)
        var command = Packing()
        command.write(tag)
        command.write(UInt32(body.bytes.count + 10))
        command.write(code.rawValue)
        command.write(raw: body.bytes)
        return command.bytes
    }
}

/// The answer to a command (Part 1, 18.10).
struct TPMAnswer: Equatable {
    /// The new object or session, if the command makes one.
    let handle: UInt32
    let parameters: [UInt8]
    /// The part of the session, for a command with one.
    let authorization: [UInt8]

    /// - Throws: `notStarted`, `noMemory`, `refused`, `invalidAnswer`.
    init(_ bytes: [UInt8], to command: TPMCommand) throws(TPMError) {
        let invalid = TPMError.invalidAnswer(command: command.code.name)
        do {
            var header = Unpacking(bytes)
            let tag = try header.number(UInt16.self)
            guard try header.number(UInt32.self) == bytes.count else { throw Malformed() }
            let code = try ResponseCode(code: header.number(UInt32.self))
            guard code.code == 0 else {
                guard tag == 0x8001, bytes.count == 10 else { throw Malformed() }
                throw Self.error(code, command)
            }
            guard tag == command.tag else { throw Malformed() }
            handle = command.code.makesHandle ? try header.number(UInt32.self) : 0
            if command.authorization == nil {
                parameters = header.rest()
                authorization = []
            } else {
                // A count beyond the answer is refused, whatever the width of an integer.
                guard let count = try Int(exactly: header.number(UInt32.self)) else { throw Malformed() }
                parameters = try header.raw(count)
                authorization = header.rest()
                // A password has no nonce and no HMAC.
                if command.authorization == TPMCommand.emptyPassword {
                    var password = Unpacking(authorization)
                    _ = (try password.sized(0), try password.number(UInt8.self), try password.sized(0))
                    try password.expectEnd()
                }
            }
        } catch let error as TPMError { throw error } catch { throw invalid }
    }

    private static func error(_ code: ResponseCode, _ command: TPMCommand) -> TPMError {
        if code.isNotStarted { return .notStarted }
        if code.isNoMemory { return .noMemory }
        return .refused(code: code.code, command: command.code.name)
    }

    /// Reads all parameters.
    /// - Throws: `invalidAnswer`.
    static func read<Value>(
        _ parameters: [UInt8], of code: TPMCommand.Code,
        _ body: (inout Unpacking) throws(Malformed) -> Value
    ) throws(TPMError) -> Value {
        do {
            var reader = Unpacking(parameters)
            let value = try body(&reader)
            try reader.expectEnd()
            return value
        } catch { throw .invalidAnswer(command: code.name) }
    }
}
