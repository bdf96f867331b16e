import Codecs
import Files
import SecureMemory

/// A TPM 2.0 that seals secrets: it gives one back only to who knows its authorization, and limits
/// how often somebody may guess it.
///
/// Use one value at a time for a device, in one thread. Each operation leaves no object and no
/// session in the TPM, also after an error.
package struct TPMDevice: ~Copyable {
    private let file: OpenFile
    let connection: TPMConnection
    private let knownFacts: TPMFacts

    /// The number of bytes of a secret and of an authorization.
    package static let secretCount = 32

    /// Reads the properties of the TPM.
    /// - Parameters:
    ///   - file: a TPM's device (`/dev/tpmrm0`), a socket or a terminal, open for reading and
    ///     writing.
    ///   - milliseconds: the most time for each command. A device that is not open with O_NONBLOCK
    ///     has its driver's limits instead.
    /// - Throws: `noTPM`, `notStarted`, `gone`, `timedOut`, `busy`, `refused`.
    package init(_ file: consuming OpenFile, milliseconds: Int = 30_000) throws(TPMError) {
        let connection = file.withDescriptor { TPMConnection($0, milliseconds: milliseconds) }
        let values: [UInt32: UInt32]
        do {
            values = try Capability.properties(in: connection.run(Capability.familyCommand).parameters)
        } catch {
            if case .invalidAnswer = error { throw .noTPM }
            throw error
        }
        guard let facts = Capability.facts(in: values) else { throw .noTPM }
        try connection.rememberForeignObjects()
        (knownFacts, self.connection) = (facts, connection)
        self.file = file
    }

    package func facts() throws(TPMError) -> TPMFacts { knownFacts }

    /// How many wrong authorizations the TPM still accepts.
    /// - Throws: `invalidAnswer`, and errors of the connection.
    package func lockout() throws(TPMError) -> TPMLockout {
        let answer = try connection.run(Capability.lockoutCommand)
        guard let lockout = try Capability.lockout(in: Capability.properties(in: answer.parameters)) else {
            throw .invalidAnswer(command: TPMCommand.Code.getCapability.name)
        }
        return lockout
    }

    /// The Name of the storage key, 34 bytes. It identifies the TPM, and changes if the TPM is
    /// cleared. It is computed once.
    /// - Throws: `ownerPassword`, `invalidAnswer`, and errors of the connection.
    package func primaryName() throws(TPMError) -> [UInt8] {
        if let name = connection.primaryName { return name }
        return try connection.removingObjects { () throws(TPMError) in try makeStorageKey().name }
    }

    /// - Throws: `otherTPM` if the device made another key before. Who put another TPM in its place
    ///   must not get a secret.
    private func makeStorageKey() throws(TPMError) -> StorageKey {
        let key = try StorageKey.make(on: connection)
        guard connection.primaryName ?? key.name == key.name else { throw .otherTPM }
        connection.primaryName = key.name
        return key
    }

    // MARK: sealing

    /// Seals a secret. The TPM does not keep it: it returns it encrypted.
    /// - Parameters:
    ///   - secret, authorization: 32 bytes each; another length is a programmer's error and traps.
    ///     The TPM counts wrong authorizations.
    ///   - registers: numbers of PCRs of the SHA-256 bank. The secret can be unsealed only while
    ///     they have the values that they have now.
    /// - Throws: `otherTPM` if another TPM took the place of the device; `invalidRegister`,
    ///   `noRegisterBank`, `ownerPassword`, `noMemory`, `invalidAnswer`, `refused`, and errors of
    ///   the connection.
    package func seal(
        _ secret: borrowing SecureBytes, authorization: borrowing SecureBytes, registers: [Int] = []
    ) throws(TPMError) -> SealedSecret {
        precondition(secret.count == Self.secretCount && authorization.count == Self.secretCount)
        let registers = try Registers(registers)
        let connection = connection
        return try connection.removingObjects { () throws(TPMError) in
            let policy =
                try registers.numbers.isEmpty ? [] : registers.policy(registers.digest(on: connection))
            let key = try makeStorageKey()
            var session = try TPMSession(.authorization, with: key, on: connection)
            let sensitive = session.encrypt(authorization: authorization, secret: secret)
            let command = SealedObject.createCommand(parent: key.handle, policy: policy, sensitive)
            let parameters = try session.run(command, name: key.name, .toTPM, on: connection)
            let areas = try SealedObject.areas(in: parameters, policy: policy)
            return try SealedSecret(
                primaryName: key.name, registers: registers.numbers, publicArea: areas.public,
                privateArea: areas.private)
        }
    }

    /// Unseals a secret.
    /// - Parameter authorization: 32 bytes; another length is a programmer's error and traps. It is
    ///   tried only if the TPM is the one that sealed the secret and its PCRs are unchanged.
    /// - Returns: 32 bytes.
    /// - Throws: `otherTPM`, `registersChanged`, `wrongAuthorization`, `lockedOut`, `damagedBlob`,
    ///   and the errors of `seal`.
    package func unseal(
        _ sealed: SealedSecret, authorization: borrowing SecureBytes
    ) throws(TPMError) -> SecureBytes {
        precondition(authorization.count == Self.secretCount)
        do {
            return try connection.removingObjects { () throws(TPMError) in
                try unsealed(sealed, authorization)
            }
        } catch {
            guard case .refused(_, TPMCommand.Code.unseal.name) = error, let code = error.responseCode else {
                throw error
            }
            if code.isWrongAuthorization { throw .wrongAuthorization(try lockout()) }
            if code.isLockout { throw .lockedOut(try lockout()) }
            throw error
        }
    }

    private func unsealed(
        _ sealed: SealedSecret, _ authorization: borrowing SecureBytes
    ) throws(TPMError) -> SecureBytes {
        let key = try makeStorageKey()
        guard key.name == sealed.primaryName else { throw .otherTPM }
        let registers = try Registers(sealed.registers)
        let usesPolicy = !registers.numbers.isEmpty
        var digest: [UInt8] = []
        if usesPolicy {
            digest = try registers.digest(on: connection)
            guard sealed.hasPolicy(registers.policy(digest)) else {
                throw .registersChanged(sealed.registers)
            }
        }
        let object = try SealedObject.load(sealed, parent: key.handle, on: connection)
        var session = try TPMSession(usesPolicy ? .policy : .authorization, with: key, on: connection)
        do {
            if usesPolicy { try registers.satisfyPolicy(digest, session: session.handle, on: connection) }
            session.authorize(authorization)
            let parameters = try session.run(
                TPMCommand(code: .unseal, handles: [object.handle]), name: object.name, .fromTPM,
                on: connection)
            let encrypted = try TPMAnswer.read(parameters, of: .unseal) { reader throws(Malformed) in
                try reader.sized(Self.secretCount)
            }
            return try session.decrypt(encrypted)
        } catch {
            // A PCR may have changed since it was read.
            guard usesPolicy, let code = error.responseCode, code.isOtherPolicy else { throw error }
            throw .registersChanged(sealed.registers)
        }
    }
}
