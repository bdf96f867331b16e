import KeyVault
import Keys
import Shell
import Signing
import Transactions

// What is signed, with what the vault's file states. The vault compares it with its verified rows
// when it signs.

extension LockedVault {
    /// The keys that public keys or labels name, or the only key of the vault. They are read
    /// unverified from the file; the vault verifies them when it signs.
    /// - Parameter all: the keys of the vault; not needed if `texts` names keys.
    package func chosenKeys(_ texts: [String], among all: [KeyDescription]) throws -> [ChosenKey] {
        do throws(Vault.ChoiceError) { return try vault.unverifiedChoice(of: texts, among: all) } catch {
            switch error {
            case .unknown(let text): throw KeyArgument.unknown(text, place: "--key", vault: name)
            case .none: throw CommandError.noKey(vault: name)
            case .several: throw CommandError.severalKeys(all.map(\.shortText))
            case .vault(let error): throw Placed(place: name, error: error)
            }
        }
    }

    /// The request to sign a reviewed transaction. The review gets the history of its payments, and
    /// the name of its chain.
    /// - Parameters:
    ///   - own: the keys of the vault.
    ///   - isShown: false if nobody sees the review: the vault reads the history when it signs.
    package func request(
        _ review: Review, signedBy keys: [ChosenKey], own: @autoclosure () -> OwnKeys, _ names: ChainNames,
        isShown: Bool = true
    ) throws -> SigningRequest {
        var review = review
        try placed(at: name) { try vault.complete(&review, signedBy: keys, names, isShown: isShown) }
        return try SigningRequest(review, keys: keys, own: review.comparesKeys ? own() : nil)
    }
}

extension KeyDescription {
    /// The public key, and the label if there is one.
    fileprivate var shortText: String { publicKey.text + (label.map { " (\($0))" } ?? "") }
}
