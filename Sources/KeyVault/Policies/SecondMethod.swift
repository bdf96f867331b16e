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
                Sodium.randomKey(), under: method, number: number, vaultID: opened.vaultID, createdAt: createdAt))
    }

    package var kind: SlotKind { slot.kind }

    /// Whether the method is the one of the policy. The derivation takes as long as its cost
    /// requires.
    fileprivate func opens(with method: borrowing some SlotKeySource & ~Copyable) throws(VaultError) -> Bool {
        guard method.kind == kind else { return false }
        var budget = KDFBudget()
        return try slot.open(under: slot.secret(of: method, &budget), number: Self.number) != nil
    }
}

/// The proof that a user has the second method of policies.
package struct SecondUnlock: Sendable {
    fileprivate let proved: [SecondMethod]

    func proves(_ method: SecondMethod) -> Bool { proved.contains(method) }
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
        let kind = method.kind
        return try vault.countingTries { () throws(VaultError) in
            var proved: [SecondMethod] = []
            for policy in policies where !proved.contains(policy.secondMethod) {
                if try policy.secondMethod.opens(with: method) { proved.append(policy.secondMethod) }
            }
            guard !proved.isEmpty else { throw .input(.wrongUnlockMethod(kind, damagedSlots: [])) }
            return SecondUnlock(proved: proved)
        }
    }
}
