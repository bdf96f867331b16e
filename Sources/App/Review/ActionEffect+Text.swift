import ABICodec
import Shell
import Signing
import Transactions

extension ActionEffect {
    /// The effect in words, which follow the name of the account.
    /// - Parameter amount: the number of bytes.
    func text(_ amount: Int128?) -> String {
        let bytes = Amount.bytes(amount ?? 0)
        let other = receiver.map(\.shown) ?? "(unknown)"
        let detail = details.map(Self.text).joined(separator: ", ")
        return switch kind {
        case .buyRAMBytes: "buys \(bytes) of RAM for \(other)"
        case .sendRAM: "sends \(bytes) of RAM to \(other)"
        case .giveRAM: "gives \(bytes) of RAM to \(other)"
        case .returnRAM: "returns all RAM that \(other) gave"
        case .sellRAM: "sells \(bytes) of RAM"
        case .destroyRAM: "destroys \(bytes) of RAM"
        case .vote: "votes for \(detail)"
        case .voteByProxy: "gives its votes to the proxy \(other)"
        case .updateVote: "updates the weight of its votes"
        case .setProxy: isFalse ? "stops being a proxy for votes" : "becomes a proxy for the votes of others"
        case .registerProducer: "becomes a producer; blocks are signed with \(detail)"
        case .unregisterProducer: "stops being a producer"
        case .claimRewards: "claims its rewards as a producer"
        case .registerFinalizer: "registers the finalizer key \(detail)"
        case .activateFinalizer: "activates the finalizer key \(detail)"
        case .deleteFinalizer: "deletes the finalizer key \(detail)"
        case .registerPeer: "registers the peer key \(detail)"
        case .deletePeer: "deletes the peer key \(detail)"
        case .refund: "takes back tokens that were unstaked"
        case .refundBid: "takes back its bid for \(other)"
        case .lockREX: "moves \(detail) to its savings"
        case .unlockREX: "moves \(detail) out of its savings"
        case .updateREX: "updates or closes its REX balance: \(detail)"
        case .cancelREXOrder: "cancels its order to sell REX"
        case .exchangeExcess: "exchanges all EOS above \(detail)"
        case .blockExchanges: isFalse ? "allows exchanges for it" : "blocks exchanges for it"
        case .openBalance: "pays RAM for a balance of \(other) in \(detail)"
        case .closeBalance: "closes its balance in \(detail)"
        case .createToken: "may issue a new token, at most \(detail)"
        case .propose: "proposes \(detail)"
        case .approve: "approves \(detail) of \(other)"
        case .unapprove: "withdraws its approval of \(detail) of \(other)"
        case .cancelProposal: "cancels \(detail) of \(other)"
        case .execute: "executes \(detail) of \(other)"
        case .invalidateApprovals: "withdraws all its earlier approvals"
        case .runInner: "executes the inner transaction with the permissions of others"
        case .cancelDelayed: "cancels the delayed transaction \(detail)"
        case .process: "processes waiting orders of the system: \(detail)"
        case .limitPermissions: "limits which permissions can change its permissions"
        case .changeResources: "gets other limits from the system: \(detail)"
        case .changeSystem: "changes the system: \(detail)"
        }
    }

    private var isFalse: Bool { details.first?.plain == "false" || details.first?.plain == "0" }

    /// The elements of a list that are shown.
    private static let shownElements = 3

    /// The characters of a text that are shown: more than a key has.
    private static let shownCharacters = 200

    private static func text(_ value: TypedValue) -> String {
        switch value {
        case .name(let name): return name.shown
        case .asset(let asset): return Amount.text(asset)
        case .publicKey(let text), .plain(let text), .unquoted(let text): return text
        case .text(let text):
            // A file can't lengthen the summary.
            let rest = text.count - shownCharacters
            return QuotedText.quoted(String(text.prefix(shownCharacters))) + (rest > 0 ? "..." : "")
        case .bytes(let bytes): return Amount.bytes(Int128(bytes.count))
        case .absent: return "nothing"
        case .alternative(_, let inner): return text(inner)
        case .list(let list):
            guard !list.isEmpty else { return "nobody" }
            let rest = list.count - shownElements
            let shown = list.prefix(rest == 1 ? list.count : shownElements).map(text).joined(separator: ", ")
            return list.count > 1 && rest > 1 ? "\(Amount.text(list.count)): \(shown), ..." : shown
        case .fields(let fields):
            if let level = value.level { return level.text }
            return fields.map { "\(QuotedText.name($0.name)) \(text($0.value))" }.joined(separator: " ")
        }
    }
}
