import ABICodec
import ArgumentParser
import Codecs
import Hardening
import JSON
import KeyVault
import Shell
import Transactions

extension ABIGroup {
    struct List: ListingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the pinned and built-in ABIs: account, chains, actions, date, source.",
            discussion: """
                Pinned ABIs come first. Without --verify, the command needs no PIN and marks them as unverified: \
                anyone who can write the file can change them. `chains` lists the chains on which the contract uses a \
                built-in ABI. `sha256` is the hash of the raw form. Each line `recorded` shows the hash of a raw form \
                that a chain stored (its abi_hash), with the chain, the date and the source. --abi accepts a file \
                with one of these hashes.

                  eosvault abi list
                  eosvault abi list --json
                """)

        @OptionGroup var listing: ListingOptions
        @OptionGroup var common: CommonOptions

        static let object = JSONObject<[ABIRow]>([.list("abis", of: ABIRow.listed, "the ABIs") { $0 }])

        var requiredAccess: FileAccess { vault.listingAccess(verifying: isVerified, by: method) }

        func run() throws {
            let pinned = try vault.listedABIs(verifying: isVerified, by: method).abis
            try json.printABIs(
                pinned.map(\.lines) + BuiltInABI.all.map(\.lines),
                json: Self.object.json(pinned.map(\.row) + BuiltInABI.all.map(\.row)))
        }
    }
}

extension BuiltInABI {
    var lines: [String] {
        let age = isOlder ? ", older: used for actions that the newer ABI lacks" : ""
        var lines = ["\(account)  \(Words.count(actions.count, "action")), \(date)\(age)"]
        lines.append("  chains    " + chains.joined(separator: ", "))
        lines.append("  source    " + source)
        if let hash { lines.append("  sha256    " + hash.text) }
        lines += Words.rows(of: actions)
        return lines + recorded.map { "  recorded  \($0.sha256)  \($0.chain)  \($0.date)  \($0.source)" }
    }

    var row: ABIRow {
        ABIRow(
            account: account, chains: chains, date: date, source: source, hash: hash?.text, isOlder: isOlder,
            actions: actions, recorded: recorded, definition: definition)
    }
}

extension Words {
    /// The lines with the names of an ABI's actions, for a terminal of 80 columns. The first one
    /// has a title in its margin of 12 columns.
    static func rows(of actions: [Name]) -> [String] {
        var rows: [String] = []
        for word in actions.map(\.text) {
            if let last = rows.last, last.utf8.count + word.utf8.count < 66 {
                rows[rows.count - 1] = "\(last) \(word)"
            } else {
                rows.append(word)
            }
        }
        return rows.enumerated().map { ($0.offset == 0 ? "  actions   " : "            ") + $0.element }
    }
}

extension ABIGroup {
    struct Show: ListingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show the pinned and built-in ABIs of an account: actions, fields, types.",
            discussion: """
                With --chain, the output has only the ABIs that `sign` uses on this chain: the pinned one, or else the \
                built-in ones. Without --verify, the command needs no PIN and marks pinned ABIs as unverified.

                  eosvault abi show mytoken --chain eos
                  eosvault abi show eosio.token --json
                """)

        @Argument(help: "The account of the contract.")
        var account: AccountOption

        @Option(name: .shortAndLong, help: .chain, completion: .chains)
        var chain: ChainArgument?

        @OptionGroup var listing: ListingOptions
        @OptionGroup var common: CommonOptions

        var requiredAccess: FileAccess { vault.listingAccess(verifying: isVerified, by: method) }

        func run() throws {
            try chain?.expectForm()
            let (abis, names) = try vault.listedABIs(verifying: isVerified, by: method)
            let chain = try chain?.id(names)
            let name = account.account
            let pinned = abis.filter {
                $0.abi.contract.account == name.text
                    && (chain == nil || $0.abi.contract.chain == chain?.bytes)
            }
            let builtIn = chain != nil && !pinned.isEmpty ? [] : BuiltInABI.all(for: name)
            guard !pinned.isEmpty || !builtIn.isEmpty else { throw CommandError.noSuchABI(account: name) }
            try json.printABIs(
                pinned.map { Self.lines($0.lines, $0.definition) }
                    + builtIn.map { Self.lines($0.lines, $0.definition) },
                json: Self.object.json(pinned.map(\.row) + builtIn.map(\.row)))
        }

        static let object = JSONObject<[ABIRow]>([
            .list("abis", of: ABIRow.shown, "the ABIs of the account") { $0 }
        ])

        private static func lines(_ head: [String], _ definition: ABIDefinition?) -> [String] {
            guard let definition else { return head + ["the raw form can't be read"] }
            return head + [""] + ABIOutline(of: definition).lines
        }
    }
}

extension JSONOption {
    /// Prints ABIs: the lines of each, or an object with --json.
    fileprivate func printABIs(_ lines: [[String]], json: @autoclosure () -> JSONValue) throws {
        guard !isOn else { return try Output.json(json()) }
        try Output.report(lines.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n"))
    }
}

/// A pinned ABI, as `abi list` and `abi show` print it.
struct ListedABI {
    let abi: PinnedABI
    let names: ChainNames
    /// True if the unlock method was given, and the row verified.
    let isVerified: Bool

    private var chain: String { names.short(abi.contract.chain) }
    private var doubt: String { isVerified ? "" : ", unverified" }

    /// The ABI; nil for bytes that are not a raw form. Anyone who can write the file can change an
    /// unverified row.
    var definition: ABIDefinition? { try? ABIDefinition(raw: abi.raw) }

    var actions: [Name] { definition?.actionNames ?? [] }

    var lines: [String] {
        var lines = [
            "\(abi.contract.account)  \(Words.count(actions.count, "action")), "
                + "pinned for \(chain) on \(Clock.text(abi.pinnedAt))\(doubt)",
            "  chain id  " + Hex.encode(abi.contract.chain), "  sha256    " + Hex.encode(abi.hash),
        ]
        lines += Words.rows(of: actions)
        return lines
    }

    /// The ABI in the form of a built-in one.
    var row: ABIRow {
        ABIRow(
            account: abi.contract.account, chains: [chain], date: Clock.text(abi.pinnedAt), source: "pinned",
            hash: Hex.encode(abi.hash), isOlder: false, actions: actions, recorded: [],
            definition: definition,
            pin: (Hex.encode(abi.contract.chain), isVerified))
    }
}

/// A pinned or built-in ABI, for programs.
struct ABIRow {
    let account: String
    let chains: [String]
    let date: String
    let source: String
    let hash: String?
    let isOlder: Bool
    let actions: [Name]
    let recorded: [RecordedABI]
    /// Nil for bytes that are not a raw form.
    let definition: ABIDefinition?
    /// Nil for a built-in ABI.
    var pin: (chain: String, isVerified: Bool)?

    static let listed = JSONObject<ABIRow>([
        .text("account", "the account") { $0.account },
        .texts("chains", "the chains: one for a pinned ABI") { $0.chains },
        .text("date", "when the ABI was pinned, or when the built-in ABI was recorded") { $0.date },
        .text("source", "`pinned`, or where the built-in ABI was recorded") { $0.source },
        .text("sha256", "the SHA-256 of the raw form") { $0.hash },
        .boolean("older", "whether it is an older built-in ABI") { $0.isOlder },
        .texts("actions", "its actions") { $0.actions.map(\.text) },
        .list(
            "recorded", of: RecordedABI.object,
            "the ABIs that chains had, which decode each action the same way; empty for a pinned ABI"
        ) { $0.recorded },
        .boolean("pinned", "whether a vault pins it") { $0.pin != nil },
        .text("chain_id?", "the chain of a pinned ABI") { $0.pin?.chain },
        .boolean("unverified?", "only for a pinned ABI: false with --verify") {
            $0.pin.map { !$0.isVerified }
        },
    ])

    static let shown = listed.adding([
        .any("abi", "the ABI, as a node prints it; null if it can't be read") { $0.definition?.json }
    ])
}

extension RecordedABI: JSONDescribed {
    static let object = JSONObject<RecordedABI>([
        .text("sha256", "the SHA-256 of the raw form") { $0.sha256 },
        .text("chain", "the chain") { $0.chain },
        .text("date", "when it was recorded") { $0.date }, .text("source", "where") { $0.source },
    ])
}

extension VaultOptions {
    /// The pinned ABIs of the vault, sorted by account and chain, and the names of chains. There
    /// are none if no vault is given and there is none at the default path.
    func listedABIs(
        verifying: Bool, by method: UnlockMethodOptions
    ) throws -> (abis: [ListedABI], names: ChainNames) {
        let (abis, chains) = try listed(
            by: verifying ? method : nil,
            verified: { transaction throws(VaultError) in
                (try transaction.pinnedABIs(), try transaction.namedChains())
            },
            unverified: { file throws(VaultError) in
                (try file.unverifiedPinnedABIs(), try file.unverifiedNamedChains())
            }, otherwise: ([], []))
        let names = ChainNames(chains)
        let sorted = abis.sorted { left, right in
            left.contract.account != right.contract.account
                ? left.contract.account < right.contract.account
                : left.contract.chain.lexicographicallyPrecedes(right.contract.chain)
        }
        return (sorted.map { ListedABI(abi: $0, names: names, isVerified: verifying) }, names)
    }

    /// Reads contents of the vault for a list: verified ones, or as they are in the file.
    /// - Parameters:
    ///   - method: verifies them; nil if they need not be verified.
    ///   - nothing: the result if no vault is given and there is none at the default path.
    func listed<Contents>(
        by method: UnlockMethodOptions?,
        verified: (borrowing VaultTransaction) throws(VaultError) -> Contents,
        unverified: (Vault) throws(VaultError) -> Contents, otherwise nothing: Contents
    ) throws -> Contents {
        guard vault != nil || isThere || method != nil else { return nothing }
        let file = try open(.reading)
        guard let method else { return try placed(at: name()) { try unverified(file) } }
        return try method.unlock(file).withoutRecord {
            (transaction: inout VaultTransaction) throws(VaultError) in try verified(transaction)
        }
    }

    /// The file access of `listed`.
    func listingAccess(verifying: Bool, by method: @autoclosure () -> UnlockMethodOptions) -> FileAccess {
        if verifying { return fileAccess(by: method()) }
        return vault != nil || isThere ? lockedAccess : .none
    }
}
