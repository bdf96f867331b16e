import ABICodec
import Codecs
import Hardening
import JSON
import KeyVault
import Shell
import Transactions

/// A pinned ABI, as `abi list` and `abi show` print it.
struct ListedABI {
    let abi: PinnedABI
    /// Whether the row was verified, which needs the unlock method.
    let isVerified: Bool

    private var chain: String { ChainName.short(abi.contract.chain) }
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
            hash: Hex.encode(abi.hash), isOlder: false, actions: actions, recorded: [], definition: definition,
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
        .boolean("unverified?", "only for a pinned ABI: false with --verify") { $0.pin.map { !$0.isVerified } },
    ])

    static let shown = listed.adding([
        .any("abi", "the ABI, as a node prints it; null if it can't be read") { $0.definition?.json }
    ])
}

extension RecordedABI: JSONDescribed {
    static let object = JSONObject<RecordedABI>([
        .text("sha256", "the SHA-256 of the raw form") { $0.sha256 }, .text("chain", "the chain") { $0.chain },
        .text("date", "when it was recorded") { $0.date }, .text("source", "where") { $0.source },
    ])
}

extension VaultOptions {
    /// The pinned ABIs of the vault, sorted by account and chain. None if no vault is named and
    /// there is none at the default path.
    func listedABIs(verifying: Bool, by method: UnlockMethodOptions) throws -> [ListedABI] {
        guard vault != nil || isThere || verifying else { return [] }
        let file = try open(.reading)
        let abis: [PinnedABI]
        if verifying {
            abis = try method.unlock(file).withoutRecord { (transaction: inout VaultTransaction) throws(VaultError) in
                try transaction.pinnedABIs()
            }
        } else {
            abis = try placed(at: name()) { try file.unverifiedPinnedABIs() }
        }
        return abis.sorted { left, right in
            left.contract.account != right.contract.account
                ? left.contract.account < right.contract.account
                : left.contract.chain.lexicographicallyPrecedes(right.contract.chain)
        }
        .map { ListedABI(abi: $0, isVerified: verifying) }
    }

    /// The file access of `listedABIs`.
    func listingAccess(verifying: Bool, by method: UnlockMethodOptions) -> FileAccess {
        if verifying { return fileAccess(by: method) }
        return vault != nil || isThere ? lockedAccess : .none
    }
}
