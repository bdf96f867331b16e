import SecureMemory

/// The second unlock method of a policy: the recovery phrase, or a PIN of its own. A slot wraps a
/// random key with it. This key opens nothing: that the slot opens is the proof.
///
/// The slot belongs to the policy, not to the vault. So anyone who can add a slot to the vault
/// can't replace the second method.
package struct SecondMethod: Equatable, Sendable {
    let slot: Slot

    /// The number that the wrapping is bound to. No slot of a vault has it.
    private static let number = 255

    init(_ slot: Slot) { self.slot = slot }

    /// - Parameter method: a PIN or a recovery phrase, derived before.
    package static func wrapping(
        _ method: borrowing SlotSecret, in vault: borrowing UnlockedVault, createdAt: Int64
    ) throws(VaultError) -> SecondMethod {
        let opened = vault.opened.slot
        return SecondMethod(
            try Slot.wrapping(
                Sodium.randomKey(), under: method, number: number, vaultID: opened.vaultID,
                createdAt: createdAt))
    }

    package var kind: SlotKind { slot.kind }

    /// True if the method is the policy's second method. The derivation takes as long as its cost
    /// requires.
    fileprivate func opens(with method: borrowing some SlotKeySource & ~Copyable) throws(VaultError) -> Bool {
        guard method.kind == kind else { return false }
        var budget = KDFBudget()
        return try slot.open(under: slot.secret(of: method, &budget), number: Self.number) != nil
    }
}

/// The proof that a user has the second methods of policies.
package struct SecondUnlock: Sendable {
    fileprivate var proved: [SecondMethod] = []

    /// Proves nothing.
    package init() {}

    package mutating func add(_ other: SecondUnlock) { proved += other.proved }

    package func proves(_ method: SecondMethod) -> Bool { proved.contains(method) }
}

extension UnlockedVault {
    /// Tries a second unlock method. A try that fails is counted and delays the next one, as for an
    /// unlock.
    /// - Parameter policies: read before; another process may have changed them meanwhile, then the
    ///   proof is worthless.
    /// - Throws: `wrongUnlockMethod` when it is the second method of none of them.
    package borrowing func proveSecond(
        _ method: borrowing some SlotKeySource & ~Copyable, of policies: [StoredPolicy]
    ) throws(VaultError) -> SecondUnlock {
        try vault.proveSecond(method, of: policies)
    }

    /// Verifies that an unlock method opens a slot of this vault. A try that fails is counted.
    /// - Throws: `wrongUnlockMethod`, `noSlot`.
    package borrowing func expectOpens(
        with method: borrowing some SlotKeySource & ~Copyable
    ) throws(VaultError) { _ = try vault.openSlot(method) }

    /// All policies, verified; see `VaultTransaction.policies`.
    package borrowing func policies() throws(VaultError) -> [StoredPolicy] {
        try withoutRecord { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.policies()
        }
    }
}

extension Vault {
    /// - Parameter counter: the vault that counts tries that fail; this vault by default.
    func proveSecond(
        _ method: borrowing some SlotKeySource & ~Copyable, of policies: [StoredPolicy],
        countedIn counter: Vault? = nil
    ) throws(VaultError) -> SecondUnlock {
        let kind = method.kind
        return try (counter ?? self).countingTries { () throws(VaultError) in
            var proof = SecondUnlock()
            for second in policies.map(\.secondMethod) where !proof.proves(second) {
                if try second.opens(with: method) { proof.proved.append(second) }
            }
            guard !proof.proved.isEmpty else { throw .input(.wrongUnlockMethod(kind, damagedSlots: [])) }
            return proof
        }
    }
}
