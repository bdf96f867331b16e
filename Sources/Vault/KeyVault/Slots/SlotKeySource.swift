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
    ///   - details: the result of `newDetails` for this slot.
    /// - Throws: `notEnoughMemory`, `memory`, `damaged(.row(.slots))` for details that the method
    ///   does not write.
    borrowing func secret(salt: [UInt8], cost: KDFCost?, details: [UInt8]) throws(VaultError) -> SecureBytes

    /// The public details that a new slot stores, at most 3,584 bytes; empty by default.
    borrowing func newDetails() throws(VaultError) -> [UInt8]
}

extension SlotKeySource where Self: ~Copyable {
    package borrowing func newDetails() throws(VaultError) -> [UInt8] { [] }
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
    /// - Parameter cost: the cost of Argon2id, for a method that uses it.
    /// - Throws: `notEnoughMemory`, `memory`, `damaged(.row(.slots))` for too many details.
    package init(
        of method: borrowing some SlotKeySource & ~Copyable, cost: KDFCost = .standard
    ) throws(VaultError) {
        try Sodium.start()
        let cost = method.usesArgon2id ? cost : nil
        let salt = Sodium.randomBytes(Sodium.saltCount)
        let details = try method.newDetails()
        guard details.count <= Slot.maximumWrittenDetailCount else { throw .damaged(.slots) }
        secret = try method.secret(salt: salt, cost: cost, details: details)
        kind = method.kind
        derivation = cost.map { .argon2id(passes: $0.passes, memory: $0.memory) }
        (self.salt, self.details) = (salt, details)
    }
}
