import ABICodec
import Codecs
import Keys
import Transactions

extension Review {
    /// The data that a vault remembers with a signature: the recipients of the transfers, and the
    /// actions. nil without a chain. A nested transaction is another one: its payments are not made
    /// yet.
    ///
    /// It is computed, because a review without a vault does not need it.
    /// - Parameter keys: the keys that sign. The payers for which they sign are remembered.
    package func historySubject(signedBy keys: [PublicKey]) -> PaymentHistory.Subject? {
        subject(signedBy: keys) { $0 == .direct }
    }

    /// The data that a vault looks up for the transaction, including the recipients and payers in
    /// nested transactions.
    package func lookedUpSubject(signedBy keys: [PublicKey]) -> PaymentHistory.Subject? {
        subject(signedBy: keys) { _ in true }
    }

    private func subject(signedBy keys: [PublicKey], _ includes: (Execution) -> Bool) -> PaymentHistory
        .Subject?
    {
        // No chain runs actions of the empty name: a login can be repeated.
        guard let chain, transaction.transaction.actions.contains(where: { $0.account.rawValue != 0 }) else {
            return nil
        }
        var (recipients, payers) = (Set<PaymentHistory.Recipient>(), Set<PaymentHistory.Payer>())
        for (payment, execution, _) in executed.payments where includes(execution) {
            if payment.isSent, let recipient = Self.recipient(of: payment.recipient, by: payment.contract) {
                recipients.insert(recipient)
            }
            guard payment.isAuthorized else { continue }
            for key in keys { payers.insert(PaymentHistory.Payer(key: key, account: payment.payer)) }
        }
        return PaymentHistory.Subject(
            chain: chain, actions: actionsHash.value { transaction.transaction.actionsHash },
            recipients: recipients, payers: payers)
    }

    /// nil for the empty name, which no account has.
    private static func recipient(of account: Name, by contract: Name) -> PaymentHistory.Recipient? {
        guard account.rawValue != 0, contract.rawValue != 0 else { return nil }
        return PaymentHistory.Recipient(contract: contract, account: account)
    }

    /// True if the vault made no signature for a transfer of this contract's tokens to this
    /// account. false if no vault was asked.
    package func isFirstTransfer(to account: Name, by contract: Name) -> Bool {
        guard let history, let recipient = Self.recipient(of: account, by: contract) else { return false }
        return !history.paid.contains(recipient)
    }

    /// The payers for which the keys signed before: offline, nothing else shows whose account an
    /// account is.
    var knownPayers: Set<Name> { Set((history?.payers ?? []).map(\.account)) }

    /// True if a payment is the first transfer to its recipient.
    func isFirst(_ payment: Payment) -> Bool {
        payment.isSent && isFirstTransfer(to: payment.recipient, by: payment.contract)
    }

    /// The other transactions with the same actions that the vault signed and that can still run,
    /// each once.
    /// - Parameter now: Seconds since 1970.
    func liveVariants(now: Int64) -> [PaymentHistory.Signature] {
        guard let history, !history.signatures.isEmpty else { return [] }
        let own = transaction.idBytes
        var seen: [[UInt8]] = []
        return history.signatures.filter { signature in
            guard Int64(signature.expiration) > now, !signature.isFor(own),
                !seen.contains(signature.transaction)
            else { return false }
            seen.append(signature.transaction)
            return true
        }
    }

    /// - Parameter verified: The vault's verified history.
    /// - Throws: `historyChangedSinceReview` if a recipient that the review showed as paid before
    ///   never was, or if there are other signatures of another transaction with these actions.
    func expectHistory(_ verified: PaymentHistory) throws(SigningError) {
        guard let history else { return }
        // Another process may pay the same recipient meanwhile. Then the review said "first time",
        // which was true when it was shown.
        let own = transaction.idBytes
        guard history.paid.isSubset(of: verified.paid), history.payers.isSubset(of: verified.payers),
            history.signatures.filter({ !$0.isFor(own) }) == verified.signatures.filter({ !$0.isFor(own) })
        else { throw .historyChangedSinceReview }
    }
}

extension Payment {
    /// True if the recipient is an account that gets tokens: of a transfer, or of an exchange for
    /// someone else.
    fileprivate var isSent: Bool { kind == .transfer || kind == .exchange && recipient != payer }
}
