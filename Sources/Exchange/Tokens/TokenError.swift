import Keys

/// Why a token, its module or `eosvault-token` did not do what was asked. Nothing was signed.
package enum TokenError: Error, Equatable {
    /// `eosvault-token` can't be started from the folder of this program.
    case noProgram(errno: Int32?)
    /// `eosvault-token` ended, or sent something that is not an answer.
    case programFailed
    case module(ModuleProblem)
    case noToken(String)
    case severalTokens(String, count: Int)
    case wrongPIN(TokenFacts.Tries)
    case pinLocked
    case pinLength
    /// A PIN that nobody typed for this token is not tried: a wrong one was tried before.
    case pinAtRisk
    /// The token must be asked for its PIN again, but no question can be asked now.
    case needsLogin
    /// The key needs the PIN for each signature.
    case pinForEachSignature
    /// The command opened no token for the key.
    case notOpened
    case noKey(String)
    case severalKeys(String, count: Int)
    /// The object in the token has another public key than the entry.
    case otherKey
    case invalidKey
    /// The token gave a new key another id.
    case otherID
    /// Two URIs of an entry are the same key of the same token.
    case sameToken(String)
    /// The URI of the key does not fit in an entry.
    case uriTooLong
    case noMechanism(Curve)
    case makesNoKeys
    /// A new key can be read from the token.
    case extractableKey
    case call(String, code: UInt64)
    case invalidAnswer(String)
    /// There are more tokens or objects than this program takes.
    case tooMany(String)
    case timedOut
    /// The process with the module ended: by a signal, or 0.
    case crashed(signal: UInt8)
    /// The token makes the same signature again, and it is not canonical.
    case repeatsSignature
    case noCanonicalSignature(limit: Int)
    /// The signature does not recover to the key.
    case wrongSignature

    package enum ModuleProblem: Equatable, Sendable {
        case notGiven
        case notAbsolute
        case missing(errno: Int32)
        /// Others than root and this user can write the file or a folder of its path.
        case writable(String)
        case notLoaded(String)
        case notPKCS11
        /// The user can change the module, and it was not named when the program started.
        case notNamed(String)
    }

    /// True if the token ended its session or logged out by itself.
    package var isForgottenSession: Bool {
        if case .call(_, let code) = self { ReturnValue.forgottenSession.contains(code) } else { false }
    }

    /// True if another token with the same key may do it. A refused login is not repeated at
    /// another token, which could lock its PIN.
    package var allowsFailover: Bool {
        switch self {
        case .call(let call, _): call != "C_Login"
        case .noToken, .timedOut, .crashed, .module, .invalidAnswer, .wrongSignature: true
        default: false
        }
    }
}
