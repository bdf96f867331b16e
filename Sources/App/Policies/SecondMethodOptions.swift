import ArgumentParser
import Hardening
import KeyVault
import Shell

/// A vault, its unlock method, and the second unlock method of the policies that limit a key.
struct ReleaseOptions: ParsableArguments {
    /// For the help of commands after which policies no longer protect a key.
    static let requirement = """
        If a policy limits the key, the command needs its second unlock method too. If both its own policy and the \
        policy of all keys limit it, the command needs both methods; if they differ, use a terminal. A seed needs \
        the second unlock method of every policy.
        """

    @OptionGroup var unlocking: UnlockOptions
    @OptionGroup var second: SecondMethodOptions

    func validate() throws { try unlocking.method.inputs.refuseSharedInput(with: second.inputs) }

    var fileAccess: FileAccess { unlocking.fileAccess + second.fileAccess }
}

/// A command that needs the second unlock method of policies.
protocol ReleasingCommand: UnlockingCommand {
    var release: ReleaseOptions { get }
}

extension ReleasingCommand {
    var unlocking: UnlockOptions { release.unlocking }
    var second: SecondMethodOptions { release.second }
    var requiredAccess: FileAccess { release.fileAccess }
}

/// The second unlock method of policies that are set: a policy PIN or the recovery phrase.
struct SecondMethodOptions: GivenSecretOptions {
    @Option(
        help: ArgumentHelp(
            "Read the second unlock method of the current policy (its PIN or the phrase) from a file.",
            valueName: "path"))
    var secondFile: InputFile?

    @Option(
        help: ArgumentHelp(
            "Read the second unlock method of the current policy from an open file descriptor.",
            valueName: "number"))
    var secondFD: Int32?

    var given: GivenSecret { GivenSecret(file: secondFile, descriptor: secondFD, option: "--second") }

    /// The secret that the user types to prove the second method of policies; nil for none.
    func typed(for policies: [StoredPolicy]) -> TerminalPurpose? {
        guard source == nil, let first = policies.first else { return nil }
        return first.secondMethod.kind == .recovery ? .secondPhrase : .policyPIN
    }

    /// The policies that limit a key in the file, not verified. A note states what will be
    /// asked for.
    /// - Throws: `secondMethodNeeded`, before a secret is read, if the second method is not given
    ///   and there is no terminal to ask at.
    func required(for key: EntryName, in vault: Vault) throws -> [StoredPolicy] {
        try required(for: [key], in: vault)
    }

    func required(for keys: [EntryName], in vault: Vault) throws -> [StoredPolicy] {
        let policies = try vault.unverifiedPolicies().filter { policy in
            keys.contains { policy.subject.holds($0) }
        }
        if let purpose = typed(for: policies), let policy = policies.first {
            let needed = VaultError.input(.secondMethodNeeded(policy.secondMethod.kind))
            do { _ = try Terminal.open(for: purpose) } catch { throw needed }
            Messages.note(needed.words.message)
        }
        return policies
    }

    /// Proves the second method of the policies that limit a key. The policies are verified.
    func proveRelease(of key: EntryName, in vault: borrowing UnlockedVault) throws -> SecondUnlock {
        try proveRelease(of: [key], in: vault)
    }

    func proveRelease(of keys: [EntryName], in vault: borrowing UnlockedVault) throws -> SecondUnlock {
        try prove(vault.policies().filter { policy in keys.contains { policy.subject.holds($0) } }, in: vault)
    }

    /// Reads the second method of policies and proves it. One that is read from a file proves the
    /// policies that it belongs to. At the terminal, each second method of the policies is asked
    /// for.
    /// - Returns: a proof of nothing for no policies.
    func prove(_ policies: [StoredPolicy], in vault: borrowing UnlockedVault) throws -> SecondUnlock {
        var proof = SecondUnlock()
        var left = policies
        while !left.isEmpty {
            let asked = left
            let purpose = typed(for: asked)
            proof.add(
                try WrongSecret.retrying(asking: purpose != nil) {
                    try placed(at: "second unlock method") {
                        let method = try read(asked)
                        guard let purpose else { return try Self.prove(method, of: asked, in: vault) }
                        return try Terminal.open(for: purpose).hidingInput(with: method) { method, hidden in
                            vault.vault.clock = .withNotes(hiding: hidden)
                            return try Self.prove(method, of: asked, in: vault)
                        }
                    }
                })
            guard purpose != nil else { break }
            left.removeAll { proof.proves($0.secondMethod) }
        }
        return proof
    }

    private static func prove(
        _ method: borrowing UnlockMethod, of policies: [StoredPolicy], in vault: borrowing UnlockedVault
    ) throws -> SecondUnlock {
        try Progress.during("checking the second unlock method") {
            try vault.proveSecond(method, of: policies)
        }
    }

    /// Reads the second method of policies from a file, as the kind that the policies have. If they
    /// have both, a text that is no phrase is a PIN.
    /// - Returns: nil if it is not given, or if there is no policy.
    func readGiven(for policies: [StoredPolicy]) throws -> UnlockMethod? {
        guard let source, !policies.isEmpty else { return nil }
        return try placed(at: source.name) {
            let text = try source.readSecret(atMost: PIN.allowedLengths.upperBound)
            let kinds = policies.map(\.secondMethod.kind)
            do {
                if kinds.contains(.recovery) { return .recovery(try RecoveryPhrase(words: text)) }
            } catch { guard kinds.contains(.pin) else { throw error } }
            return .pin(try PIN(text))
        }
    }

    private func read(_ policies: [StoredPolicy]) throws -> UnlockMethod {
        if let method = try readGiven(for: policies) { return method }
        if typed(for: policies) == .secondPhrase {
            return .recovery(try WordQuestions.phrase(for: .secondPhrase))
        }
        let terminal = try Terminal.open(for: .policyPIN)
        return try WrongSecret.ifTooShort(.pin) {
            .pin(try PIN(terminal.readSecret("policy PIN: ", limit: PIN.allowedLengths.upperBound)))
        }
    }
}

/// The second unlock method of a policy that is set: a new policy PIN, or the recovery phrase of
/// the vault.
struct NewSecondMethodOptions: GivenSecretOptions {
    enum Kind: String, CaseIterable, ExpressibleByArgument { case pin, recovery }

    @Option(
        help: ArgumentHelp(
            "The second unlock method: `pin` for a policy PIN, `recovery` for the recovery phrase of the vault.",
            valueName: "kind"))
    var second: Kind?

    @Option(help: ArgumentHelp("Read the new second unlock method from a file.", valueName: "path"))
    var newSecondFile: InputFile?

    @Option(
        help: ArgumentHelp(
            "Read the new second unlock method from an open file descriptor.", valueName: "number"))
    var newSecondFD: Int32?

    var given: GivenSecret {
        GivenSecret(file: newSecondFile, descriptor: newSecondFD, option: "--new-second")
    }

    /// The secret to type at the terminal; nil for none.
    var typed: TerminalPurpose? {
        guard source == nil else { return nil }
        return second.map { $0 == .pin ? .newPolicyPIN : .newSecondPhrase }
    }

    func validate() throws {
        guard source == nil || second != nil else {
            throw ValidationError(
                "--new-second-file and --new-second-fd need --second pin or --second recovery")
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
    /// as for the slot that opened the vault.
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
        guard let source else { return try WordQuestions.phrase(for: .newSecondPhrase) }
        return try RecoveryPhrase.read(from: source)
    }
}
