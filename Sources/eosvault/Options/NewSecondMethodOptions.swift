import ArgumentParser
import KeyVault

/// The second unlock method of a policy that is set: a new policy PIN, or the recovery phrase of
/// the vault.
struct NewSecondMethodOptions: GivenSecretOptions {
    enum Kind: String, CaseIterable, ExpressibleByArgument { case pin, recovery }

    @Option(
        name: .customLong("second"),
        help: ArgumentHelp(
            """
            The second unlock method, which a looser policy, another second unlock method, the removal of the policy, \
            and the export or removal of the key will require: \
            `pin` for a policy PIN, or `recovery` for the recovery phrase of the vault.
            """, valueName: "kind"))
    var kind: Kind?

    @Option(help: ArgumentHelp("Read the new second unlock method from a file.", valueName: "path"))
    var newSecondFile: InputFile?

    @Option(help: ArgumentHelp("Read the new second unlock method from an open file descriptor.", valueName: "number"))
    var newSecondFD: Int32?

    var given: GivenSecret { GivenSecret(file: newSecondFile, descriptor: newSecondFD, option: "--new-second") }

    /// What is typed at the terminal; nil for nothing.
    var typed: TerminalPurpose? {
        guard source == nil else { return nil }
        return kind.map { $0 == .pin ? .newPolicyPIN : .newSecondPhrase }
    }

    /// Refuses a method without its kind, and the recovery phrase for a vault that has none, before
    /// a secret is read. Not in `validate`: a repeated option is reported first.
    func expectPossible(in vault: Vault) throws {
        if source != nil, kind == nil {
            throw ValidationError("--new-second-file and --new-second-fd need --second pin or --second recovery")
        }
        guard kind == .recovery else { return }
        guard try vault.unverifiedSlots().slots.contains(where: { $0.kind == .recovery }) else {
            throw CommandError.noRecoveryPhrase
        }
    }

    /// Reads the second method. Its derivation costs as much as that of the slot that opened the
    /// vault.
    /// - Returns: nil if `--second` is not given.
    func read(for opened: borrowing OpenedVault) throws -> SecondMethod? {
        guard let kind else { return nil }
        let secret =
            switch kind {
            case .pin: try newPIN(for: opened)
            case .recovery: try phrase(of: opened.vault)
            }
        return try SecondMethod.wrapping(secret, in: opened.vault, createdAt: Clock.now)
    }

    /// The PIN that opens the vault is refused: a policy must not depend on that PIN alone.
    private func newPIN(for opened: borrowing OpenedVault) throws -> SlotSecret {
        let pin = try PIN.readNew(from: source, missing: .newPolicyPIN, "policy PIN")
        guard !opened.method.hasPIN(pin) else { throw CommandError.samePolicyPIN }
        let cost = try KDFOptions.measure(opened.vault.slot.cost() ?? .standard)
        Messages.strength(pin.strength, of: cost, keyFileBy: nil)
        return try .deriving(.pin(pin), cost.cost)
    }

    private func phrase(of vault: borrowing UnlockedVault) throws -> SlotSecret {
        try WrongSecret.retrying(asking: source == nil) {
            let method = UnlockMethod.recovery(try readPhrase())
            try vault.expectOpens(with: method)
            return try SlotSecret(of: method)
        }
    }

    private func readPhrase() throws -> RecoveryPhrase {
        guard let source else { return try PhraseQuestions(for: .newSecondPhrase).phrase() }
        return try RecoveryPhrase.read(from: source)
    }
}
