import ArgumentParser
import KeyVault
import Shell

/// The second unlock method of policies that are set: a policy PIN or the recovery phrase.
struct SecondMethodOptions: GivenSecretOptions {
    @Option(
        help: ArgumentHelp(
            "Read the second unlock method of the current policy from a file: its policy PIN, or the recovery phrase.",
            valueName: "path"))
    var secondFile: InputFile?

    @Option(
        help: ArgumentHelp(
            "Read the second unlock method of the current policy from an open file descriptor.", valueName: "number"))
    var secondFD: Int32?

    var given: GivenSecret { GivenSecret(file: secondFile, descriptor: secondFD, option: "--second") }

    /// What is typed at the terminal to prove the second method of policies; nil for nothing.
    func typed(for policies: [StoredPolicy]) -> TerminalPurpose? {
        guard source == nil, let first = policies.first else { return nil }
        return first.secondMethod.kind == .recovery ? .secondPhrase : .policyPIN
    }

    /// The policies that limit a key in the file, not verified. A note states what will be
    /// asked for.
    /// - Throws: `secondMethodNeeded`, before a secret is read, if the second method is not given
    ///   and there is no terminal to ask at.
    func required(for key: EntryName, in vault: Vault) throws -> [StoredPolicy] {
        let policies = try vault.unverifiedPolicies().filter { $0.limits(key) }
        if let purpose = typed(for: policies), let policy = policies.first {
            let needed = VaultError.input(.secondMethodNeeded(policy.secondMethod.kind))
            do { _ = try Terminal.open(for: purpose) } catch { throw needed }
            Messages.note(needed.words.message)
        }
        return policies
    }

    /// Proves the second method of the policies that limit a key. The policies are verified.
    func proveRelease(of key: EntryName, in vault: borrowing UnlockedVault) throws -> SecondUnlock {
        try prove(vault.policies().filter { $0.limits(key) }, in: vault)
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
        try Progress.during("checking the second unlock method") { try vault.proveSecond(method, of: policies) }
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
            return .recovery(try PhraseQuestions(for: .secondPhrase).phrase())
        }
        let terminal = try Terminal.open(for: .policyPIN)
        return try WrongSecret.ifTooShort(.pin) {
            .pin(try PIN(terminal.readSecret("policy PIN: ", limit: PIN.allowedLengths.upperBound)))
        }
    }
}

extension StoredPolicy {
    /// Whether it limits the entry: credentials have no policy.
    fileprivate func limits(_ entry: EntryName) -> Bool { entry.publicKey != nil && subject.includes(entry) }
}
