import ABICodec
import Codecs
import KeyVault
import Shell
import Signing
import Transactions

// Records of the audit log for people: with their hashes, or as rows with labels.

extension AuditRecord {
    /// One line with public keys and hashes.
    /// - Parameter names: the names of chains that the vault has now.
    func text(_ names: ChainNames) -> String {
        "\(sequence) \(Clock.text(time)) \(event.text(names))\(request)"
    }

    private var request: String {
        requester.map { ", requested by \(Printable.line($0.program)) of user \($0.uid)" } ?? ""
    }

    /// A row: number, time, event, label, and what happened.
    /// - Parameters:
    ///   - labels: the labels that the keys have in the vault now.
    ///   - names: the names of chains that the vault has now.
    func row(_ labels: [EntryName: String], _ names: ChainNames) -> String {
        let number = String(repeating: " ", count: max(0, 5 - "\(sequence)".count)) + "\(sequence)"
        let label = event.key.map { labels[$0].map(Self.shown) ?? "…" + $0.text.suffix(8) } ?? ""
        let details = event.details(names) + request
        return "\(number)  \(Clock.text(time))  "
            + "\(event.code.padded(to: 8))  \(label.padded(to: 10))  \(details)".trimmingEnd
    }

    /// A label with several spaces would look like further columns.
    private static func shown(_ label: String) -> String {
        label.contains("  ") ? QuotedText.quoted(label) : label
    }

    /// The columns before the event, where wrapped rows continue.
    static let indent = 28
}

extension String {
    /// Without the spaces at the end.
    fileprivate var trimmingEnd: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}

extension AuditEvent {
    /// A sentence with public keys and hashes.
    fileprivate func text(_ names: ChainNames) -> String {
        switch self {
        case .made: "made the vault"
        case .created(let key): "created \(key)"
        case .imported(let key): "imported \(key)"
        case .signed(let key, let chain, let transaction, _):
            "signed transaction \(Hex.encode(transaction)) on \(names.short(chain)) with \(key)"
        case .exported(let key): "exported \(key)"
        case .removed(let key): "removed \(key)"
        case .renamed(let key, _, _): "renamed \(key) \(details(names))"
        case .rotated(let key): "replaced the secret of \(key)"
        case .requestSigned(let key, let request): "signed \(request.text) with \(key) (\(request.profile))"
        case .slotAdded: "added \(details(names))"
        case .slotRemoved: "removed \(details(names))"
        case .slotChanged: "changed \(details(names))"
        case .rekeyed: "made a new master key"
        case .failedUnlocks(let count, _, _):
            "\(Words.count(count, "failed unlock")), \(span) (from an unauthenticated counter)"
        case .backedUp: "backed up \(details(names))"
        case .restored: "restored from a backup of \(details(names))"
        case .rescued: "rescued \(details(names)) from a damaged vault"
        case .abiPinned(let contract, let hash):
            "pinned the ABI \(Hex.encode(hash)) of \(contract.text(names))"
        case .abiUnpinned(let contract, let hash):
            "unpinned the ABI \(Hex.encode(hash)) of \(contract.text(names))"
        case .archived(let first, let last, let hash):
            "moved \(Words.records(first, last)) to the archive \(Hex.encode(hash))"
        case .policySet(let subject, let hash): "set the policy \(Hex.encode(hash)) of \(subject.words)"
        case .policyRemoved(let subject, let hash):
            "removed the policy \(Hex.encode(hash)) of \(subject.words)"
        case .policyRefusals(let refusals): "a policy refused \(refusals.text)"
        case .clockCorrected:
            "recorded that the clock was ahead; the record before this one was made at \(details(names))"
        case .chainNamed(let chain, let name): "named the chain \(Hex.encode(chain)) \(name.text)"
        case .chainUnnamed(let chain, let name):
            "removed the name \(name.text) of the chain \(Hex.encode(chain))"
        case .digestSigned(let key, let digest): "signed the digest \(Hex.encode(digest)) with \(key)"
        case .other(let kind): "an event that this version does not support (kind \(kind))"
        }
    }

    /// What a row states after the event and the label.
    fileprivate func details(_ names: ChainNames) -> String {
        switch self {
        case .made, .created, .imported, .exported, .removed, .rotated, .rekeyed: ""
        case .signed(_, let chain, let transaction, let actions):
            "\(actions.text), on \(names.brief(chain)), \(Hex.brief(transaction))"
        case .renamed(_, let from, let to): "from \(Self.text(of: from)) to \(Self.text(of: to))"
        case .requestSigned(_, let request): request.text
        case .slotAdded(let slot, let kind), .slotRemoved(let slot, let kind),
            .slotChanged(let slot, let kind):
            "slot \(slot): \(kind.words)"
        case .failedUnlocks(let count, _, _): "\(count), \(span)"
        case .backedUp(let generation), .restored(let generation): "generation \(generation)"
        case .rescued(let count): Words.count(count, "entry", "entries")
        case .abiPinned(let contract, let hash), .abiUnpinned(let contract, let hash):
            "\(contract.account) on \(names.brief(contract.chain)), \(Hex.brief(hash))"
        case .archived(let first, let last, let hash):
            "\(Words.records(first, last)), \(Hex.brief(hash))"
        case .policySet(.allKeys, let hash), .policyRemoved(.allKeys, let hash):
            "all keys, \(Hex.brief(hash))"
        case .policySet(_, let hash), .policyRemoved(_, let hash): Hex.brief(hash)
        case .policyRefusals(let refusals): refusals.text
        case .clockCorrected(let last): Clock.text(last)
        case .chainNamed(let chain, let name), .chainUnnamed(let chain, let name):
            "\(name.text), \(Hex.encode(chain))"
        case .digestSigned(_, let digest): Hex.encode(digest)
        case .other: "not supported by this version"
        }
    }

    /// The times of failed unlocks.
    private var span: String {
        guard case .failedUnlocks(_, let first, let last) = self else { return "" }
        return "from \(Clock.text(first)) to \(Clock.text(last))"
    }

    private static func text(of label: Label?) -> String { label.map { "`\($0.text)`" } ?? "no label" }
}

extension ContractAddress {
    fileprivate func text(_ names: ChainNames) -> String { "\(account) on \(names.short(chain))" }
}

extension RequestRecord {
    fileprivate var text: String { "\(method) \(host)\(path)\(isPathWhole ? "" : "…")" }
}

extension SignedActions {
    /// The most payments and kinds of actions of a row.
    private static let shownCount = 3

    /// The payments; for a transaction without one, its actions.
    fileprivate var text: String {
        let all = payments.isEmpty ? counts.map(\.text) : payments.map(\.text)
        let more = all.count - Self.shownCount + Int(payments.isEmpty ? otherCount : otherPaymentCount)
        let shown = all.prefix(Self.shownCount).joined(separator: "; ")
        return shown + (more > 0 ? "; and \(Amount.text(more)) more" : "")
    }
}

extension SignedActions.Count {
    /// A login is an action without a contract.
    fileprivate var text: String { kind.contract == 0 ? "login" : "\(count) × \(kind.text)" }
}

extension SignedPayment {
    /// `alice pays 1.0000 EOS to bob, "invoice 7"`
    fileprivate var text: String {
        let action = Payment.Kind(rawValue: kind)
        let sentence =
            "\(payer.text) \(action?.verb ?? kind) \(quantity.text) \(action?.preposition ?? "for") \(recipient.text)"
        return sentence + (memo.isEmpty ? "" : ", \(QuotedText.quoted(memo))")
    }
}

extension StoredPolicy.Subject {
    var words: String {
        switch self {
        case .allKeys: "all keys"
        case .key(let name): name.text
        }
    }
}

extension PolicyRefusals {
    fileprivate var text: String {
        let (start, end) = (Clock.rfc3339(first), Clock.rfc3339(last))
        let kinds = sortedCounts.map { kind, count in
            "\(count) of \(kind.key.text): \(kind.code)" + (kind.part.isEmpty ? "" : " (\(kind.part))")
        }
        return (["\(Words.count(count, "request")), from \(start) to \(end)"] + kinds).joined(separator: "; ")
    }
}

extension Hex {
    /// The first 8 digits.
    static func brief(_ bytes: [UInt8]) -> String { encode(Array(bytes.prefix(4))) }
}
