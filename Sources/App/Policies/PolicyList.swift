import ABICodec
import ArgumentParser
import Codecs
import JSON
import KeyVault
import Keys
import Policy
import Shell
import Signing
import Transactions

extension PolicyGroup {
    struct List: ListingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the policies: key, chains, rules, limits, date, second unlock method.",
            discussion: """
                `second` is the unlock method that a looser policy needs. \(ListingOptions.doubt)

                  eosvault policy list
                """)

        @OptionGroup var listing: ListingOptions
        @OptionGroup var common: CommonOptions

        func run() throws {
            let policies = try ListedPolicies(of: vault, verifiedBy: isVerified ? method : nil).all
            try json.report(
                policies.map(\.text).joined(separator: "\n"), json: Self.object.json((policies, isVerified)))
        }

        static let object = JSONObject<(policies: [ListedPolicy], isVerified: Bool)>([
            .boolean("unverified", "false with --verify") { !$0.isVerified },
            .list(
                "policies", of: ListedPolicy.object,
                "first the policy for all keys, then the policies for single keys"
            ) { $0.policies },
        ])
    }

    struct Show: ListingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Print the policy of a key.",
            discussion: """
                Messages refer to the line numbers. `used` shows how much of a limit is used now. `room` counts the \
                sums and the recipients of limits with `each_recipient`; the maximum of each is 100,000. For a key \
                without a policy of its own, the policy of all keys is printed. \(ListingOptions.doubt)

                  eosvault policy show treasury
                  eosvault policy show --all --document
                """)

        @OptionGroup var keys: PolicyKeyOptions

        @Flag(help: "Print only the policy, so that you can change it and set it again.")
        var document = false

        @OptionGroup var listing: ListingOptions
        @OptionGroup var common: CommonOptions

        func validate() throws {
            if document, json.isOn { throw ValidationError("--json prints the policy too: omit --document") }
        }

        func run() throws {
            let policies = try ListedPolicies(
                of: vault, verifiedBy: isVerified ? method : nil, usesOf: keys.key)
            let name = try vault.name()
            let policy = try policies.policy(
                of: keys.key.map { try policies.key($0, vault: name) }, vault: name)
            if policy.isNearlyFull { Messages.note(Words.policyRoom) }
            if json.isOn {
                try Output.json(Self.object.json((policy, isVerified)))
            } else if document {
                try Output.data(policy.printedDocument)
            } else {
                try Output.report(policy.text + "\n")
                try Output.data(policy.numberedLines(width: TerminalSize.ofStandardOutput?.columns))
            }
        }

        static let object = JSONObject<(policy: ListedPolicy, isVerified: Bool)>([
            .boolean("unverified", "false with --verify") { !$0.isVerified }
        ]).adding(ListedPolicy.shown) { $0.policy }
    }
}

/// A policy of the vault, as `policy list` and `policy show` print it.
struct ListedPolicy {
    let stored: StoredPolicy
    /// A key that the policy applies to; nil for all keys.
    let key: EntryName?
    let label: String?
    /// The names of chains that the vault has.
    let names: ChainNames
    /// True if it was verified, which needs the unlock method.
    let isVerified: Bool
    /// The key's use of the limits; nil for all keys, and in lists.
    var state: PolicyLedger.KeyState?

    /// Nil for a document that can't be read. Anyone who can write the file can change an
    /// unverified row.
    private var policy: KeyPolicy? { try? KeyPolicy(stored.document) }

    /// True if the key has no policy of its own.
    var isOfAllKeys: Bool { stored.subject == .allKeys }

    var text: String {
        let policy = policy
        var rows: [(String, String)] = []
        if key != nil, isOfAllKeys {
            rows.append(("policy", "for all keys, because this key has none of its own"))
        }
        if let policy {
            rows.append(("chains", policy.chains.map { names.short($0.bytes) }.joined(separator: ", ")))
            let rules = Words.count(policy.rules.count, "rule")
            rows.append(("allows", "\(rules), \(Words.count(policy.limits.count, "limit"))"))
        } else {
            rows.append(("allows", "nothing: the policy can't be read"))
        }
        rows += [
            ("set", Clock.text(stored.setAt)), ("second", stored.secondMethod.kind.secondMethod),
            ("sha256", Hex.encode(stored.hash)),
        ]
        rows += (state?.usedLimits ?? []).map { ("used", $0.text) }
        if let room = state?.room, room.sums > 0 {
            let maximum = Amount.text(LimitUses.maximumSumCount)
            let recipients = Amount.text(room.recipients)
            rows.append(
                (
                    "room",
                    "\(Amount.text(room.sums)) of \(maximum) sums, \(recipients) of \(maximum) recipients"
                ))
        }
        let name = key.map { [$0.text, label].compactMap(\.self).joined(separator: " ") } ?? "all keys"
        return name + (isVerified ? "\n" : ", unverified\n")
            + rows.map { "  " + $0.padded(to: 10) + $1 + "\n" }.joined()
    }

    static let object = JSONObject<ListedPolicy>([
        .text(orNull: "public_key", "the key; null for all keys") { $0.key?.text },
        .text(orNull: "label", "the label of the key, if the vault contains it") { $0.label },
        .boolean("all_keys", "whether the policy is for all keys") { $0.isOfAllKeys },
        .value("chains", .orNull(.list(of: .text)), "its chains; null for a policy that can't be read") {
            let names = $0.names
            return $0.policy.map { .array($0.chains.map { .string(names.short($0.bytes)) }) }
        },
        .number(orNull: "rule_count", "the number of its rules") { $0.policy?.rules.count },
        .number(orNull: "limit_count", "the number of its limits") { $0.policy?.limits.count },
        .text("set", "when it was set, in UTC") { Clock.text($0.stored.setAt) },
        .text("second_method", "`pin` (a policy PIN) or `recovery`: what a looser policy needs") {
            $0.stored.secondMethod.kind.code
        },
        .text("sha256", "the SHA-256 of the policy, as the audit log states it") {
            Hex.encode($0.stored.hash)
        },
    ])

    /// With what is used of its limits, and with its text.
    static let shown = object.adding([
        .list("uses", of: UsedLimit.object, "what is used of the rolling limits; empty for all keys") {
            $0.state?.usedLimits ?? []
        },
        .object(
            orNull: "room", room, "the room that limits for each recipient use; null for all keys"
        ) { $0.state?.room },
        .text("document", "the policy, whose lines messages name") { $0.document },
    ])

    private static let room = JSONObject<(sums: Int, recipients: Int)>([
        .number("sums", "the sums for each recipient and slice of time") { $0.sums },
        .number("recipients", "their recipients, once for each window and token") { $0.recipients },
        .number("maximum", "the most sums, and the most recipients") { _ in LimitUses.maximumSumCount },
    ])

    /// True if 80 % of the recipients that fit are used.
    var isNearlyFull: Bool { state.map { $0.room.recipients * 5 >= LimitUses.maximumSumCount * 4 } ?? false }

    /// The policy as it is stored.
    var document: String { String(decoding: stored.document, as: UTF8.self) }

    var printedDocument: String { Printable.json(document) + "\n" }

    /// The policy with the numbers of its lines, to which messages refer.
    /// - Parameter width: the columns of a terminal, where a long line continues after a comma.
    func numberedLines(width: Int?) -> String {
        let lines = Printable.json(document).split(separator: "\n", omittingEmptySubsequences: false)
        let digits = "\(lines.count)".utf8.count
        var rows = Rows(width: width ?? TerminalSize.standard.columns)
        for (index, line) in lines.enumerated() {
            let number = "\(index + 1)"
            let start = String(repeating: " ", count: digits - number.utf8.count) + number + "  "
            if let width, start.utf8.count + line.columns > width {
                let parts = line.split(separator: ",", omittingEmptySubsequences: false).map { "\($0)," }
                rows.append(
                    start, parts: parts.dropLast() + parts.suffix(1).map { String($0.dropLast()) },
                    separator: "", indent: start.utf8.count + 2)
            } else {
                rows.append(start + line)
            }
        }
        return rows.rows.map { $0 + "\n" }.joined()
    }
}

extension PolicyLedger.KeyState {
    fileprivate var room: (sums: Int, recipients: Int) {
        uses.room(at: max(UInt32(clamping: Clock.now), last ?? 0))
    }
}

extension SlotKind {
    /// The second unlock method of a policy, of this kind.
    var secondMethod: String { self == .recovery ? "the recovery phrase" : "a policy PIN" }
}

/// The policies of a vault, and the keys that they apply to.
struct ListedPolicies {
    private let policies: [StoredPolicy]
    /// The names of chains that the vault has.
    let names: ChainNames
    private let entries: [EntryDescription]
    private let isVerified: Bool
    /// The state of the key whose uses are read.
    private var state: PolicyLedger.KeyState?

    /// - Parameters:
    ///   - method: verifies them; nil if they need not be verified.
    ///   - text: a public key or the label of a key, whose uses are read too.
    /// - Throws: `unknownKey` for a label that no key has.
    init(of vault: VaultOptions, verifiedBy method: UnlockMethodOptions? = nil, usesOf text: String? = nil)
        throws
    {
        let (file, name) = (try vault.open(.reading), try vault.name())
        guard let method else {
            self = try Self(unverified: file, named: name)
            guard let key = try text.flatMap({ try key($0, vault: name).publicKey }) else { return }
            // A policy that can't be read has no limits.
            state = try? file.unverifiedPolicies(of: [key], at: Clock.now)[key]
            return
        }
        let unlocked = try method.unlock(file)
        (policies, names) = try unlocked.withoutRecord {
            (transaction: inout VaultTransaction) throws(VaultError) in
            (try transaction.policies(), ChainNames(try transaction.namedChains()))
        }
        entries = try unlocked.entries()
        isVerified = true
        guard let key = try text.flatMap({ try key($0, vault: name).publicKey }) else { return }
        state = try unlocked.withoutRecord { (transaction: inout VaultTransaction) throws(SigningError) in
            try transaction.policies(of: [key], parsedIn: .empty)[key]
        }
    }

    /// - Parameter name: of the vault, in errors.
    init(unverified vault: Vault, named name: String) throws {
        (policies, entries, names) = try placed(at: name) {
            (
                try vault.unverifiedPolicies(), try vault.unverifiedEntries(),
                ChainNames(try vault.unverifiedNamedChains())
            )
        }
        isVerified = false
    }

    /// The policy of all keys first, then the others in the order of the public keys.
    var all: [ListedPolicy] {
        policies.map { policy in
            if case .key(let name) = policy.subject {
                listed(policy, of: name)
            } else {
                listed(policy, of: nil)
            }
        }
    }

    /// A public key, or the key with a label.
    /// - Parameter vault: its name in errors.
    /// - Throws: `unknownKey` for a label that no key has.
    func key(_ text: String, vault: String) throws -> EntryName {
        if let key = try? PublicKey(text) { return EntryName(key) }
        guard
            let entry = entries.first(where: {
                $0.isKey && $0.label?.text.utf8.elementsEqual(text.utf8) == true
            })
        else { throw KeyArgument.unknown(text, place: "the key", vault: vault) }
        return entry.name
    }

    /// The policy that applies to a key: its own one, otherwise the policy of all keys.
    /// - Parameters:
    ///   - key: nil for the policy of all keys.
    ///   - vault: its name in errors.
    /// - Throws: `noPolicy`.
    func policy(of key: EntryName?, vault: String) throws -> ListedPolicy {
        let own = policies.first { policy in key.map { policy.subject == .key($0) } ?? false }
        guard let policy = own ?? policies.first(where: { $0.subject == .allKeys }) else {
            throw Placed(place: vault, error: VaultError.input(.noPolicy))
        }
        var listed = listed(policy, of: key)
        listed.state = state
        return listed
    }

    private func listed(_ policy: StoredPolicy, of key: EntryName?) -> ListedPolicy {
        let label = entries.first { $0.name == key }?.label?.text
        return ListedPolicy(
            stored: policy, key: key, label: label, names: names, isVerified: isVerified)
    }
}
