import Keys
import Signing
import Tokens

/// Signs with keys in tokens, for a vault whose entries name them.
package protocol TokenSigner: AnyObject {
    /// - Returns: a signature that was recovered to the key.
    func sign(_ digest: SigningDigest, with key: PublicKey) throws(TokenError) -> Signature
}

extension TokenError: StoreError {
    package var isAboutOneKey: Bool { true }
}

extension SigningError {
    static func token(_ error: TokenError) -> SigningError { .store(StoreFailure(error)) }
}
