import Codecs

/// A row of the table `counters`: the last payment to a recipient, or the signatures of the same
/// actions (VaultFormat.md, "The payment history").
package struct HistoryRow: TableRow, Equatable, Sendable {
    static let table = VaultTable.counters
    /// The most rows of a bucket: 99,840 in all. Beyond it, the oldest row of the bucket is
    /// removed. So a signature reads and verifies only the buckets that it needs.
    static let maximumCountInBucket = 390
    /// The most signatures in a row. The oldest are dropped.
    static let maximumSignatureCount = 16
    private static let version: UInt8 = 1

    enum Content: Equatable, Sendable {
        /// - Parameter at: seconds since 1970.
        case payment(PaymentHistory.Recipient, at: Int64)
        case signatures(chain: [UInt8], actions: [UInt8], [PaymentHistory.Signature])
    }

    let content: Content
    /// The vault's generation in which the row was written. It orders the rows by their age,
    /// whatever a clock showed.
    let generation: Int64

    package let name: String

    static func name(of recipient: PaymentHistory.Recipient) -> String {
        "paid:\(recipient.contract.rowName):\(recipient.account)"
    }

    static func name(ofActions actions: [UInt8], _ chain: [UInt8]) -> String {
        "signed:\(Hex.encode(chain)):\(Hex.encode(actions))"
    }

    package var value: [UInt8] {
        var writer = ByteWriter()
        writer.write(byte: Self.version)
        writer.write(integer: generation)
        switch content {
        case .payment(_, let time): writer.write(integer: time)
        case .signatures(_, _, let signatures):
            writer.write(byte: UInt8(truncatingIfNeeded: signatures.count))
            for signature in signatures {
                writer.write(name: signature.key)
                writer.write(bytes: signature.transaction)
                writer.write(integer: signature.expiration)
            }
        }
        return writer.bytes
    }
}

extension HistoryRow {
    // MARK: reading

    /// - Returns: nil for a row with another name, which this version does not interpret.
    /// - Throws: `damaged(.row(.counters))` for a value that no writer of this version produces.
    package static func read(name: String, value: [UInt8]) throws(VaultError) -> HistoryRow? {
        guard let subject = Subject(name: name) else { return nil }
        do {
            return try ByteReader.readStored(value, version: version) { reader throws(AuditEvent.BodyError) in
                try HistoryRow(of: subject, named: name, from: &reader)
            }
        } catch { throw .damaged(.counters) }
    }

    /// Reads a row of `columns`; nil for a row with another name.
    static func read(_ row: borrowing SQLiteRow) throws(VaultError) -> HistoryRow? {
        guard let name = row.text(1), let value = row.blob(2) else { throw .integrity(.damaged(.row(.counters))) }
        return try read(name: name, value: value)
    }

    /// What the name of a row states.
    private enum Subject {
        case payment(PaymentHistory.Recipient)
        case signatures(chain: [UInt8], actions: [UInt8])

        init?(name: String) {
            let parts = name.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            if parts.count == 4, let contract = ContractAddress(rowName: "\(parts[1]):\(parts[2])"),
                let recipient = PaymentHistory.Recipient(contract: contract, account: parts[3]),
                HistoryRow.name(of: recipient).utf8.elementsEqual(name.utf8)
            {
                self = .payment(recipient)
            } else if parts.count == 3, let chain = try? Hex.decode(parts[1]), let actions = try? Hex.decode(parts[2]),
                chain.count == ContractAddress.chainIDCount, actions.count == AuditEvent.hashCount,
                HistoryRow.name(ofActions: actions, chain).utf8.elementsEqual(name.utf8)
            {
                self = .signatures(chain: chain, actions: actions)
            } else {
                return nil
            }
        }
    }

    private init(of subject: Subject, named name: String, from reader: inout ByteReader) throws(AuditEvent.BodyError) {
        (self.name, generation) = (name, try reader.readCount())
        switch subject {
        case .payment(let recipient): content = .payment(recipient, at: try reader.readTime())
        case .signatures(let chain, let actions):
            let count: UInt8 = try reader.read()
            guard (1...Self.maximumSignatureCount).contains(Int(count)) else { throw AuditEvent.BodyError() }
            let signatures = try (0..<count).map { _ throws(AuditEvent.BodyError) in
                PaymentHistory.Signature(
                    key: try reader.readName(), transaction: try reader.readHash(), expiration: try reader.read())
            }
            content = .signatures(chain: chain, actions: actions, signatures)
        }
    }

    // MARK: writing

    /// The order in which rows are removed from a full bucket.
    func isOlder(than other: HistoryRow) -> Bool {
        generation != other.generation ? generation < other.generation : name < other.name
    }

    /// The rows that remember a signature.
    /// - Parameters:
    ///   - others: the signatures of the same actions that the vault remembers.
    ///   - time: seconds since 1970.
    static func rows(
        for signature: PaymentHistory.Signature, of subject: PaymentHistory.Subject,
        after others: [PaymentHistory.Signature], at time: Int64, generation: Int64
    ) -> [HistoryRow] {
        let others = others.filter { $0.key != signature.key || $0.transaction != signature.transaction }
        let signatures = Array(others.suffix(maximumSignatureCount - 1)) + [signature]
        let payments = subject.recipientNames.map { name, recipient in
            HistoryRow(content: .payment(recipient, at: time), generation: generation, name: name)
        }
        let content = Content.signatures(chain: subject.chain, actions: subject.actions, signatures)
        return payments + [HistoryRow(content: content, generation: generation, name: subject.actionsName)]
    }

    var rowName: String { name }
    var values: [SQLiteValue] { [.blob(value)] }
}
