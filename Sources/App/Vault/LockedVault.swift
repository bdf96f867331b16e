import KeyVault
import Keys
import Policy
import Shell
import Signing
import Transactions

/// A vault that stays locked, for reviews. Its data is not verified: the vault compares it with its
/// verified rows when it signs.
package struct LockedVault {
    package let vault: Vault
    /// The name of the vault in errors.
    package let name: String

    /// Runs `body` on one snapshot of the file, so that a review does not mix two states of it.
    /// Other processes can't change the vault meanwhile: read the input before.
    package func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try vault.snapshot(body) } catch let error as VaultError {
            throw Placed(place: name, error: error)
        }
    }

    /// The ABIs that the vault pins for a chain.
    package func pins(of chain: ChainID) throws -> [PinnedContractABI] {
        try placed(at: name) { try vault.unverifiedPins(of: chain) }
    }

    /// All keys of the vault.
    package func keys() throws -> [KeyDescription] {
        try placed(at: name) { try vault.unverifiedKeys() }
    }

    /// The key that a public key or a label identifies; nil if the vault has no such key.
    package func key(_ text: String) throws -> KeyDescription? {
        try placed(at: name) { try vault.unverifiedStatus(of: text).map(KeyDescription.init) }
    }

    /// The vault's history of the payments of a review.
    /// - Parameter keys: the keys that are to sign.
    package func history(of review: Review, signedBy keys: [PublicKey] = []) throws -> PaymentHistory? {
        try placed(at: name) { try vault.unverifiedHistory(of: review, signedBy: keys) }
    }

    /// The policies of keys.
    /// - Parameters:
    ///   - candidate: a policy that is tried instead.
    ///   - known: a policy with the same text is not parsed again.
    ///   - readingUses: reads what the keys used of their limits, too.
    package func policies(
        of keys: [PublicKey], trying candidate: KeyPolicy? = nil, parsedIn known: PolicyLedger = .empty,
        readingUses: Bool = true
    ) throws -> PolicyLedger {
        try placed(at: name) {
            try vault.unverifiedPolicies(
                of: keys, at: Clock.now, trying: candidate, parsedIn: known, readingUses: readingUses)
        }
    }

    /// The whole payment history, for many transactions.
    package func ledger() throws -> PaymentLedger { try placed(at: name) { try vault.unverifiedLedger() } }
}

extension LockedVault? {
    /// Runs `body` on one snapshot of the vault, if there is one.
    func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
        try self.map { try $0.snapshot(body) } ?? body()
    }
}
