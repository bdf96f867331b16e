import ABICodec
import Shell
import Signing
import Transactions

/// The new authorities in the rows of changes.
struct ShownAuthorities {
    private let authorities: SummaryAuthorities
    private let own: OwnKeys?

    /// - Parameter own: the keys of the vault; nil if the review is not for a vault.
    init(_ authorities: SummaryAuthorities, _ own: OwnKeys?) {
        (self.authorities, self.own) = (authorities, own)
    }

    /// Follows the text of a change: the new authority, or nothing for a change of no permission.
    func text(of change: Summary.Change) -> String {
        func texts(_ name: Name) -> [String] {
            authorities[PermissionLevel(actor: change.account, permission: name), change.execution]
                .map { $0.text(own) }
        }
        switch change.kind {
        case .permissionReplaced(let name):
            let texts = texts(name)
            return texts.isEmpty ? "" : " to " + texts.joined(separator: ", then to ")
        case .created:
            let names = ["owner", "active"].compactMap { try? Name($0) }
            let authorities = names.compactMap { texts($0).first }
            guard authorities.count == 2 else { return "" }
            let (owner, active) = (authorities[0], authorities[1])
            return owner == active ? ", owner and active: \(owner)" : ", owner: \(owner), active: \(active)"
        case .permissionDeleted, .linked, .unlinked, .codeReplaced, .codeRemoved, .abiReplaced,
            .privilegesChanged,
            .effect:
            return ""
        }
    }
}

extension DecodedAuthority {
    /// The parts that are shown. The action above has all of them.
    private static let shownParts = 6

    /// For example `threshold 2: "cold" weight 1, EOS… weight 1, bob@active weight 1`.
    fileprivate func text(_ own: OwnKeys?) -> String {
        // The vault's keys first.
        let mine = keys.filter { own?.contains($0.text) ?? false }
        let others = keys.filter { own?.contains($0.text) != true }
        var parts = mine.map { "\($0.shown(own)) weight \($0.weight)" }
        parts += accounts.map { "\($0.level.text) weight \($0.weight)" }
        parts += waits.map { "a wait of \(Amount.duration(Int64($0.seconds))) weight \($0.weight)" }
        parts += others.map { "\($0.text) weight \($0.weight)" }
        let rest = parts.count - Self.shownParts
        let more = rest > 0 ? " and \(Amount.count(rest, "more part"))" : ""
        let shown = parts.isEmpty ? "nobody" : parts.prefix(Self.shownParts).joined(separator: ", ")
        return "threshold \(threshold): \(shown)\(more)"
    }
}

extension DecodedAuthority.Key {
    /// The label of a key of the vault, or the key.
    fileprivate func shown(_ own: OwnKeys?) -> String {
        own?.key(text)?.label.map { Printable.label($0) } ?? "\(text) of this vault"
    }
}
