import ABICodec
import Codecs
import JSON
import KeyVault
import Shell
import Transactions

/// The change that pinning an ABI makes: the ABI that decoded the account's actions until now, and
/// the new one.
struct ABIChange: JSONDescribed {
    private enum Earlier {
        case pinned(PinnedABI)
        case builtIn(ABIHash)
        case none
    }

    private let abi: PinnedABI
    private let names: ChainNames
    private let earlier: Earlier
    private let differences: [ABIOutline.Difference]
    private let actionCount: Int
    private let added: [Name]
    private let removed: [Name]
    /// The actions of both that are decoded differently.
    private let changed: [Name]

    /// - Parameter pinned: the ABI that is pinned until now, not verified.
    init(to new: PinnedABI, from pinned: PinnedABI?, names: ChainNames) throws {
        (abi, self.names) = (new, names)
        let definition = try ABIDefinition(raw: new.raw)
        let compiled = try ABI(definition)
        actionCount = compiled.actionNames.count
        let old: ABIDefinition?
        if let pinned {
            earlier = .pinned(pinned)
            do { old = try ABIDefinition(raw: pinned.raw) } catch {
                throw Placed(place: "the pinned ABI of \(pinned.contract.account)", error: error)
            }
        } else if let builtIn = BuiltInABI.newest(for: try Name(new.contract.account)),
            let hash = builtIn.hash
        {
            earlier = .builtIn(hash)
            old = builtIn.definition
        } else {
            earlier = .none
            old = nil
        }
        let before = try old.map { try ABI($0) }
        differences = ABIOutline(of: definition).differences(
            from: old.map { ABIOutline(of: $0) } ?? ABIOutline())
        added = compiled.actionNames.filter { before?.hasAction($0) != true }.sorted { $0.text < $1.text }
        removed = (before?.actionNames ?? []).filter { !compiled.hasAction($0) }.sorted { $0.text < $1.text }
        changed = before?.actions(decodedDifferentlyBy: compiled).filter { compiled.hasAction($0) } ?? []
    }

    /// The lines before the question. The counts are last, next to the question.
    var lines: [String] {
        var lines = [
            row("account", abi.contract.account), row("chain", names.long(abi.contract.chain)),
            row("sha256", Hex.encode(abi.hash)), row("in place of", replaced),
        ]
        if case .none = earlier { lines.append(row("actions", Words.count(actionCount, "action"))) }
        lines.append("")
        lines += differences.flatMap(\.lines)
        if differences.isEmpty { lines.append("no difference in actions, fields and types") }
        lines.append("")
        lines.append(
            "\(Words.count(added.count, "action")) added, \(removed.count) removed, \(changed.count) changed")
        return lines
    }

    private var replaced: String {
        switch earlier {
        case .pinned(let abi): "the pinned ABI of \(Clock.text(abi.pinnedAt)), \(Hex.encode(abi.hash))"
        case .builtIn: "the built-in ABI"
        case .none: "nothing: this account has no built-in ABI"
        }
    }

    private func row(_ name: String, _ value: String) -> String { name.padded(to: 13) + value }

    private var replacedHash: String? {
        switch earlier {
        case .pinned(let abi): Hex.encode(abi.hash)
        case .builtIn(let hash): hash.text
        case .none: nil
        }
    }

    static let object = JSONObject<ABIChange>([]).adding(PinnedABI.object) { $0.abi }.adding([
        .text(orNull: "replaced_sha256", "the ABI that it replaces; null for none") { $0.replacedHash },
        .texts("actions_added", "new actions") { $0.added.map(\.text) },
        .texts("actions_removed", "actions that are gone") { $0.removed.map(\.text) },
        .texts("actions_changed", "actions with other fields or types") { $0.changed.map(\.text) },
    ])
}

extension PinnedABI: JSONDescribed {
    /// The members that identify the contract and the ABI.
    static let object = JSONObject<PinnedABI>([]).adding(ContractAddress.object) { $0.contract }.adding([
        .text("sha256", "the SHA-256 of the raw form") { Hex.encode($0.hash) }
    ])
}

extension ContractAddress: JSONDescribed {
    static let object = JSONObject<ContractAddress>([
        .text("account", "the account") { $0.account },
        .text("chain_id", "the chain, in hex") { Hex.encode($0.chain) },
    ])
}

extension ABIOutline {
    /// One line for each action and alias. For other types, one line for the type and one for each
    /// of its parts.
    var lines: [String] { differences(from: ABIOutline()).flatMap(\.lines).map { String($0.dropFirst(2)) } }
}

extension ABIOutline.Difference {
    /// The lines of `ABIOutline.lines`, with a mark before what was added or removed.
    var lines: [String] {
        let title = "\(change.mark) \(kind.words) \(Printable.name(name))"
        if kind == .action || kind == .alias, parts.count == 1 { return ["\(title): \(parts[0].part.text)"] }
        return [title] + parts.map { "\($0.change.mark)   \($0.part.text)" }
    }
}

extension ABIOutline.Difference.Change {
    fileprivate var mark: String {
        switch self {
        case .kept: " "
        case .added: "+"
        case .removed: "-"
        }
    }
}

extension ABIOutline.Kind {
    fileprivate var words: String {
        switch self {
        case .action: "action"
        case .structure: "struct"
        case .variant: "variant"
        case .alias: "type"
        }
    }
}

extension ABIOutline.Part {
    fileprivate var text: String {
        switch self {
        case .base(let type): "base struct \(Printable.name(type))"
        case .field(let name, let type): "\(Printable.name(name)): \(Printable.name(type))"
        case .type(let type): Printable.name(type)
        }
    }
}

extension Printable {
    /// A name from an ABI. One that does not look like a name is quoted, so that its spaces can't
    /// look like other text.
    fileprivate static func name(_ text: String) -> String {
        let isName = text.utf8.allSatisfy { (0x21..<0x7f).contains($0) && $0 != UInt8(ascii: "\"") }
        return isName && !text.isEmpty ? text : "\"\(line(text))\""
    }
}
