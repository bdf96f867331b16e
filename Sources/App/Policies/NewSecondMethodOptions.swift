import ArgumentParser
import KeyVault
import Shell

/// The second unlock method of a policy that is set: a new policy PIN, or the recovery phrase of
/// the vault.
struct NewSecondMethodOptions: GivenSecretOptions {
    enum Kind: String, CaseIterable, ExpressibleByArgument { case pin, recovery }

    @Option(
        help: ArgumentHelp(
            """
            The second unlock method, which a looser policy, another second unlock method, the removal of the policy, \
            and the export or removal of the key will require: \
            `pin` for a policy PIN, or `recovery` for the recovery phrase of the vault.
            """, valueName: "kind"))
    var second: Kind?

    @Option(help: ArgumentHelp("Read the new second unlock method from a file.", valueName: "path"))
    var newSecondFile: InputFile?

    @Option(help: ArgumentHelp("Read the new second unlock method from an open file descriptor.", valueName: "number"))
    var newSecondFD: Int32?

    var given: GivenSecret { GivenSecret(file: newSecondFile, descriptor: newSecondFD, option: "--new-second") }

    /// What is typed at the terminal; nil for nothing.
    var typed: TerminalPurpose? {
        guard source == nil else { return nil }
        return second.map { $0 == .pin ? .newPolicyPIN : .newSecondPhrase }
    }

    func validate() throws {
        guard source == nil || second != nil else {
            throw ValidationError("--new-second-file and --new-second-fd need --second pin or --second recovery")
        }
    }

    /// Refuses the recovery phrase for a vault that has none, before a secret is read.
    func expectPossible(in vault: Vault) throws {
        guard second == .recovery else { return }
        guard try vault.unverifiedSlots().slots.contains(where: { $0.kind == .recovery }) else {
            throw CommandError.noRecoveryPhrase
        }
    }

    /// Reads the second method.
    /// - Returns: nil if `--second` is not given.
    func read(for opened: borrowing OpenedVault) throws -> UnlockMethod? {
        switch second {
        case nil: nil
        case .pin: .pin(try newPIN(unlike: opened.method))
        case .recovery: try phrase(of: opened.vault)
        }
    }

    /// Derives the secret of the second method and wipes the method. The derivation costs as much
    /// as that of the slot that opened the vault.
    func wrap(_ method: consuming UnlockMethod?, in vault: borrowing UnlockedVault) throws -> SecondMethod? {
        guard let secret = try secret(of: method, in: vault) else { return nil }
        return try SecondMethod.wrapping(secret, in: vault, createdAt: Clock.now)
    }

    private func secret(
        of method: consuming UnlockMethod?, in vault: borrowing UnlockedVault
    ) throws -> SlotSecret? {
        switch consume method {
        case nil: return nil
        case .pin(let pin)?:
            let cost = try KDFOptions.measure(vault.slot.cost() ?? .standard)
            Messages.strength(pin.strength, of: cost, keyFileBy: nil)
            return try .deriving(.pin(pin), cost.cost)
        case let method?: return try SlotSecret(of: method)
        }
    }

    /// The PIN that opens the vault is refused: a policy must not depend on that PIN alone.
    private func newPIN(unlike method: borrowing UnlockMethod) throws -> PIN {
        let pin = try PIN.readNew(from: source, missing: .newPolicyPIN, "policy PIN")
        guard !method.hasPIN(pin) else { throw CommandError.samePolicyPIN }
        return pin
    }

    private func phrase(of vault: borrowing UnlockedVault) throws -> UnlockMethod {
        try WrongSecret.retrying(asking: source == nil) {
            let method = UnlockMethod.recovery(try readPhrase())
            try vault.expectOpens(with: method)
            return method
        }
    }

    private func readPhrase() throws -> RecoveryPhrase {
        guard let source else { return try PhraseQuestions(for: .newSecondPhrase).phrase() }
        return try RecoveryPhrase.read(from: source)
    }
}
