import ABICodec
import Keys
import Signing
import Transactions

/// The fingerprints by which the payment history finds what concerns a transaction.
struct HistoryLookup {
    private let payers: [PaymentHistory.Payer: Fingerprint]
    private let recipients: [PaymentHistory.Recipient: Fingerprint]
    let actions: Fingerprint

    /// The most signatures of the same actions that are looked up.
    static let maximumSignatureCount = 16

    init(_ subject: PaymentHistory.Subject) {
        let chain = subject.chain.bytes
        recipients = subject.recipients.reduce(into: [:]) { found, recipient in
            found[recipient] = Fingerprint(
                of: chain + "\(recipient.contract.text):\(recipient.account.text)".utf8)
        }
        // No contract has a space in its name.
        payers = subject.payers.reduce(into: [:]) { found, payer in
            found[payer] = Fingerprint(of: chain + "by \(payer.key.text) \(payer.account.text)".utf8)
        }
        actions = Fingerprint(of: chain + subject.actions)
    }

    /// The records that a signature of the subject may add.
    func records(of signature: PaymentHistory.Signature, at time: Int64) -> [HistoryRow.Record] {
        let time = UInt32(clamping: time)
        let payers = payers.filter { $0.key.key == signature.key }
        let payments = (Array(recipients.values) + payers.values).map {
            HistoryRow.Record(fingerprint: $0, time: time, signature: nil)
        }
        return payments + [HistoryRow.Record(fingerprint: actions, time: time, signature: signature)]
    }

    /// The sequences of rows that have what the vault remembers.
    var sequences: Set<HistoryRow.Sequence> {
        let fingerprints = Array(recipients.values) + payers.values
        var sequences = Set(fingerprints.map { HistoryRow.Sequence(kind: .paid, byte: $0.first) })
        sequences.insert(HistoryRow.Sequence(kind: .signed, byte: actions.first))
        return sequences
    }

    /// Adds the recipients and payers whose fingerprints are in the history.
    func addPaid(to history: inout PaymentHistory, where isPaid: (Fingerprint) -> Bool) {
        for (recipient, fingerprint) in recipients where isPaid(fingerprint) {
            history.paid.insert(recipient)
        }
        for (payer, fingerprint) in payers where isPaid(fingerprint) { history.payers.insert(payer) }
    }

    /// Adds what a row has of the subject. The rows of a sequence come in their order.
    func add(_ row: HistoryRow, to history: inout PaymentHistory) {
        guard row.sequence.kind == .signed else {
            return addPaid(to: &history, where: row.contains)
        }
        let found = row.signatures(of: actions, atMost: Self.maximumSignatureCount)
        history.signatures = (history.signatures + found).suffix(Self.maximumSignatureCount)
    }
}

extension HistoryLookup {
    /// Adds what the rows of a sequence have of the subject.
    func add(_ sequence: HistoryRows, to history: inout PaymentHistory) {
        guard sequence.sequence.kind == .signed else {
            for row in sequence.rows { add(row, to: &history) }
            return
        }
        // Only the newest few are kept, and a sequence may have thousands.
        var found: [PaymentHistory.Signature] = []
        for row in sequence.rows.reversed() where found.count < Self.maximumSignatureCount {
            found = row.signatures(of: actions, atMost: Self.maximumSignatureCount - found.count) + found
        }
        history.signatures = (history.signatures + found).suffix(Self.maximumSignatureCount)
    }
}

extension HistoryRow.Record {
    var sequence: HistoryRow.Sequence {
        HistoryRow.Sequence(kind: signature == nil ? .paid : .signed, byte: fingerprint.first)
    }
}
