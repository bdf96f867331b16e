import ArgumentParser
import Hardening
import JSON
import KeyVault
import Policy
import Shell
import Signing
import Tokens
import Transactions

struct Status: JSONCommand, TokenCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Print the state of the vault without a PIN: last record, backup, used limits.",
        discussion: """
            Nothing is verified: anyone who can write the file can change the output. `eosvault check` verifies the \
            vault. After --accept-rollback, the payment history lacks the signatures that the accepted copy lacks. A \
            program that monitors the vault can run this command often: it neither unlocks the vault nor \
            writes a record.

              eosvault status
              eosvault status --json

            With --tpm or --fido2, it also asks that device, without a PIN, how many wrong PINs it accepts. With \
            --module, it also asks that module, without a PIN, about the tokens of the vault's keys: whether \
            they are present, the state of their PIN, and whether they can sign.
            """)

    @OptionGroup var vault: VaultOptions
    @OptionGroup var devices: DeviceStateOptions
    @OptionGroup var modules: ModuleOptions
    @OptionGroup var common: CommonOptions

    var requiredAccess: FileAccess { vault.comparedAccess + devices.fileAccess }
    var mayUseTokens: Bool { !modules.module.isEmpty }
    var namedModules: [String] { modules.module }

    func run() throws {
        let file = try vault.open(.reading)
        var state = try placed(at: vault.name()) { try file.snapshot { try VaultState(of: file) } }
        if mayUseTokens { try state.addTokens(of: modules) }
        state.devices = try devices.states()
        if state.vault.isOlderThanSeen == true { Messages.warning(Words.olderThanSeen) }
        try json.report(state.text, json: Self.object.json(state))
    }
}

/// What `status` prints.
struct VaultState {
    let vault: VaultStatus
    /// The limits of the keys in the vault, the most used one first. A limit for each recipient has
    /// only its most used recipient. Nil if this version can't read a policy.
    let limits: [KeyLimit]?
    /// The tokens of the keys in modules that the user named, in the order of the keys.
    private(set) var tokens: [KeyToken] = []
    /// The devices that the user named.
    fileprivate(set) var devices = DeviceStates()

    /// A token of a key. Nil facts: it is not present.
    struct KeyToken {
        let key: EntryDescription
        let uri: TokenURI
        let facts: TokenFacts?
    }

    /// Asks modules about the tokens of the keys. The file is not verified: it names no module that
    /// is loaded.
    fileprivate mutating func addTokens(of modules: ModuleOptions) throws {
        let program = try modules.connect()
        for path in modules.module {
            let present = try TokenSession.present(in: path, by: program)
            for entry in vault.entries.map(\.entry) {
                tokens += entry.tokens.filter { $0.modulePath == path }.map { uri in
                    KeyToken(key: entry, uri: uri.withoutKey, facts: present.first { $0.matches(uri) })
                }
            }
        }
    }

    struct KeyLimit {
        /// Nil for the keys that have no policy of their own and have used nothing of their limits.
        let key: EntryDescription?
        let keyCount: Int
        let limit: UsedLimit
        /// The recipients in the window of a limit for each recipient.
        let recipientCount: Int

        /// - Parameter uses: of one limit, for each recipient.
        fileprivate init?(_ key: EntryDescription?, keyCount: Int = 1, _ uses: [UsedLimit]) {
            guard let most = uses.max(by: { $0.percent < $1.percent }) else { return nil }
            (self.key, self.keyCount, limit) = (key, keyCount, most)
            recipientCount = uses.count { $0.use.recipient != nil }
        }
    }

    init(of file: Vault) throws(VaultError) {
        vault = try file.unverifiedStatus()
        do {
            limits = try Self.limits(of: vault.entries.map(\.entry), in: file)
        } catch .input(.policySet) { limits = nil }
    }

    private static func limits(
        of entries: [EntryDescription], in file: Vault
    ) throws(VaultError) -> [KeyLimit] {
        let policies = try file.unverifiedPolicies()
        guard !policies.isEmpty else { return [] }
        var named = try file.unverifiedKeysWithUses()
        for case .key(let name) in policies.map(\.subject) { named.insert(name) }
        let keys = entries.filter(\.isKey)
        // The policy of all keys has the same limits for each key that has used nothing.
        let (own, alike) = (
            keys.filter { named.contains($0.name) }, keys.filter { !named.contains($0.name) }
        )
        let ledger = try file.unverifiedPolicies(
            of: (own + alike.prefix(1)).compactMap(\.name.publicKey), at: Clock.now)
        func limits(of entry: EntryDescription?) -> [[UsedLimit]] {
            let state = entry?.name.publicKey.flatMap { ledger[$0] }
            return Array(Dictionary(grouping: state?.usedLimits ?? [], by: \.use.index).values)
        }
        let all =
            own.flatMap { entry in limits(of: entry).compactMap { KeyLimit(entry, $0) } }
            + limits(of: alike.first).compactMap { KeyLimit(nil, keyCount: alike.count, $0) }
        return all.sorted {
            ($1.limit.percent, $0.name, $0.limit.use.index) < ($0.limit.percent, $1.name, $1.limit.use.index)
        }
    }

    var notBackedUp: [EntryDescription] { vault.entries.filter { !$0.isBackedUp }.map(\.entry) }

    /// The records that are not in the vault.
    var archivedCount: Int64 { vault.archives.last?.last ?? 0 }
}

// MARK: - text

extension VaultState {
    /// A terminal gets at most this many keys and limits. JSON has all of them.
    private static let shownCount = 10

    var text: String {
        var rows = Rows(width: TerminalSize.ofStandardOutput?.columns ?? 100)
        rows.append(named: "vault", words: "\(contents); \(Words.count(vault.generation, "change"))")
        rows.append(named: "opens with", words: unlockMethods)
        devices.append(to: &rows)
        rows.append(named: "last record", words: lastRecord)
        rows.append(named: "last backup", words: backup)
        append(notBackedUp.map { $0.line() }, to: &rows)
        let inTokens = vault.entries.map(\.entry).filter { !$0.tokens.isEmpty }
        if !inTokens.isEmpty {
            rows.append(named: "in tokens", words: Words.count(inTokens.count, "key") + ":")
            append(
                inTokens.map { "\($0.line()): \($0.tokens.map(\.tokenName).joined(separator: "; "))" },
                to: &rows)
        }
        if !tokens.isEmpty {
            rows.append(named: "tokens", words: "of the keys, in the modules of --module:")
            append(tokens.map(\.text), to: &rows)
        }
        rows.append(named: "file", words: "\(vault.space.percent) % of 1 GiB used")
        rows.append(named: "history", words: "all payments since \(Clock.text(vault.historyStart))")
        rows.append(named: "limits", words: usedLimits)
        append(shownLimits.map(\.text), to: &rows)
        if let failed = vault.failedUnlocks {
            rows.append(named: "unlocks", words: Words.failedUnlocks(failed.count, last: failed.last))
        }
        rows.append(named: "verified", words: Words.statusNotVerified(archived: archivedCount))
        return rows.rows.map { $0.trimmed + "\n" }.joined()
    }

    private var contents: String {
        Words.entries(counts).joined(separator: ", ")
    }

    fileprivate var counts: EntryCounts { EntryCounts(vault.entries.map(\.entry.kind)) }

    private var unlockMethods: String {
        let kinds = vault.slots.map(\.kind).filter(\.isKnown)
        let bound = kinds.filter { !$0.opensElsewhere }
        return Words.methods(kinds)
            + (bound.isEmpty ? "" : "; on this machine only: with \(Words.methods(bound))")
    }

    private var lastRecord: String {
        guard let record = vault.lastRecord else { return "none" }
        let labels = vault.entries.reduce(into: [:]) { $0[$1.entry.name] = $1.entry.label?.text }
        return record.row(labels, ChainNames(vault.namedChains))
    }

    private var backup: String {
        let missing = notBackedUp.count
        let state = vault.backup.map { Clock.text($0.time) } ?? "none"
        guard missing > 0 else {
            return state + (vault.entries.isEmpty ? "" : ", with all keys and credentials")
        }
        return "\(state); \(missing) of \(vault.entries.count) keys and credentials have NO backup:"
    }

    private var shownLimits: [KeyLimit] { (limits ?? []).filter { $0.limit.percent > 0 } }

    private var usedLimits: String {
        guard let limits else { return "unknown: this version can't read a policy, so it signs nothing" }
        guard !limits.isEmpty else { return "none" }
        let count = limits.reduce(0) { $0 + $1.keyCount }
        return "\(shownLimits.count) of \(count) in use" + (shownLimits.isEmpty ? "" : ":")
    }

    private func append(_ lines: [String], to rows: inout Rows) {
        for line in lines.prefix(Self.shownCount) { rows.append(named: "", words: line) }
        if lines.count > Self.shownCount {
            rows.append(
                named: "",
                words: "and \(Amount.text(lines.count - Self.shownCount)) more, which --json prints")
        }
    }
}

extension VaultState.KeyLimit {
    fileprivate var text: String { "\(limit.percent) %: \(key?.label?.text ?? name): \(limit.text)" }

    fileprivate var name: String { key?.name.text ?? "each other key" }

    fileprivate static let object = JSONObject<Self>([
        .text(
            orNull: "public_key",
            "the key; null for the keys that have used no limit and have no policy of their own"
        ) { $0.key?.name.text },
        .text(orNull: "label", "its label") { $0.key?.label?.text },
        .number("key_count", "how many keys; 1 if `public_key` is not null") { $0.keyCount },
    ]).adding(UsedLimit.object) { $0.limit }.adding([
        .number("recipient_count", "the recipients in the window; 0 for a limit for all together") {
            $0.recipientCount
        }
    ])
}

extension VaultState.KeyToken {
    fileprivate var text: String {
        let state = facts.map { "\($0.pinState), \($0.mechanisms)" } ?? "not present"
        return "\(key.line()): \(uri.tokenName): \(state)"
    }

    fileprivate static let object = JSONObject<Self>([
        .text("public_key", "the key") { $0.key.name.text },
        .text("uri", "the URI of the token") { $0.uri.text },
        .boolean("present", "whether it is present") { $0.facts != nil },
        .text(orNull: "pin", "as `token list` prints it") { $0.facts?.pinState },
        .boolean(orNull: "signs", "whether it signs with CKM_ECDSA") { $0.facts?.signs },
    ])
}

// MARK: - JSON

extension Status {
    static let object = JSONObject<VaultState>([
        .boolean("unverified", "true: nothing of this was verified") { _ in true },
        .text("created", "when the vault was made, in UTC") { Clock.text($0.vault.createdAt) },
        .number("generation", "the number of changes of the vault") { $0.vault.generation },
        .boolean(
            orNull: "older_than_recorded",
            "whether the file is older than the state that this machine has recorded; null if it has none"
        ) { $0.vault.isOlderThanSeen },
        .list("slots", of: SlotKind.object, "its unlock methods") { $0.vault.slots.map(\.kind) },
        .object(orNull: "tpm", DeviceStates.tpm, "with --tpm, the state of that TPM") { $0.devices.tpm },
        .object(orNull: "fido2", DeviceStates.fido2, "with --fido2, the state of that authenticator") {
            $0.devices.authenticator
        },
        .number("key_count", "its keys") { $0.counts.keys },
        .number("credential_count", "its credentials") { $0.counts.credentials },
        .number("seed_count", "its seeds") { $0.counts.seeds },
        .value(
            "last_record", .orNull(AuditRecord.shape), "the last record of the audit log, as `log` prints it"
        ) {
            $0.vault.lastRecord?.json()
        },
        .number("archived_records", "the number of first records that are in archives, not in the vault") {
            $0.archivedCount
        },
        .object(orNull: "last_backup", backup, "the last verified backup") { $0.vault.backup },
        .list(
            "not_backed_up", of: EntryDescription.object,
            "the entries that no verified backup, seed or second token restores"
        ) {
            $0.notBackedUp
        },
        .number("used_percent", "how much of its maximum size, 1 GiB, the vault uses") {
            $0.vault.space.percent
        },
        .text("history_since", "the payment history has all signatures since this time") {
            Clock.text($0.vault.historyStart)
        },
        .list(
            orNull: "limits", of: VaultState.KeyLimit.object,
            "the 10,000 most used rolling limits of keys, the most used one first; for a limit for each recipient, "
                + "only the most used recipient; null if this version can't read a policy"
        ) { $0.limits.map { Array($0.prefix(10_000)) } },
        .list("tokens", of: VaultState.KeyToken.object, "with --module, the tokens of keys in that module") {
            $0.tokens
        },
        .object(
            orNull: "failed_unlocks", failures, "the failed unlocks since the last successful one"
        ) { $0.vault.failedUnlocks },
    ])

    private static let backup = JSONObject<(generation: Int64, time: Int64)>([
        .number("generation", "the generation of the vault in it") { $0.generation },
        .text("time", "when it was made, in UTC") { Clock.text($0.time) },
    ])

    private static let failures = JSONObject<(count: Int64, first: Int64, last: Int64)>([
        .number("count", "how many") { $0.count },
        .text("first", "when the first one was made") { Clock.text($0.first) },
        .text("last", "when the last one was made") { Clock.text($0.last) },
    ])
}
