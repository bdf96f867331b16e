import Codecs
import Keys
import Transactions

/// Who signed a transaction, and whether the permissions that it needs are met.
package struct TransactionSigners {
    package struct Signed: Sendable {
        package let signature: Signature
        package let signer: Signer
        /// True if an earlier signature has the same key. Chains refuse the transaction.
        package let isDuplicate: Bool
    }

    package let transaction: SignedTransaction
    package let chain: ChainID
    package let signatures: [Signed]
    /// The permissions that the transaction needs; nil if they were not checked.
    package private(set) var permissions: [CheckedPermission]?
    /// The keys that no permission needs. Chains refuse the transaction. Empty unless all
    /// permissions are met: before, the last signature is not known.
    package private(set) var unneededKeys: [PublicKey] = []

    /// - Throws: `tooManySignatures`, and `transaction` if the transaction states another chain.
    package init(of transaction: SignedTransaction, chain: ChainID) throws(SigningError) {
        try converting(SigningError.transaction, transaction.expectChain(chain))
        guard transaction.signatures.count <= Review.maximumSignatureCount else {
            throw .tooManySignatures(limit: Review.maximumSignatureCount)
        }
        var keys: Set<PublicKey> = []
        let signers = Signer.all(of: transaction, over: transaction.digest(for: chain))
        signatures = zip(transaction.signatures, signers).map { signature, signer in
            Signed(
                signature: signature, signer: signer,
                isDuplicate: signer.key.map { !keys.insert($0).inserted } ?? false)
        }
        (self.transaction, self.chain) = (transaction, chain)
    }

    /// The keys that signed, each once.
    package var keys: [PublicKey] { signatures.filter { !$0.isDuplicate }.compactMap(\.signer.key) }

    /// Compares the keys with the permissions of accounts, as nodes reported them.
    package mutating func check(_ accounts: [AccountPermissions]) throws(UnreadableAuthority) {
        var checker = AuthorityChecker(
            keys: Set(keys), delay: transaction.transaction.delaySec, accounts: accounts)
        var checked: [CheckedPermission] = []
        for level in transaction.transaction.permissions { checked.append(try checker.check(level)) }
        permissions = checked
        guard checked.allSatisfy({ $0.status == .met }) else { return }
        unneededKeys = keys.filter { !checker.usedKeys.contains($0) }
    }

    /// True if a chain with these permissions accepts the signatures; nil if they were not checked.
    /// nodeos requires an authorization, and none on a context-free action.
    package var isAccepted: Bool? {
        permissions.map { permissions in
            !permissions.isEmpty && permissions.allSatisfy { $0.status == .met } && unneededKeys.isEmpty
                && transaction.transaction.contextFreeActions.allSatisfy { $0.authorization.isEmpty }
                && signatures.allSatisfy { signed in
                    if case .key = signed.signer { !signed.isDuplicate } else { false }
                }
        }
    }
}
