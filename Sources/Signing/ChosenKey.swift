import Curves

/// A key that is to sign, as the store described it before the review, and how it was chosen. When
/// the store is unlocked, the choice is repeated among its verified keys.
public struct ChosenKey: Sendable {
    public enum Choice: Equatable, Sendable {
        /// By its public key.
        case publicKey
        case label(String)
        /// The store has only one key, and the user named none.
        case only
    }

    public let description: KeyDescription
    public let choice: Choice

    public var publicKey: PublicKey { description.publicKey }

    public init(_ description: KeyDescription, choice: Choice) {
        self.description = description
        self.choice = choice
    }
}
