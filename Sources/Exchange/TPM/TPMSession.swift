import CTPM
import Codecs
import SecureMemory

/// A session with a TPM whose commands and answers are authenticated, and whose secrets are
/// encrypted on the way to the TPM and back. Its key comes from a number on which this program and
/// the storage key of the TPM agreed, so only that TPM knows it.
struct TPMSession: ~Copyable {
    /// TPM_SE (Part 2, 6.11).
    enum Kind: UInt8 {
        case authorization = 0
        case policy = 1
    }

    /// TPMA_SESSION (Part 2, 8.4): which secret is encrypted. The session ends with its command.
    enum Direction: UInt8 {
        case toTPM = 0x20
        case fromTPM = 0x40
    }

    let handle: UInt32
    /// The nonce of the session's command.
    private let nonce: [UInt8]
    private var memory: SecureBytes

    init(_ kind: Kind, with key: borrowing StorageKey, on connection: TPMConnection) throws(TPMError) {
        LibCrypto.start()
        var memory = try Self.newMemory()
        var ephemeral = [UInt8](repeating: 0, count: 64)
        var nonce = [UInt8](repeating: 0, count: Int(TPM_DIGEST))
        let isAgreed = unsafe Self.withSession(&memory) {
            unsafe tpm_session_make_salt($0, key.point, &ephemeral) == 1
        }
        // The point may be wrong, which only a faulty TPM sends.
        guard isAgreed else { throw .invalidAnswer(command: TPMCommand.Code.createPrimary.name) }
        memory.classify()
        unsafe Self.withSession(&memory) { unsafe tpm_session_make_nonce($0, &nonce) }
        let answer = try connection.run(Self.command(kind, key.handle, ephemeral, nonce))
        let tpmNonce = try Self.nonce(in: answer.parameters)
        unsafe Self.withSession(&memory) {
            unsafe tpm_session_make_key($0, tpmNonce)
            unsafe tpm_session_make_nonce($0, &nonce)
        }
        self.handle = answer.handle
        self.nonce = nonce
        self.memory = memory
    }

    /// TPM2_StartAuthSession (Part 3, 11.1).
    static func command(
        _ kind: Kind, _ key: UInt32, _ ephemeral: [UInt8], _ nonce: [UInt8]
    ) -> TPMCommand {
        var point = Packing()
        point.write(sized: Array(ephemeral[..<32]))
        point.write(sized: Array(ephemeral[32...]))
        var parameters = Packing()
        parameters.write(sized: nonce)
        parameters.write(sized: point.bytes)
        parameters.write(kind.rawValue)
        // AES-128-CFB, SHA-256
        parameters.write(raw: [0x00, 0x06, 0x00, 0x80, 0x00, 0x43, 0x00, 0x0b])
        // TPM_RH_NULL: the session is not bound to an object.
        return TPMCommand(
            code: .startAuthSession, handles: [key, 0x4000_0007], parameters: parameters.bytes)
    }

    /// The nonce of the TPM in the answer to TPM2_StartAuthSession.
    /// - Throws: `invalidAnswer`.
    static func nonce(in parameters: [UInt8]) throws(TPMError) -> [UInt8] {
        try TPMAnswer.read(parameters, of: .startAuthSession) { reader throws(Malformed) in
            try reader.sized(Int(TPM_DIGEST))
        }
    }

    /// Sets the authorization of the object that the session's command uses.
    mutating func authorize(_ authorization: borrowing SecureBytes) {
        authorization.withBytes { bytes in
            unsafe bytes.withUnsafeBytes { bytes in
                let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
                unsafe Self.withSession(&memory) { unsafe tpm_session_authorize($0, start) }
            }
        }
    }

    /// The encrypted TPMS_SENSITIVE_CREATE of a new object (Part 2, 11.1.15).
    mutating func encrypt(
        authorization: borrowing SecureBytes, secret: borrowing SecureBytes
    ) -> [UInt8] {
        var encrypted = [UInt8](repeating: 0, count: Int(TPM_SENSITIVE))
        authorization.withBytes { authorization in
            unsafe authorization.withUnsafeBytes { authorization in
                secret.withBytes { secret in
                    unsafe secret.withUnsafeBytes { secret in
                        unsafe Self.withSession(&memory) { session in
                            unsafe tpm_session_encrypt(
                                session, authorization.baseAddress?.assumingMemoryBound(to: UInt8.self),
                                secret.baseAddress?.assumingMemoryBound(to: UInt8.self), &encrypted)
                        }
                    }
                }
            }
        }
        // The ciphertext is made for the bus between this program and the TPM, which others can
        // read.
        return disclosed(encrypted)
    }

    /// The secret in the answer that `run` received last.
    mutating func decrypt(_ encrypted: [UInt8]) throws(TPMError) -> SecureBytes {
        precondition(encrypted.count == Int(TPM_DIGEST))
        var secret = try Self.newSecret()
        secret.withMutableBytes { secret in
            unsafe secret.withUnsafeMutableBytes { secret in
                let start = unsafe secret.baseAddress?.assumingMemoryBound(to: UInt8.self)
                unsafe Self.withSession(&memory) { unsafe tpm_session_decrypt($0, encrypted, start) }
            }
        }
        return secret
    }

    /// Runs the only command of the session.
    /// - Parameters:
    ///   - command: without its authorization.
    ///   - name: of the object that the command uses.
    /// - Returns: the parameters of the answer, whose HMAC is right.
    mutating func run(
        _ command: TPMCommand, name: [UInt8], _ direction: Direction, on connection: TPMConnection
    ) throws(TPMError) -> [UInt8] {
        var hmac = [UInt8](repeating: 0, count: Int(TPM_DIGEST))
        var digested = Packing()
        digested.write(command.code.rawValue)
        digested.write(raw: name + command.parameters)
        let digest = HashFunction.sha256.hash(digested.bytes)
        unsafe Self.withSession(&memory) { unsafe tpm_session_prove($0, digest, direction.rawValue, &hmac) }
        var authorization = Packing()
        authorization.write(handle)
        authorization.write(sized: nonce)
        authorization.write(direction.rawValue)
        // An HMAC is made for the bus.
        authorization.write(sized: disclosed(hmac))
        var command = command
        command.authorization = authorization.bytes
        let answer = try connection.run(command)
        connection.forget(handle)
        try check(answer, to: command.code, direction)
        return answer.parameters
    }
}

extension TPMSession {
    /// Compares the HMAC of an answer (Part 1, 19.6.5).
    /// - Throws: `invalidAnswer`.
    private mutating func check(
        _ answer: TPMAnswer, to code: TPMCommand.Code, _ direction: Direction
    ) throws(TPMError) {
        let proof = try SessionProof(answer.authorization, of: code)
        var digested = Packing()
        // TPM_RC_SUCCESS
        digested.write(0 as UInt32)
        digested.write(code.rawValue)
        digested.write(raw: answer.parameters)
        let digest = HashFunction.sha256.hash(digested.bytes)
        let difference = unsafe Self.withSession(&memory) {
            unsafe tpm_session_compare($0, digest, proof.nonce, proof.attributes, proof.hmac)
        }
        // The caller learns whether the answer is from the TPM.
        guard disclosed(difference) == 0, proof.attributes == direction.rawValue else {
            throw .invalidAnswer(command: code.name)
        }
    }

    static func newMemory() throws(TPMError) -> SecureBytes {
        do { return try SecureBytes(count: tpm_session_size()) } catch { throw .memory(error) }
    }

    private static func newSecret() throws(TPMError) -> SecureBytes {
        do { return try SecureBytes(count: Int(TPM_DIGEST)) } catch { throw .memory(error) }
    }

    /// Lends the state of a session to C, and wipes what the call leaves on the stack.
    @unsafe
    static func withSession<Result>(
        _ memory: inout SecureBytes, _ body: (OpaquePointer) -> Result
    ) -> Result {
        defer { wipeScratch() }
        return memory.withMutableBytes { bytes in
            unsafe bytes.withUnsafeMutableBytes { bytes in
                guard let base = bytes.baseAddress else { preconditionFailure("guarded memory is empty") }
                return unsafe body(OpaquePointer(base))
            }
        }
    }
}

/// The part of the session in an answer (Part 1, 19.6.3).
struct SessionProof {
    let nonce: [UInt8]
    let attributes: UInt8
    let hmac: [UInt8]

    /// - Throws: `invalidAnswer`.
    init(_ bytes: [UInt8], of code: TPMCommand.Code) throws(TPMError) {
        (nonce, attributes, hmac) = try TPMAnswer.read(bytes, of: code) { reader throws(Malformed) in
            (
                try reader.sized(Int(TPM_DIGEST)), try reader.number(UInt8.self),
                try reader.sized(Int(TPM_DIGEST))
            )
        }
    }
}
