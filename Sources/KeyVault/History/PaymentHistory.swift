/// What the vault remembers of earlier signatures that concerns one transaction: which of its
/// recipients were paid before, and which signatures were made for the same actions.
///
/// It is verified unless the name of the function that returned it contains `unverified`.
package struct PaymentHistory: Equatable, Sendable {
    /// When each recipient that was paid before was paid last, in seconds since 1970. An absent
    /// recipient was never paid, or so long ago that its row was removed.
    package internal(set) var lastPayments: [Recipient: Int64]
    /// The newest signatures of the same actions for the same chain, the oldest first.
    package internal(set) var signatures: [Signature]

    package init(lastPayments: [Recipient: Int64] = [:], signatures: [Signature] = []) {
        self.lastPayments = lastPayments
        self.signatures = signatures
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

    /// A signature that was released.
    package struct Signature: Equatable, Sendable {
        package let key: EntryName
        /// The transaction id, 32 bytes.
        package let transaction: [UInt8]
        /// When the transaction expires, in seconds since 1970.
        package let expiration: UInt32

        package init(key: EntryName, transaction: [UInt8], expiration: UInt32) {
            self.key = key
            self.transaction = transaction
            self.expiration = expiration
        }
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
        /// The names of the rows of the recipients, and of the row of the actions.
        let recipientNames: [String: Recipient]
        let actionsName: String

        var rowNames: [String] { recipientNames.keys + [actionsName] }

        /// - Returns: nil unless the chain id and the hash have 32 bytes, and each recipient is of
        ///   this chain.
        package init?(chain: [UInt8], actions: [UInt8], recipients: Set<Recipient>) {
            guard chain.count == ContractAddress.chainIDCount, actions.count == AuditEvent.hashCount,
                recipients.allSatisfy({ $0.contract.chain == chain })
            else { return nil }
            self.chain = chain
            self.actions = actions
            self.recipients = recipients
            recipientNames = recipients.reduce(into: [:]) { $0[HistoryRow.name(of: $1)] = $1 }
            actionsName = HistoryRow.name(ofActions: actions, chain)
        }
    }
}

extension PaymentHistory {
    mutating func add(_ row: HistoryRow) {
        switch row.content {
        case .payment(let recipient, let time): lastPayments[recipient] = time
        case .signatures(_, _, let signatures): self.signatures = signatures
        }
    }
}
