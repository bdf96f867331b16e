import Keys
import Transactions

/// The signer of one of the transaction's signatures.
package enum Signer: Equatable, Sendable {
    case key(PublicKey)
    /// The key is recovered, but today's chains refuse the signature: r or s is too high, or has a
    /// superfluous leading zero.
    case nonCanonical(PublicKey)
    /// No key can be recovered, for this reason.
    case unknown(CurveError)

    package var key: PublicKey? {
        switch self {
        case .key(let key), .nonCanonical(let key): key
        case .unknown: nil
        }
    }

    /// The signers of all signatures, in their order.
    package static func all(of transaction: SignedTransaction, over digest: SigningDigest) -> [Signer] {
        all(transaction.signatures, over: digest)
    }

    static func all(_ signatures: [Signature], over digest: SigningDigest) -> [Signer] {
        signatures.map { signature in
            let key: PublicKey
            do throws(CurveError) { key = try signature.recover(digest) } catch { return .unknown(error) }
            return signature.kind == .k1 && !signature.isCanonical ? .nonCanonical(key) : .key(key)
        }
    }
}
