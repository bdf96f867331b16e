import ArgumentParser
import Codecs
import Hardening
import KeyVault
import Keys
import Policy
import Shell
import Signing
import Transactions

extension PolicyGroup {
    struct Set: ReleasingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Limit what a key signs, with a policy from a file.",
            usage:
                "eosvault policy set <key> <file> [<options>]\neosvault policy set --all <file> [<options>]",
            discussion: """
                The command shows what changes. Afterwards the key signs only what a rule of the new policy allows. \
                A policy belongs to the public key: it stays when you remove the key, and applies again when you \
                import it. Earlier signatures that were made without a policy are not counted.

                A first policy needs --second, which selects its second unlock method: `pin` for a policy PIN, or \
                `recovery` for the recovery phrase of the vault. The vault then asks for this method before it sets \
                a looser policy, changes the second unlock method, removes the policy, or exports or removes the key. \
                In doubt, a change counts as looser. Without --second, the new policy keeps the second method of the \
                old one. The first policy of a single key replaces the policy of all keys for this key, so the same \
                rules apply to that change.

                Don't lose the second unlock method: nothing replaces it. A new recovery phrase of the vault does not \
                replace the phrase of a policy. The recovery phrase alone opens the vault and loosens the policy; a \
                policy PIN does not open the vault.

                With --all, the policy limits every key without a policy of its own, including keys that you add \
                later.

                  eosvault policy set treasury treasury.json --second pin
                  eosvault policy set --all payout.json --second pin --new-second-file policy-pin --pin-file pin --yes
                """)

        @OptionGroup var arguments: PolicyFileArguments
        @OptionGroup var newSecond: NewSecondMethodOptions
        @OptionGroup var release: ReleaseOptions
        @OptionGroup var confirmation: ConfirmationOption
        @OptionGroup var common: CommonOptions

        func validate() throws {
            try (arguments.inputs + newSecond.inputs).refuseSharedInput(with: second.inputs + method.inputs)
        }

        var requiredAccess: FileAccess {
            (arguments.inputs + newSecond.inputs).fileAccess + release.fileAccess + .terminal
        }

        func run() throws {
            let file = try vault.open()
            let names = try placed(at: vault.name()) { ChainNames(try file.unverifiedNamedChains()) }
            let policy = try arguments.policy(names)
            try newSecond.expectPossible(in: file)
            let subject = try arguments.subject(in: file, named: vault.name())
            let policies = try placed(at: vault.name()) { try file.unverifiedPolicies() }
            let change = PolicyChange(
                of: subject, from: policies, to: policy, changesSecondMethod: newSecond.second != nil)
            if change.current == nil, newSecond.second == nil { throw CommandError.secondMethodMissing }
            try confirmation.ask(
                "Set this policy?", showing: change.lines, for: .policyChange,
                orThrow: CommandError.policyKept)

            let proving = change.proving
            let opened = try method.open(file, beforeTyping: second.typed(for: proving) ?? newSecond.typed)
            let proof = try second.prove(proving, in: opened.vault)
            let new = try newSecond.read(for: opened)
            let unlocked = opened.wipingMethod()
            let chosen = try newSecond.wrap(new, in: unlocked)
            guard let secondMethod = chosen ?? change.current?.secondMethod else {
                throw CommandError.secondMethodMissing
            }
            let stored = try StoredPolicy(
                subject, document: policy.canonical, secondMethod: secondMethod, setAt: Clock.now)
            try unlocked.transaction { (transaction: inout VaultTransaction) throws(ChangeError) in
                try transaction.expectUnchanged(change, key: arguments.key)
                try transaction.expectNames(names)
                try converting(
                    ChangeError.vault,
                    transaction.set(stored, isLooser: change.isLooser && !proving.isEmpty, proof: proof))
            }
            Messages.note(Words.policyChanged)
            try json.print(Hex.encode(stored.hash), json: PolicyChange.object.json((change, stored.hash)))
        }
    }

    struct Remove: ReleasingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a policy.",
            discussion: """
                The command needs the second unlock method of the policy. Afterwards the policy of all keys limits \
                the key, if there is one. The vault keeps what the key has used of its limits for a later policy. \
                Signatures without a policy are not counted.

                  eosvault policy remove treasury
                  eosvault policy remove --all --second-file policy-pin --pin-file pin --yes
                """)

        @OptionGroup var keys: PolicyKeyOptions
        @OptionGroup var release: ReleaseOptions
        @OptionGroup var confirmation: ConfirmationOption
        @OptionGroup var common: CommonOptions

        var requiredAccess: FileAccess { release.fileAccess + confirmation.fileAccess }

        func run() throws {
            let file = try vault.open()
            let subject = try PolicyFileArguments.subject(keys.key, in: file, named: vault.name())
            let policies = try placed(at: vault.name()) { try file.unverifiedPolicies() }
            guard let current = policies.first(where: { $0.subject == subject }) else {
                throw Placed(place: try vault.name(), error: VaultError.input(.noPolicy))
            }
            let change = PolicyChange(removalOf: subject, from: policies)
            try confirmation.ask(
                "Remove this policy?", showing: change.lines, for: .policyChange,
                orThrow: CommandError.policyKept)
            let unlocked = try method.unlock(file, beforeTyping: second.typed(for: [current]))
            let proof = try second.prove([current], in: unlocked)
            try unlocked.transaction { (transaction: inout VaultTransaction) throws(ChangeError) in
                try transaction.expectUnchanged(change, key: keys.key)
                try converting(ChangeError.vault, transaction.removePolicy(of: subject, proof: proof))
            }
            Messages.note(Words.policyChanged)
            try json.print(Hex.encode(current.hash), json: PolicyChange.object.json((change, current.hash)))
        }
    }
}

/// The key and the file of a policy: `KEY FILE`, or `--all FILE`.
struct PolicyFileArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "A public key in any of its forms, or a label. Omit it with --all.", valueName: "key"),
        completion: .keys)
    var first: String

    @Argument(
        help: ArgumentHelp("The policy; `-` for standard input.", valueName: "file"), completion: .file())
    var second: String?

    @Flag(help: "Limit every key without a policy of its own.")
    var all = false

    func validate() throws {
        guard (second == nil) == all else {
            throw ValidationError("give a key and a file, or --all and a file")
        }
    }

    /// nil for all keys.
    var key: String? { all ? nil : first }

    private var input: InputFile { InputFile(path: second ?? first) }

    var inputs: [InputFile] { [input] }

    /// - Throws: also for a value of a template that was not replaced.
    func policy(_ names: ChainNames) throws -> KeyPolicy {
        try placed(at: input.name) {
            let text = try input.read()
            let policy = try KeyPolicy(text, names: names)
            try PolicyTemplate.expectReplaced(in: text)
            return policy
        }
    }

    /// The keys of the policy.
    func subject(in vault: Vault, named name: String) throws -> StoredPolicy.Subject {
        try Self.subject(key, in: vault, named: name)
    }

    /// - Parameter key: nil for all keys.
    static func subject(_ key: String?, in vault: Vault, named name: String) throws -> StoredPolicy.Subject {
        guard let key else { return .allKeys }
        return .key(try ListedPolicies(unverified: vault, named: name).key(key, vault: name))
    }
}

extension VaultTransaction {
    /// Compares the verified policy with the policy that the user compared. A label must belong to
    /// the same key as in the unverified file.
    /// - Parameter key: nil for all keys.
    fileprivate func expectUnchanged(_ change: PolicyChange, key: String?) throws(ChangeError) {
        if let key, (try? PublicKey(key)) == nil {
            let entry = try converting(ChangeError.vault, entry(key))
            guard change.subject == .key(entry.description.name) else { throw .policyChangedMeanwhile }
        }
        guard try converting(ChangeError.vault, policies()).policy(of: change.subject) == change.current
        else {
            throw .policyChangedMeanwhile
        }
    }
}

/// The keys of a policy: one key, or all keys.
struct PolicyKeyOptions: ParsableArguments {
    @Argument(
        help: "A public key in any of its forms, or a label. The vault need not contain the key any more.",
        completion: .keys)
    var key: String?

    @Flag(help: "The policy of all keys, which limits keys without a policy of their own.")
    var all = false

    func validate() throws {
        guard (key != nil) != all else { throw ValidationError("give a key, or --all") }
    }
}
