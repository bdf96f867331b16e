import SecureMemory

extension Slot {
    /// A new slot that wraps `master`.
    static func wrapping(
        _ master: borrowing SecureBytes, under method: borrowing SlotSecret, number: Int, vaultID: [UInt8],
        createdAt: Int64
    ) throws(VaultError) -> Slot {
        var slot = Slot(
            kind: method.kind, derivation: method.derivation, vaultID: vaultID, createdAt: createdAt,
            salt: method.salt,
            details: method.details)
        try slot.seal(master, under: method.secret, number: number)
        return slot
    }

    /// Derives the secret that the unlock method yields for this slot. The derivation takes as long
    /// as the slot's cost requires; the cost is checked against the limits first.
    /// - Throws: `kdfCost`, `notEnoughMemory`; `damaged` for a slot whose derivation is not the
    ///   method's.
    func secret(of method: borrowing some SlotKeySource & ~Copyable, _ budget: inout KDFBudget)
        throws(VaultError)
        -> SecureBytes
    {
        guard (derivation != nil) == method.usesArgon2id else { throw .damaged(.slots) }
        let cost = try derivation?.cost()
        if let cost { try budget.spend(cost) }
        return try method.secret(salt: salt, cost: cost, details: details)
    }

    /// The master key. Nil when `secret` is not this slot's secret (the commitment differs), for
    /// example after a wrong PIN.
    /// - Throws: `manifestMismatch(.bucket(.slots, number))` when the commitment matches but the
    ///   seal does not: the PIN is correct, and the slot was edited.
    func open(under secret: borrowing SecureBytes, number: Int) throws(VaultError) -> SecureBytes? {
        guard Sodium.areEqual(try Self.commitment(of: secret), commitment) else { return nil }
        let wrappingKey = try Sodium.subkey(.wrapping, of: secret)
        let master = try Sodium.open(
            wrapped, binding: associatedData(number: number), nonce: nonce, key: wrappingKey)
        guard let master else { throw .integrity(.manifestMismatch(.bucket(.slots, number))) }
        return master
    }

    private mutating func seal(
        _ master: borrowing SecureBytes, under secret: borrowing SecureBytes, number: Int
    )
        throws(VaultError)
    {
        // The commitment is public: it is written to the slot.
        commitment = disclosed(try Self.commitment(of: secret))
        nonce = Sodium.randomBytes(Sodium.nonceCount)
        let wrappingKey = try Sodium.subkey(.wrapping, of: secret)
        let associated = associatedData(number: number)
        let nonce = nonce
        wrapped = master.withBytes { Sodium.seal($0, binding: associated, nonce: nonce, key: wrappingKey) }
    }

    /// XChaCha20-Poly1305 does not commit to a key. Without this commitment, an attacker could make
    /// one wrapping that opens under several PINs.
    private static func commitment(of secret: borrowing SecureBytes) throws(VaultError) -> [UInt8] {
        let derived = try Sodium.subkey(.commitment, of: secret)
        // The commitment of the correct secret is public in the slot. The commitment of a wrong
        // secret opens nothing.
        return derived.withBytes { span in (0..<span.byteCount).map { span[byte: $0] } }
    }
}

/// A slot and its number, which its wrapping is bound to.
struct NumberedSlot: Equatable {
    let number: Int
    let slot: Slot
}
