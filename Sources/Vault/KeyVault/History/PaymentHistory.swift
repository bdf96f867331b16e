/// What the vault remembers of earlier signatures that concerns one transaction: which of its
/// recipients were paid before, and which signatures were made for the same actions.
///
/// It is verified unless the name of the function that returned it contains `unverified`.
package struct PaymentHistory: Equatable, Sendable {
    /// The recipients that were paid before. An absent one was never paid, or so long ago that its
    /// record was removed.
    package internal(set) var paid: Set<Recipient>
    /// The payers for which a key signed before.
    package internal(set) var payers: Set<Payer> = []
    /// The newest signatures of the same actions for the same chain, the oldest first.
    package internal(set) var signatures: [Signature]

    /// The most signatures of the same actions that are looked up.
    static let maximumSignatureCount = 16

    package init(paid: Set<Recipient> = [], signatures: [Signature] = []) {
        (self.paid, self.signatures) = (paid, signatures)
    }

    /// An account that a token contract pays.
    package struct Recipient: Hashable, Sendable {
        package let contract: ContractAddress
        package let account: String

        /// - Returns: nil when the account is not a name that nodeos prints.
        package init?(contract: ContractAddress, account: String) {
            guard ContractAddress(chain: contract.chain, account: account) != nil else { return nil }
            self.contract = contract
            self.account = account
        }
    }

    /// An account for which a key signs payments.
    package struct Payer: Hashable, Sendable {
        package let key: EntryName
        package let account: String

        package init(key: EntryName, account: String) { (self.key, self.account) = (key, account) }
    }

    /// A signature that was released.
    package struct Signature: Equatable, Sendable {
        package let key: EntryName
        /// The transaction id: 32 bytes, or the first 16 in a `PaymentLedger`.
        package let transaction: [UInt8]
        /// When the transaction expires, in seconds since 1970.
        package let expiration: UInt32

        package init(key: EntryName, transaction: [UInt8], expiration: UInt32) {
            self.key = key
            self.transaction = transaction
            self.expiration = expiration
        }

        /// Whether the signature is of the transaction with this id.
        package func isFor(_ id: [UInt8]) -> Bool { id.starts(with: transaction) }
    }

    /// What is looked up for a transaction, and written with its signature.
    package struct Subject: Sendable {
        /// The chain id, 32 bytes.
        package let chain: [UInt8]
        /// The SHA-256 of the actions, without the transaction's header: two transactions with the
        /// same actions and other headers do the same twice.
        package let actions: [UInt8]
        /// Those that the actions pay.
        package let recipients: Set<Recipient>
        let recipientFingerprints: [Recipient: Fingerprint]
        let payerFingerprints: [Payer: Fingerprint]
        let actionsFingerprint: Fingerprint

        /// - Returns: nil unless the chain id and the hash have 32 bytes, and each recipient is of
        ///   this chain.
        package init?(chain: [UInt8], actions: [UInt8], recipients: Set<Recipient>, payers: Set<Payer> = []) {
            guard chain.count == ContractAddress.chainIDCount, actions.count == AuditEvent.hashCount,
                recipients.allSatisfy({ $0.contract.chain == chain })
            else { return nil }
            self.chain = chain
            self.actions = actions
            self.recipients = recipients
            recipientFingerprints = recipients.reduce(into: [:]) { $0[$1] = Fingerprint(of: $1.bytes) }
            payerFingerprints = payers.reduce(into: [:]) { $0[$1] = Fingerprint(of: chain + $1.bytes) }
            actionsFingerprint = Fingerprint(of: chain + actions)
        }

        /// The records that a signature of the subject may add.
        func records(of signature: Signature, at time: Int64) -> [HistoryRow.Record] {
            let time = UInt32(clamping: time)
            let payers = payerFingerprints.filter { $0.key.key == signature.key }
            let payments = (Array(recipientFingerprints.values) + payers.values).map {
                HistoryRow.Record(fingerprint: $0, time: time, signature: nil)
            }
            return payments + [HistoryRow.Record(fingerprint: actionsFingerprint, time: time, signature: signature)]
        }

        /// The sequences of rows that have what the vault remembers.
        var sequences: Set<HistoryRow.Sequence> {
            let fingerprints = Array(recipientFingerprints.values) + payerFingerprints.values
            var sequences = Set(fingerprints.map { HistoryRow.Sequence(kind: .paid, byte: $0.first) })
            sequences.insert(HistoryRow.Sequence(kind: .signed, byte: actionsFingerprint.first))
            return sequences
        }
    }
}

extension PaymentHistory.Recipient {
    /// What its fingerprint is of.
    fileprivate var bytes: [UInt8] { contract.chain + Array("\(contract.account):\(account)".utf8) }
}

extension PaymentHistory.Payer {
    /// What its fingerprint is of, after the chain id. No contract has a space in its name.
    fileprivate var bytes: [UInt8] { Array("by \(key.text) \(account)".utf8) }
}

extension HistoryRow.Record {
    var sequence: HistoryRow.Sequence {
        HistoryRow.Sequence(kind: signature == nil ? .paid : .signed, byte: fingerprint.first)
    }
}

extension PaymentHistory {
    /// Adds what a row has of a subject. The rows of a sequence come in their order.
    mutating func add(_ row: HistoryRow, of subject: Subject) {
        for (recipient, fingerprint) in subject.recipientFingerprints
        where row.sequence.kind == .paid && row.records.contains(where: { $0.fingerprint == fingerprint }) {
            paid.insert(recipient)
        }
        for (payer, fingerprint) in subject.payerFingerprints
        where row.sequence.kind == .paid && row.records.contains(where: { $0.fingerprint == fingerprint }) {
            payers.insert(payer)
        }
        guard row.sequence.kind == .signed else { return }
        for record in row.records where record.fingerprint == subject.actionsFingerprint {
            guard let signature = record.signature else { continue }
            signatures.append(signature)
        }
        signatures = signatures.suffix(Self.maximumSignatureCount)
    }
}
