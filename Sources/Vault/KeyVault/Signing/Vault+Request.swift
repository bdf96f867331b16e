import Keys
import Signing
import Transactions

// What a review shows of a vault that stays locked. Anyone who can write the file can change it, so
// the vault compares it with its verified rows when it signs.

extension Vault {
    /// The ABIs that the vault pins for a chain.
    package func unverifiedPins(of chain: ChainID) throws(VaultError) -> [PinnedContractABI] {
        try unverifiedPinnedABIs(of: chain.bytes).map { abi throws(VaultError) in
            try PinnedContractABI(abi)
        }
    }

    /// All keys.
    package func unverifiedKeys() throws(VaultError) -> [KeyDescription] {
        try unverifiedStatuses().filter(\.entry.isKey).map { key throws(VaultError) in
            try KeyDescription(key)
        }
    }

    /// The keys that are to sign.
    /// - Parameters:
    ///   - texts: public keys or labels; empty for the only key of the vault.
    ///   - all: the keys of the vault; not needed if `texts` names keys.
    package func unverifiedChoice(
        of texts: [String], among all: [KeyDescription]
    ) throws(ChoiceError) -> [ChosenKey] {
        guard texts.isEmpty else {
            return try texts.map { text throws(ChoiceError) in
                let key: KeyDescription?
                do throws(VaultError) { key = try unverifiedStatus(of: text).map(KeyDescription.init) } catch
                {
                    throw .vault(error)
                }
                guard let key else { throw .unknown(text) }
                return ChosenKey(key, choice: (try? PublicKey(text)) == nil ? .label(text) : .publicKey)
            }
        }
        guard let only = all.first else { throw .none }
        guard all.count == 1 else { throw .several }
        return [ChosenKey(only, choice: .only)]
    }

    /// Why there is no choice of keys.
    package enum ChoiceError: Error {
        case unknown(String)
        case none
        case several
        case vault(VaultError)
    }

    /// The vault's history of the payments of a review.
    /// - Parameter keys: the keys that are to sign.
    package func unverifiedHistory(
        of review: Review, signedBy keys: [PublicKey]
    ) throws(VaultError) -> PaymentHistory? {
        try review.lookedUpSubject(signedBy: keys).map { subject throws(VaultError) in
            try unverifiedHistory(of: subject)
        }
    }

    /// Adds to a review what the file states: the name of its chain, and the history of its
    /// payments.
    /// - Parameter isShown: false if nobody sees the review: the vault reads the history when it
    ///   signs.
    package func complete(
        _ review: inout Review, signedBy keys: [ChosenKey], _ names: ChainNames, isShown: Bool = true
    ) throws(VaultError) {
        review.chainName = review.chain.flatMap(names.givenName(of:))
        if isShown { review.history = try unverifiedHistory(of: review, signedBy: keys.map(\.publicKey)) }
    }
}
