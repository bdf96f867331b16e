import ABICodec
import Shell
import Signing
import Transactions

/// The changes of a summary: one row for each account, or one for each kind if these are fewer.
struct SummaryChanges {
    private let changes: [Summary.Change]
    /// nil if there is no room for new authorities.
    private let authorities: ShownAuthorities?

    init(_ changes: [Summary.Change], _ authorities: ShownAuthorities?) {
        (self.changes, self.authorities) = (changes, authorities)
    }

    var lines: [SummaryText.Line] {
        let (accounts, kinds) = (changes.grouped(by: \.account), changes.grouped(by: \.kind.code))
        let texts = accounts.count <= kinds.count ? accounts.map(accountText) : kinds.map(kindText)
        return texts.map { SummaryText.Line(text: $0, isChange: true) }
    }

    /// The changes of one account: `alice: code replaced, ABI replaced`.
    private func accountText(_ changes: [Summary.Change]) -> String {
        guard let first = changes.first else { return "" }
        let kinds = changes.grouped(by: \.kind.code).map { kind in
            let (shown, rest) = Self.split(kind)
            return shown.map(text).joined(separator: ", ") + (rest.isEmpty ? "" : " and " + Self.more(rest))
        }
        return first.account.shown + (first.kind.isEffect ? " " : ": ") + kinds.joined(separator: ", ")
    }

    /// Follows the account.
    private func text(_ change: Summary.Change) -> String {
        let times = change.count > 1 && change.amount != nil ? " in \(Amount.text(change.count)) actions" : ""
        return change.kind.text(change.amount) + (authorities?.text(of: change) ?? "") + times
            + (change.execution.condition.map { " (\($0))" } ?? "")
    }

    /// The changes of one kind: the greatest one, and the number of the others.
    private func kindText(_ changes: [Summary.Change]) -> String {
        let (shown, rest) = Self.split(changes)
        return shown.map { accountText([$0]) }.joined(separator: "; ")
            + (rest.isEmpty ? "" : "; and " + Self.more(rest))
    }

    /// The greatest change of one kind, or two, and the others.
    private static func split(_ changes: [Summary.Change]) -> (
        shown: [Summary.Change], rest: [Summary.Change]
    ) {
        guard changes.count > 2 else { return (changes, []) }
        let sorted = changes.enumerated().sorted { left, right in
            let (leftRank, rightRank) = (left.element.rank, right.element.rank)
            return leftRank != rightRank ? leftRank > rightRank : left.offset < right.offset
        }.map(\.element)
        return (Array(sorted.prefix(1)), Array(sorted.dropFirst()))
    }

    /// `3 more, 5,000 bytes, at most 4,000 bytes`
    private static func more(_ changes: [Summary.Change]) -> String {
        let bytes = changes.reduce(0) { $0 + ($1.amount ?? 0) }
        let sum = bytes > 0 ? ", \(Amount.bytes(bytes)), at most \(Amount.bytes(changes[0].amount ?? 0))" : ""
        return "\(Amount.text(changes.count)) more" + sum
    }
}

extension Summary.Change {
    /// The greatest one is shown first: of the permissions, owner and then active.
    fileprivate var rank: Int128 {
        switch kind {
        case .permissionReplaced(.owner), .permissionDeleted(.owner): 2
        case .permissionReplaced(let name), .permissionDeleted(let name): name.text == "active" ? 1 : 0
        default: amount ?? 0
        }
    }
}

extension AccountChange.Kind {
    fileprivate var isEffect: Bool { if case .effect = self { true } else { false } }

    /// - Parameter amount: the number of bytes.
    fileprivate func text(_ amount: Int128?) -> String {
        switch self {
        case .created: "new account"
        case .permissionReplaced(let name): "\(name.text) permission changed"
        case .permissionDeleted(let name): "\(name.text) permission deleted"
        case .linked(let contract, let action, let permission):
            "\(contract.text)::\(action?.text ?? "*") linked to \(permission.text)"
        case .unlinked(let contract, let action): "\(contract.text)::\(action?.text ?? "*") unlinked"
        case .codeReplaced: "code replaced"
        case .codeRemoved: "code removed"
        case .abiReplaced: "ABI replaced"
        case .privilegesChanged: "privileges changed"
        case .effect(let effect): effect.text(amount)
        }
    }
}
