import Codecs
import Keys
import Signing

/// The whole payment history of a vault in memory, in some 60 bytes for each signature. Signing
/// many transactions looks up each of them here and writes all changes at once.
package struct PaymentLedger: PaymentMemory {
    private var signatures = PiecewiseArray<Entry>()
    /// The index of the newest signature of each fingerprint.
    private var newest = IndexTable()
    /// The hashes of the fingerprints of the recipients that were paid.
    private var paid = PiecewiseArray<UInt64>()
    private var paidTable = IndexTable()
    /// The keys of the signatures.
    private var keys: [PublicKey] = []
    /// The records that were added since the last `takeChanges`.
    private var changes: [HistoryRow.Sequence: [HistoryRow.Record]] = [:]
    private var sequences: Set<HistoryRow.Sequence> = []
    /// The generation of the vault that has these rows, if they were verified.
    var generation: Int64?
    package private(set) var storedCount = 0
    package private(set) var completeSince: Int64?

    /// A signature. Its transaction is known by the first half of its id.
    private struct Entry: Sendable {
        let hash, high, low: UInt64
        let expiration: UInt32
        /// The index of the key.
        let key: UInt32
        /// The index of the signature before it with the same fingerprint, and 1; 0 for none.
        let previous: UInt32
    }

    package init() {}

    /// Adds a row of the vault. The rows of a sequence come in their order.
    mutating func load(_ row: HistoryRow) {
        if row.sequence.kind == .signed {
            storedCount += row.records.count
            // Earlier rows of the sequence were removed.
            if sequences.insert(row.sequence).inserted, row.number > 0 {
                completeSince = max(completeSince ?? 0, row.oldest)
            }
        }
        for record in row.records { add(record) }
    }

    package func history(of subject: PaymentHistory.Subject) -> PaymentHistory {
        let lookup = HistoryLookup(subject)
        var history = PaymentHistory(signatures: signatures(of: lookup.actions))
        lookup.addPaid(to: &history, where: isPaid)
        return history
    }

    package mutating func add(
        _ signature: PaymentHistory.Signature, of subject: PaymentHistory.Subject, at time: Int64
    ) {
        for record in HistoryLookup(subject).records(of: signature, at: time) where !contains(record) {
            add(record)
            changes[record.sequence, default: []].append(record)
        }
    }

    /// The records that were added since the last call.
    mutating func takeChanges() -> [HistoryRow.Sequence: [HistoryRow.Record]] {
        defer { changes = [:] }
        return changes
    }

    package mutating func dropChanges() { changes = [:] }

    // MARK: looking up

    private func contains(_ record: HistoryRow.Record) -> Bool {
        guard let signature = record.signature else { return isPaid(record.fingerprint) }
        return signatures(of: record.fingerprint).contains {
            $0.key == signature.key && $0.isFor(signature.transaction)
        }
    }

    private func isPaid(_ fingerprint: Fingerprint) -> Bool {
        let hash = hash(fingerprint)
        return paidTable.find(hash) { paid[$0] == hash } != nil
    }

    /// The newest signatures of the same actions, the oldest first.
    private func signatures(of fingerprint: Fingerprint) -> [PaymentHistory.Signature] {
        let hash = hash(fingerprint)
        var next = newest.find(hash) { signatures[$0].hash == hash }
        var found: [PaymentHistory.Signature] = []
        while let index = next, found.count < HistoryLookup.maximumSignatureCount {
            let entry = signatures[index]
            found.append(
                PaymentHistory.Signature(
                    key: keys[Int(entry.key)],
                    transaction: entry.high.bigEndianBytes + entry.low.bigEndianBytes,
                    expiration: entry.expiration))
            next = entry.previous == 0 ? nil : Int(entry.previous) - 1
        }
        return found.reversed()
    }

    private func hash(_ fingerprint: Fingerprint) -> UInt64 { newest.hash { $0.combine(fingerprint) } }

    // MARK: adding

    private mutating func add(_ record: HistoryRow.Record) {
        let hash = hash(record.fingerprint)
        guard let signature = record.signature else {
            guard paidTable.find(hash, where: { paid[$0] == hash }) == nil else { return }
            paid.append(hash)
            return paidTable.add(paid.count - 1) { paid[$0] }
        }
        let previous = newest.find(hash) { signatures[$0].hash == hash }
        let id = signature.transaction
        signatures.append(
            Entry(
                hash: hash, high: id.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
                low: id.dropFirst(8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
                expiration: signature.expiration,
                key: UInt32(truncatingIfNeeded: index(of: signature.key)),
                previous: previous.map { UInt32(truncatingIfNeeded: $0 + 1) } ?? 0))
        let index = signatures.count - 1
        if let previous {
            newest.replace(previous, by: index, hash: hash)
        } else {
            newest.add(index) { signatures[$0].hash }
        }
    }

    private mutating func index(of key: PublicKey) -> Int {
        if let index = keys.firstIndex(of: key) { return index }
        keys.append(key)
        return keys.count - 1
    }
}
