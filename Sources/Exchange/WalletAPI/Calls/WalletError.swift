import Messages

/// An error as keosd states it, or for the agent's own calls as `--json` does. cleos prints the
/// code, what it means, and the message.
package struct WalletError: Error, Equatable, Sendable {
    /// The errors of keosd. Each row has the code, the name, and what it means (AntelopeIO/spring,
    /// libraries/chain/include/eosio/chain/exceptions.hpp).
    package enum Kind: String, CaseIterable, Sendable {
        case wallet = "3120000 wallet_exception Wallet exception"
        case nonexistentWallet = "3120002 wallet_nonexistent_exception Nonexistent wallet"
        case locked = "3120003 wallet_locked_exception Locked wallet"
        case missingKey = "3120004 wallet_missing_pub_key_exception Missing public key"
        case wrongPassword = "3120005 wallet_invalid_password_exception Invalid wallet password"
        case unlocked = "3120007 wallet_unlocked_exception Already unlocked"
        case keyExists = "3120008 key_exist_exception Key already exists"
        case unsupportedKeyType = "3120010 unsupported_key_type_exception Unsupported key type"
        case invalidTimeout = "3120011 invalid_lock_timeout_exception Wallet lock timeout is invalid"
        case invalidHTTPRequest = "3200006 invalid_http_request invalid http request"

        private var parts: [Substring] { rawValue.split(separator: " ", maxSplits: 2) }
        var code: Int { Int(parts[0]) ?? 0 }
        var name: String { String(parts[1]) }
        var what: String { String(parts[2]) }
    }

    package let kind: Kind
    /// One line without control characters. It has no path, and only such text of the client that
    /// keosd would repeat.
    package let message: String
    package let status: WalletAnswer.Status
    /// The error of one of the agent's own calls; nil for an error of keosd.
    package let words: Words?

    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
        status = kind == .invalidHTTPRequest ? .badRequest : .failed
        words = nil
    }

    /// An error of one of the agent's own calls.
    package init(_ words: Words) { self.init(words, .failed) }

    private init(_ words: Words, _ status: WalletAnswer.Status) {
        (kind, message, self.status, self.words) = (.wallet, words.message, status, words)
    }

    /// The body of one of the agent's own calls does not have its form.
    static func wrongBody(_ message: String, _ code: ErrorCode = .wrongFields) -> WalletError {
        WalletError(
            Words(code, message, hint: "send a JSON object with the members of this call"), .badRequest)
    }

    /// The body or the header does not have the form of the call.
    static func invalidRequest(_ message: String) -> WalletError { WalletError(.invalidHTTPRequest, message) }

    static let noMemory = WalletError(.wallet, "there is no memory for the request")
    static let bodyRequired = invalidRequest("A Request body is required")
    static let unparsable = invalidRequest("Unable to parse valid input from POST body")
    /// For an array with another number of elements.
    static let missingInput = invalidRequest("Missing valid input from POST body")

    /// - Parameter reason: why the body is refused.
    static func unparsable(_ reason: String) -> WalletError {
        invalidRequest("\(unparsable.message): \(reason)")
    }

    package static let isUnlocked = WalletError(
        .unlocked, "Wallet is already unlocked: \(WalletName.only.text)")
    package static let isLocked = WalletError(.locked, "Wallet is locked: \(WalletName.only.text)")
}
