import Keys

/// A key that is to sign, as the store described it before the review, and how it was chosen. When
/// the store is unlocked, the choice is repeated among its verified keys.
package struct ChosenKey: Equatable, Sendable {
    package enum Choice: Equatable, Sendable {
        /// By its public key.
        case publicKey
        case label(String)
        /// The store has only one key, and the user gave none.
        case only
    }

    package let description: KeyDescription
    package let choice: Choice

    package var publicKey: PublicKey { description.publicKey }

    package init(_ description: KeyDescription, choice: Choice) {
        self.description = description
        self.choice = choice
    }

    /// The store's verified key, if the store describes it as the review did.
    /// - Throws: `changedSinceReview`, `keyAddedMeanwhile`, errors of the store.
    func verified<Signer: DigestSigner & ~Copyable>(
        by signer: inout Signer
    ) throws(SigningError) -> Signer.VerifiedKey {
        let key = try signer.verifiedKey(self)
        guard try signer.description(of: key) == description else {
            throw .changedSinceReview(name: publicKey.text)
        }
        return key
    }
}
