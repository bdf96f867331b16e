import Curves

/// A key that is to sign, as the store described it before the review, and how it was chosen. When
/// the store is unlocked, the choice is repeated among its verified keys.
package struct ChosenKey: Sendable {
    package enum Choice: Equatable, Sendable {
        /// By its public key.
        case publicKey
        case label(String)
        /// The store has only one key, and the user named none.
        case only
    }

    package let description: KeyDescription
    package let choice: Choice

    package var publicKey: PublicKey { description.publicKey }

    package init(_ description: KeyDescription, choice: Choice) {
        self.description = description
        self.choice = choice
    }
}
