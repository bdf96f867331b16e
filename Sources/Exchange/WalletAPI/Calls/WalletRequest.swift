import Codecs
import Keys
import Messages
import SecureMemory

/// A call with its body, parsed. Nothing is decided that depends on the state of the wallet.
package enum WalletRequest: ~Copyable {
    case listWallets
    case getPublicKeys
    case unlock(WalletName, password: SecureBytes)
    /// `open` and `lock`: keosd also locks a wallet that is opened again.
    case lock(WalletName)
    case lockAll
    case createKey(WalletName, type: String)
    /// - Parameter text: of the private key, not parsed.
    case importKey(WalletName, text: SecureBytes)
    case signTransaction(SigningCall)
    case signDigest(SigningDigest, PublicKey)
    /// - Parameter seconds: nil for a number that is no integer, or too large.
    case setTimeout(seconds: Int64?)
    case stop
    case getSupportedAPIs
    case agentStatus
    case agentUnlock(UnlockSecret)
    case agentSign(SigningOrder)
    case credentialSign(CredentialOrder)

    /// Reads the body of a call.
    /// - Throws: the error that a call is refused with in any case; `invalidHTTPRequest`; `wallet`
    ///   for the name of a wallet.
    package init(_ call: WalletCall, _ body: consuming RequestBody) throws(WalletError) {
        if let refusal = call.refusal { throw refusal }
        switch consume body {
        case .secret(let bytes):
            if call == .agentUnlock {
                self = .agentUnlock(try UnlockSecret(bytes))
                return
            }
            let body = try SecretBody(bytes)
            let name = body.name
            if call == .unlock {
                self = .unlock(name, password: body.secret)
            } else {
                self = .importKey(name, text: body.secret)
            }
        case .plain(let bytes): self = try Self.read(call, PlainBody(bytes))
        case .discarded: throw .unparsable
        }
    }

    private static func read(_ call: WalletCall, _ body: PlainBody) throws(WalletError) -> WalletRequest {
        switch call {
        case .listWallets, .getPublicKeys, .lockAll, .stop, .getSupportedAPIs:
            try body.expectEmpty()
            return withoutParameters(call)
        case .open, .lock: return .lock(try body.name())
        case .createKey: return try createKey(body.texts(2))
        case .signTransaction: return .signTransaction(try SigningCall(body))
        case .signDigest: return try signDigest(body.texts(2))
        case .setTimeout: return .setTimeout(seconds: try body.integer())
        case .agentStatus:
            guard body.isEmpty else { throw .wrongBody("this call has no body") }
            return .agentStatus
        case .agentSign: return .agentSign(try SigningOrder(body.bytes))
        case .credentialSign: return .credentialSign(try CredentialOrder(body.bytes))
        // Their bodies are not plain.
        case .unlock, .importKey, .agentUnlock, .create, .listKeys, .removeKey: throw .unparsable
        }
    }

    private static func withoutParameters(_ call: WalletCall) -> WalletRequest {
        switch call {
        case .getPublicKeys: .getPublicKeys
        case .lockAll: .lockAll
        case .stop: .stop
        case .getSupportedAPIs: .getSupportedAPIs
        default: .listWallets
        }
    }

    private static func createKey(_ texts: [String]) throws(WalletError) -> WalletRequest {
        .createKey(try WalletName(texts[0]), type: texts[1])
    }

    private static func signDigest(_ texts: [String]) throws(WalletError) -> WalletRequest {
        guard let bytes = try? Hex.decode(texts[0]), let digest = try? SigningDigest(bytes)
        else { throw .unparsable("a digest has 64 hex digits") }
        return .signDigest(digest, try PublicKey(inRequest: texts[1]))
    }
}

extension PublicKey {
    /// A public key in any of its text forms.
    init(inRequest text: String) throws(WalletError) {
        do { self = try PublicKey(text) } catch {
            throw .unparsable("a public key: \(error.words.message)")
        }
    }
}
