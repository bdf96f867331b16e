import ABICodec
import ArgumentParser
import Hardening
import JSON
import KeyVault
import Policy
import Shell
import Signing
import Transactions

extension PolicyGroup {
    struct Test: JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "test",
            abstract: "Show whether the policy of a key would allow a transaction, and why.",
            discussion: """
                The output names the rule that allows each action, with its line number in `policy show`, or in the \
                file of --policy. A denial prints the error of `sign`, then all other reasons, with exit status 3. The \
                command counts what the key has used of its limits in the vault. It does not check dangers, for \
                which `sign --yes` needs --allow. It signs and writes nothing.

                The command needs no PIN and verifies nothing: anyone who can write the file of the vault can change \
                the answer.

                  eosvault policy test treasury transfer.json --chain eos
                  eosvault policy test treasury transfer.json --chain eos --policy rules.json
                """)

        @OptionGroup var key: KeyArgument
        @OptionGroup var input: ReviewInput

        @Option(name: .shortAndLong, help: .chain, completion: .chains)
        var chain: ChainArgument

        @Option(help: ArgumentHelp("Try this policy instead of the stored one.", valueName: "file"))
        var policy: InputFile?

        @OptionGroup var vault: VaultOptions
        @OptionGroup var common: CommonOptions

        func validate() throws {
            try input.refuseSharedInput(with: [InputFile](given: policy))
        }

        var requiredAccess: FileAccess {
            input.fileAccess + vault.lockedAccess + (policy?.fileAccess ?? .none)
        }

        func run() throws {
            try chain.expectForm()
            let vault = try vault.openLocked(.reading)
            let candidate = try policy?.policy(vault.chainNames())
            let contents = try input.contents()
            let answer = try vault.snapshot { try self.answer(contents, candidate, vault) }
            try json.report(answer.text, json: answer.json)
        }

        private func answer(
            _ contents: FileContents, _ candidate: KeyPolicy?, _ vault: LockedVault
        ) throws -> PolicyAnswer {
            let chain = try chain.id(vault.chainNames())
            let key = try ListedPolicies(unverified: vault.vault, named: vault.name).key(
                key.key, vault: vault.name)
            guard let publicKey = key.publicKey else { throw VaultError.input(.notAKey) }
            let description = try vault.key(key.text)
            let contracts = try input.transaction.contracts(pins: vault.pins(of: chain), contents)
            let (review, _) = try input.review(contracts, chain: chain, contents)
            let policies = try vault.policies(of: [publicKey], trying: candidate)
            guard let request = review.policyRequest, let state = policies[publicKey] else {
                throw Placed(place: vault.name, error: VaultError.input(.noPolicy))
            }
            let chosen = ChosenKey(description ?? KeyDescription(publicKey, label: nil), choice: .publicKey)
            let refusals = policies.refusals(of: request, by: chosen)
            if let first = refusals.first, refusals.count > 1 {
                throw SeveralRefusals(first: first, others: refusals.dropFirst())
            }
            let authorized = try SigningRequest(review, keys: [chosen]).authorize(policies)
            let allowance = authorized.allowances[publicKey]
            let hasSigned = try placed(at: vault.name) { try vault.vault.hasSigned(review, with: key) }
            return PolicyAnswer(
                key: key, policy: state.policy, request: request, allowance: allowance,
                isSigned: hasSigned || allowance?.isRepeat ?? true)
        }
    }
}

/// Several reasons to refuse a transaction.
private struct SeveralRefusals: WordedError {
    /// The error of `sign`.
    let first: PolicyRefusal
    let others: ArraySlice<PolicyRefusal>

    /// The message has at most this many other reasons. JSON has all of them.
    private static let shownCount = 20

    var words: Words {
        let words = first.words
        let more = others.count - Self.shownCount
        let texts = others.prefix(Self.shownCount).map { "; also: \($0.reasonWords.message)" }
        return Words(
            words.code,
            words.message + texts.joined()
                + (more > 0 ? "; and \(Amount.text(more)) more, which --json prints" : ""),
            hint: words.hint, members: words.members?.adding(["also": .array(others.map(Self.json))]))
    }

    private static func json(_ refusal: PolicyRefusal) -> JSONValue {
        let words = refusal.words
        let text: JSONValue = ["code": .string(words.code.name), "message": .string(words.message)]
        return text.adding(words.members?["policy"])
    }
}

/// Why a policy allows a transaction.
struct PolicyAnswer: JSONDescribed {
    let key: EntryName
    let policy: KeyPolicy
    let request: PolicyRequest
    /// nil if the signature of the key is attached.
    let allowance: PolicyAllowance?
    /// True if the key has signed the transaction.
    let isSigned: Bool

    /// The path of each action, with the rule that allows it.
    private var rules: [(path: String, action: Action, rule: Int)] {
        zip(request.allActions, allowance?.rules ?? []).enumerated().map { number, pair in
            (request.path(ofAction: number), pair.0.action, pair.1)
        }
    }

    var text: String {
        guard let allowance else { return "\(key) has signed this transaction already\n" }
        var lines = ["allowed: \(key) may sign this transaction"]
        if isSigned { lines.append("the vault has signed it with this key already") }
        for (path, action, rule) in rules {
            let name = policy.rules[rule].name.map { "`\(Printable.line($0))`" } ?? "\(rule + 1)"
            lines.append(
                "\(path) (\(action.account.text)::\(action.name.text)): rule \(name) (line "
                    + "\(policy.places.rules[rule].line))")
        }
        for confirmation in allowance.confirmations {
            lines.append("a person must confirm it: \(confirmation.reason)")
        }
        return lines.map { $0 + "\n" }.joined()
    }

    static let object = JSONObject<PolicyAnswer>([
        .text("public_key", "the key") { $0.key.text }, .boolean("unverified", "true") { _ in true },
        .boolean("allowed", "true: a denial is an error") { _ in true },
        .boolean("signed", "whether the vault signed it with the key, or the key's signature is attached") {
            $0.isSigned
        },
        .list("actions", of: allowed, "the actions, nested transactions included") { answer in
            answer.rules.map { (answer.policy, $0.path, $0.action, $0.rule) }
        },
        .texts("confirmations", "why a person must confirm the signature: always, clock") {
            ($0.allowance?.confirmations ?? []).map(\.code)
        },
    ])

    private static let allowed = JSONObject<(policy: KeyPolicy, path: String, action: Action, rule: Int)>([
        .text("path", "the action, for example actions[0].inner.actions[2]") { $0.path },
        .text("contract", "its contract") { $0.action.account.text },
        .text("action", "its name") { $0.action.name.text },
        .number("rule", "the index of the rule that allows it") { $0.rule },
        .text(orNull: "name", "the name of the rule") { $0.policy.rules[$0.rule].name },
        .number("line", "its line in the policy") { $0.policy.places.rules[$0.rule].line },
    ])
}

extension Vault {
    /// True if the payment history in the file has a signature of the transaction with the key.
    fileprivate func hasSigned(_ review: Review, with key: EntryName) throws(VaultError) -> Bool {
        guard let subject = review.historySubject(signedBy: []) else { return false }
        let id = review.transaction.idBytes
        return try unverifiedHistory(of: subject).signatures.contains {
            EntryName($0.key) == key && $0.transaction == id
        }
    }
}

extension PolicyConfirmation {
    fileprivate var reason: String {
        switch self {
        case .always: "the policy requires it"
        case .clockStep(let seconds):
            "the clock is \(Amount.duration(Int64(seconds))) after the last record of the vault"
        }
    }

    fileprivate var code: String {
        switch self {
        case .always: "always"
        case .clockStep: "clock"
        }
    }
}
