import SecureMemory

/// A PIN and the key file that belongs to it.
package struct PINAndKeyFile: ~Copyable {
    let pin: PIN
    let file: KeyFile
}

/// The secrets that a user provides to open a vault.
package enum UnlockMethod: SlotKeySource, ~Copyable {
    case pin(PIN)
    case pinAndKeyFile(PINAndKeyFile)
    case recovery(RecoveryPhrase)
    case pinAndTPM(PINAndTPM)
    case pinAndFIDO2(PINAndAuthenticator)
    case fido2(Authenticator)

    package static func pinAndKeyFile(_ pin: consuming PIN, _ file: consuming KeyFile) -> UnlockMethod {
        .pinAndKeyFile(PINAndKeyFile(pin: pin, file: file))
    }

    /// The kind of slots that it may open.
    package var kind: SlotKind {
        switch self {
        case .pin: .pin
        case .pinAndKeyFile: .pinAndKeyFile
        case .recovery: .recovery
        case .pinAndTPM: .pinAndTPM
        case .pinAndFIDO2: .pinAndFIDO2
        case .fido2: .fido2
        }
    }

    /// Lends the secret that a new file stores: the key file, or the PIN of a method without one;
    /// nil for the others.
    package borrowing func withStoredSecret<Result, Failure: Error>(
        _ body: (_ secret: borrowing SecureBytes, _ isText: Bool) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        switch self {
        case .pinAndKeyFile(let both): try body(both.file.bytes, false)
        case .pin(let pin): try body(pin.bytes, true)
        default: nil
        }
    }

    /// Lends the secrets as they were given, for the process that opens the vault: the PIN, the PIN
    /// and the bytes of the key file, or the words of the phrase with spaces between them.
    /// - Returns: nil for a method with a device, which that process must open itself.
    package borrowing func lend<Result: ~Copyable>(
        pin: (borrowing SecureBytes) throws -> Result,
        pinAndKeyFile: (borrowing SecureBytes, borrowing SecureBytes) throws -> Result,
        recovery: (borrowing SecureBytes) throws -> Result
    ) throws -> Result? {
        switch self {
        case .pin(let given): try pin(given.bytes)
        case .pinAndKeyFile(let both): try pinAndKeyFile(both.pin.bytes, both.file.bytes)
        case .recovery(let phrase): try phrase.withWords(recovery)
        default: nil
        }
    }

    /// True if it has this PIN. The comparison takes the same time wherever the PINs differ.
    package borrowing func hasPIN(_ other: borrowing PIN) -> Bool {
        switch self {
        case .pin(let pin): pin.bytes.isEqual(to: other.bytes)
        case .pinAndKeyFile(let both): both.pin.bytes.isEqual(to: other.bytes)
        case .pinAndTPM(let both): both.pin.bytes.isEqual(to: other.bytes)
        case .pinAndFIDO2(let both): both.pin.bytes.isEqual(to: other.bytes)
        default: false
        }
    }

    package var usesArgon2id: Bool { kind.hasPIN }

    package borrowing func secret(salt: [UInt8], cost: KDFCost?, details: [UInt8]) throws(VaultError)
        -> SecureBytes
    {
        guard details.isEmpty != kind.storesDetails else { throw .damaged(.slots) }
        switch self {
        case .pin(let pin): return try Self.derive(pin, salt, cost)
        case .pinAndKeyFile(let both):
            let derived = try Self.derive(both.pin, salt, cost)
            return try Sodium.keyedSecret(of: Domain.keyFile.bytes, derived, key: both.file.bytes)
        case .recovery(let phrase):
            return try Sodium.keyedSecret(of: Domain.recovery.bytes + salt, key: phrase.bytes)
        case .pinAndTPM(let both):
            return try both.secret(Self.derive(both.pin, salt, cost), details: details)
        case .pinAndFIDO2(let both):
            return try both.authenticator.secret(
                with: Self.derive(both.pin, salt, cost), details: details)
        case .fido2(let authenticator): return try authenticator.secret(salt: salt, details: details)
        }
    }

    package borrowing func newSecret(
        salt: [UInt8], cost: KDFCost?, registers: [Int]
    ) throws(VaultError) -> NewSlotSecret {
        switch self {
        case .pinAndTPM(let both): return try both.newSecret(Self.derive(both.pin, salt, cost), registers)
        case .pinAndFIDO2(let both):
            // The derivation first: a person waits to touch the authenticator only once.
            let derived = try Self.derive(both.pin, salt, cost)
            let details = try both.authenticator.newDetails()
            return NewSlotSecret(
                details: details, secret: try both.authenticator.secret(with: derived, details: details))
        case .fido2(let authenticator):
            let details = try authenticator.newDetails()
            return NewSlotSecret(
                details: details, secret: try authenticator.secret(salt: salt, details: details))
        default: return NewSlotSecret(secret: try secret(salt: salt, cost: cost, details: []))
        }
    }

    private static func derive(_ pin: borrowing PIN, _ salt: [UInt8], _ cost: KDFCost?) throws(VaultError)
        -> SecureBytes
    {
        guard let cost else { throw .damaged(.slots) }
        return try Sodium.argon2id(pin.bytes, salt: salt, cost: cost)
    }
}

extension UnlockMethod {
    /// The unlock method with another PIN, and the same key file or device if there is one. A
    /// method without a PIN is replaced by the PIN alone.
    package consuming func withPIN(_ pin: consuming PIN) -> UnlockMethod {
        switch consume self {
        case .pinAndKeyFile(let both): .pinAndKeyFile(pin, both.file)
        case .pin: .pin(pin)
        case .pinAndTPM(let both): .pinAndTPM(both.withPIN(pin))
        case .pinAndFIDO2(let both): .pinAndFIDO2(both.withPIN(pin))
        case .recovery: .pin(pin)
        case .fido2: .pin(pin)
        }
    }
}
