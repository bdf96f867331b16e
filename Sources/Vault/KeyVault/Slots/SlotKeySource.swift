import SecureMemory

/// Derives the secret that wraps the master key in a slot: the part of an unlock method that the
/// vault's file depends on (VaultFormat.md, "Slots").
package protocol SlotKeySource: ~Copyable {
    /// The kind of slots that it may open.
    var kind: SlotKind { get }
    /// True if its slots store a cost of Argon2id.
    var usesArgon2id: Bool { get }

    /// Derives the 32-byte secret of a slot.
    /// - Parameters:
    ///   - cost: the cost of Argon2id in the slot; nil when the method does not use it.
    ///   - details: those of `newSecret` for this slot.
    /// - Throws: `notEnoughMemory`, `memory`, `damaged(.row(.slots))` for details that the method
    ///   does not write, the errors of its device.
    borrowing func secret(salt: [UInt8], cost: KDFCost?, details: [UInt8]) throws(VaultError) -> SecureBytes

    /// Makes the secret of a new slot, and the public details that the slot stores: at most 3,584
    /// bytes, none by default.
    /// - Parameter registers: the registers (PCRs) of a TPM that the slot depends on.
    borrowing func newSecret(
        salt: [UInt8], cost: KDFCost?, registers: [Int]
    ) throws(VaultError) -> NewSlotSecret
}

/// The secret of a new slot, and the details from which `SlotKeySource.secret` derives it again.
package struct NewSlotSecret: ~Copyable {
    var details: [UInt8] = []
    let secret: SecureBytes
}

extension SlotKeySource where Self: ~Copyable {
    package borrowing func newSecret(
        salt: [UInt8], cost: KDFCost?, registers: [Int]
    ) throws(VaultError) -> NewSlotSecret {
        NewSlotSecret(secret: try secret(salt: salt, cost: cost, details: []))
    }
}

/// The secret of a new slot. It is derived before the vault's lock is taken, because a derivation
/// takes as long as its cost requires.
package struct SlotSecret: ~Copyable {
    let kind: SlotKind
    let derivation: SlotDescription.Derivation?
    let salt: [UInt8]
    let details: [UInt8]
    let secret: SecureBytes

    /// Derives the secret with a new salt.
    /// - Parameters:
    ///   - cost: the cost of Argon2id, for a method that uses it.
    ///   - registers: the registers (PCRs, 0 to 23) that a slot with a TPM depends on.
    /// - Throws: `notEnoughMemory`, `memory`, `damaged(.row(.slots))` for too many details.
    package init(
        of method: borrowing some SlotKeySource & ~Copyable, cost: KDFCost = .standard,
        registers: [Int] = []
    ) throws(VaultError) {
        try Sodium.start()
        let cost = method.usesArgon2id ? cost : nil
        let salt = Sodium.randomBytes(Sodium.saltCount)
        let new = try method.newSecret(salt: salt, cost: cost, registers: registers)
        guard new.details.count <= Slot.maximumWrittenDetailCount else { throw .damaged(.slots) }
        kind = method.kind
        derivation = cost.map { .argon2id(passes: $0.passes, memory: $0.memory) }
        (self.salt, details) = (salt, new.details)
        secret = new.secret
    }
}
