import SecureMemory

/// A PIN and the key file that belongs to it.
public struct PINAndKeyFile: ~Copyable {
    let pin: PIN
    let file: KeyFile
}

/// What a user provides to open a vault.
public enum UnlockMethod: ~Copyable {
    case pin(PIN)
    case pinAndKeyFile(PINAndKeyFile)
    case recovery(RecoveryPhrase)

    public static func pinAndKeyFile(_ pin: consuming PIN, _ file: consuming KeyFile) -> UnlockMethod {
        .pinAndKeyFile(PINAndKeyFile(pin: pin, file: file))
    }

    /// The kind of slots that it may open.
    public var kind: SlotKind {
        switch self {
        case .pin: .pin
        case .pinAndKeyFile: .pinAndKeyFile
        case .recovery: .recovery
        }
    }

    /// Lends the key file; nil when there is none.
    public borrowing func withKeyFile<Result, Failure: Error>(
        _ body: (borrowing KeyFile) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        switch self {
        case .pinAndKeyFile(let both): try body(both.file)
        case .pin: nil
        case .recovery: nil
        }
    }

    /// Derives the 32-byte secret that wraps the master key, with a slot's salt (VaultFormat.md,
    /// "Slots").
    /// - Parameter cost: the cost of Argon2id; a recovery phrase does not use it.
    /// - Throws: `notEnoughMemory`, `memory`.
    borrowing func secret(salt: [UInt8], cost: KDFCost?) throws(VaultError) -> SecureBytes {
        switch self {
        case .pin(let pin): return try Self.derive(pin, salt, cost)
        case .pinAndKeyFile(let both):
            let derived = try Self.derive(both.pin, salt, cost)
            return try Sodium.keyedSecret(of: Domain.keyFile.bytes, derived, key: both.file.bytes)
        case .recovery(let phrase): return try Sodium.keyedSecret(of: Domain.recovery.bytes + salt, key: phrase.bytes)
        }
    }

    private static func derive(_ pin: borrowing PIN, _ salt: [UInt8], _ cost: KDFCost?) throws(VaultError)
        -> SecureBytes
    {
        guard let cost else { throw .integrity(.damaged(.row(.slots))) }
        return try Sodium.argon2id(pin.bytes, salt: salt, cost: cost)
    }
}

/// An unlock method whose secret was derived for a new slot. It is derived before the vault's lock
/// is taken, because a derivation takes as long as its cost requires.
public struct SlotSecret: ~Copyable {
    let kind: SlotKind
    let derivation: Slot.Derivation
    let salt: [UInt8]
    let secret: SecureBytes

    /// Derives the secret with a new salt.
    /// - Parameter cost: the cost of Argon2id; a recovery phrase does not use it.
    /// - Throws: `notEnoughMemory`, `memory`.
    public init(of method: borrowing UnlockMethod, cost: KDFCost = .standard) throws(VaultError) {
        try Sodium.start()
        let kind = method.kind
        let salt = Sodium.randomBytes(Sodium.saltCount)
        secret = try method.secret(salt: salt, cost: kind == .recovery ? nil : cost)
        self.kind = kind
        self.salt = salt
        derivation = kind == .recovery ? .none : .argon2id(passes: cost.passes, memory: cost.memory)
    }
}

extension UnlockMethod {
    /// The unlock method with another PIN, and the same key file if there is one. A recovery phrase
    /// is replaced by the PIN alone.
    public consuming func withPIN(_ pin: consuming PIN) -> UnlockMethod {
        switch consume self {
        case .pinAndKeyFile(let both): .pinAndKeyFile(pin, both.file)
        case .pin: .pin(pin)
        case .recovery: .pin(pin)
        }
    }
}
