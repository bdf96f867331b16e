import ABICodec
import Keys
import Transactions

/// A store's history of earlier signatures that concern one transaction: which of its recipients
/// were paid before, and which signatures were made for the same actions.
///
/// It is verified unless the name of the function that returned it contains `unverified`.
package struct PaymentHistory: Equatable, Sendable {
    /// The recipients that were paid before. An absent one was never paid, or so long ago that its
    /// record was removed.
    package var paid: Set<Recipient>
    /// The payers for which a key signed before.
    package var payers: Set<Payer> = []
    /// The newest signatures of the same actions for the same chain, the oldest first.
    package var signatures: [Signature]

    package init(paid: Set<Recipient> = [], signatures: [Signature] = []) {
        (self.paid, self.signatures) = (paid, signatures)
    }

    /// An account that a token contract pays.
    package struct Recipient: Hashable, Sendable {
        package let contract: Name
        package let account: Name

        package init(contract: Name, account: Name) { (self.contract, self.account) = (contract, account) }
    }

    /// An account for which a key signs payments.
    package struct Payer: Hashable, Sendable {
        package let key: PublicKey
        package let account: Name

        package init(key: PublicKey, account: Name) { (self.key, self.account) = (key, account) }
    }

    /// A signature that was released.
    package struct Signature: Equatable, Sendable {
        package let key: PublicKey
        /// The transaction id: 32 bytes, or the first 16 in a ``PaymentMemory``.
        package let transaction: [UInt8]
        /// When the transaction expires, in seconds since 1970.
        package let expiration: UInt32

        package init(key: PublicKey, transaction: [UInt8], expiration: UInt32) {
            (self.key, self.transaction, self.expiration) = (key, transaction, expiration)
        }

        /// True if the signature is of the transaction with this id.
        package func isFor(_ id: [UInt8]) -> Bool { id.starts(with: transaction) }
    }

    /// The data that is looked up for a transaction, and written with its signature.
    package struct Subject: Sendable {
        package let chain: ChainID
        /// The SHA-256 of the actions, without the transaction's header: two transactions with the
        /// same actions and other headers do the same twice.
        package let actions: [UInt8]
        /// The recipients that the actions pay.
        package let recipients: Set<Recipient>
        package let payers: Set<Payer>

        package init(chain: ChainID, actions: [UInt8], recipients: Set<Recipient>, payers: Set<Payer> = []) {
            (self.chain, self.actions, self.recipients, self.payers) = (chain, actions, recipients, payers)
        }
    }
}

/// The whole payment history of a store in memory. Signing many transactions looks up each of them.
package protocol PaymentMemory: Sendable {
    /// How many signatures of the store the history has.
    var storedCount: Int { get }
    /// The time since which the history has each signature, in seconds since 1970; nil if nothing
    /// was removed from it.
    var completeSince: Int64? { get }

    /// The store's history of a transaction.
    func history(of subject: PaymentHistory.Subject) -> PaymentHistory

    /// Adds a signature that is released.
    /// - Parameter time: seconds since 1970.
    mutating func add(
        _ signature: PaymentHistory.Signature, of subject: PaymentHistory.Subject, at time: Int64)

    /// Forgets which records were added: they are not written.
    mutating func dropChanges()
}

/// The memory of a store that remembers nothing.
package struct NoPayments: PaymentMemory {
    package init() {}

    package var storedCount: Int { 0 }
    package var completeSince: Int64? { nil }
    package func history(of subject: PaymentHistory.Subject) -> PaymentHistory { PaymentHistory() }
    package func add(
        _ signature: PaymentHistory.Signature, of subject: PaymentHistory.Subject, at time: Int64
    ) {}
    package func dropChanges() {}
}
