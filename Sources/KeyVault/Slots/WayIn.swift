import SecureMemory

/// A PIN and the key file that belongs to it.
package struct PINAndKeyFile: ~Copyable {
    let pin: PIN
    let file: KeyFile
}

/// What a person gives to open a vault.
package enum WayIn: ~Copyable {
    case pin(PIN)
    case pinAndKeyFile(PINAndKeyFile)
    case recovery(RecoveryPhrase)

    package static func pinAndKeyFile(_ pin: consuming PIN, _ file: consuming KeyFile) -> WayIn {
        .pinAndKeyFile(PINAndKeyFile(pin: pin, file: file))
    }

    /// The kind of the slots that it may open.
    package var kind: SlotKind {
        switch self {
        case .pin: .pin
        case .pinAndKeyFile: .pinAndKeyFile
        case .recovery: .recovery
        }
    }

    /// Lends its key file; nil where it has none.
    package borrowing func withKeyFile<Result, Failure: Error>(
        _ body: (borrowing KeyFile) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        switch self {
        case .pinAndKeyFile(let both): try body(both.file)
        case .pin: nil
        case .recovery: nil
        }
    }

    /// The 32 bytes that it yields with a slot's salt (VaultFormat.md, "Slots"): the secret that
    /// wraps the master key.
    /// - Parameter cost: of Argon2id; not used by a recovery phrase.
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
        guard let cost else { throw .damaged(.row(.slots)) }
        return try Sodium.argon2id(pin.bytes, salt: salt, cost: cost)
    }
}

/// A way in whose secret was derived for a new slot: made before the vault's lock is taken, since a
/// derivation takes as long as its cost says.
package struct SlotSecret: ~Copyable {
    let kind: SlotKind
    let derivation: Slot.Derivation
    let salt: [UInt8]
    let secret: SecureBytes

    /// Derives the secret under a new salt.
    /// - Parameter cost: of Argon2id; a recovery phrase takes none.
    /// - Throws: `notEnoughMemory`, `memory`.
    package init(of way: borrowing WayIn, cost: KDFCost = .standard) throws(VaultError) {
        try Sodium.start()
        let kind = way.kind
        let salt = Sodium.randomBytes(Sodium.saltCount)
        secret = try way.secret(salt: salt, cost: kind == .recovery ? nil : cost)
        self.kind = kind
        self.salt = salt
        derivation = kind == .recovery ? .none : .argon2id(passes: cost.passes, memory: cost.memory)
    }
}

extension WayIn {
    /// The way in of another PIN, with the same key file where there is one. In the place of a
    /// recovery phrase comes the PIN alone.
    package consuming func withPIN(_ pin: consuming PIN) -> WayIn {
        switch consume self {
        case .pinAndKeyFile(let both): .pinAndKeyFile(pin, both.file)
        case .pin: .pin(pin)
        case .recovery: .pin(pin)
        }
    }
}
