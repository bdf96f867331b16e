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

    package static func pinAndKeyFile(_ pin: consuming PIN, _ file: consuming KeyFile) -> UnlockMethod {
        .pinAndKeyFile(PINAndKeyFile(pin: pin, file: file))
    }

    /// The kind of slots that it may open.
    package var kind: SlotKind {
        switch self {
        case .pin: .pin
        case .pinAndKeyFile: .pinAndKeyFile
        case .recovery: .recovery
        }
    }

    /// Lends the secret that a new file stores: the key file, or the PIN of a method without one;
    /// nil for a recovery phrase.
    package borrowing func withStoredSecret<Result, Failure: Error>(
        _ body: (_ secret: borrowing SecureBytes, _ isText: Bool) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        switch self {
        case .pinAndKeyFile(let both): try body(both.file.bytes, false)
        case .pin(let pin): try body(pin.bytes, true)
        case .recovery: nil
        }
    }

    /// Lends the secrets as they were given, for the process that opens the vault: the PIN, the PIN
    /// and the bytes of the key file, or the words of the phrase with spaces between them.
    package borrowing func lend<Result: ~Copyable>(
        pin: (borrowing SecureBytes) throws -> Result,
        pinAndKeyFile: (borrowing SecureBytes, borrowing SecureBytes) throws -> Result,
        recovery: (borrowing SecureBytes) throws -> Result
    ) throws -> Result {
        switch self {
        case .pin(let given): try pin(given.bytes)
        case .pinAndKeyFile(let both): try pinAndKeyFile(both.pin.bytes, both.file.bytes)
        case .recovery(let phrase): try phrase.withWords(recovery)
        }
    }

    /// True if it has this PIN. The comparison takes the same time wherever the PINs differ.
    package borrowing func hasPIN(_ other: borrowing PIN) -> Bool {
        switch self {
        case .pin(let pin): pin.bytes.isEqual(to: other.bytes)
        case .pinAndKeyFile(let both): both.pin.bytes.isEqual(to: other.bytes)
        case .recovery: false
        }
    }

    package var usesArgon2id: Bool { kind != .recovery }

    package borrowing func secret(salt: [UInt8], cost: KDFCost?, details: [UInt8]) throws(VaultError)
        -> SecureBytes
    {
        // None of these methods stores details.
        guard details.isEmpty else { throw .damaged(.slots) }
        switch self {
        case .pin(let pin): return try Self.derive(pin, salt, cost)
        case .pinAndKeyFile(let both):
            let derived = try Self.derive(both.pin, salt, cost)
            return try Sodium.keyedSecret(of: Domain.keyFile.bytes, derived, key: both.file.bytes)
        case .recovery(let phrase):
            return try Sodium.keyedSecret(of: Domain.recovery.bytes + salt, key: phrase.bytes)
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
    /// The unlock method with another PIN, and the same key file if there is one. A recovery phrase
    /// is replaced by the PIN alone.
    package consuming func withPIN(_ pin: consuming PIN) -> UnlockMethod {
        switch consume self {
        case .pinAndKeyFile(let both): .pinAndKeyFile(pin, both.file)
        case .pin: .pin(pin)
        case .recovery: .pin(pin)
        }
    }
}
