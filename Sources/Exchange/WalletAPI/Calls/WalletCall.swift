/// The calls of keosd's wallet API, and the agent's own, by their paths. cleos sends each as POST.
package enum WalletCall: String, CaseIterable, Sendable {
    case listWallets = "/v1/wallet/list_wallets"
    case getPublicKeys = "/v1/wallet/get_public_keys"
    case open = "/v1/wallet/open"
    case unlock = "/v1/wallet/unlock"
    case lock = "/v1/wallet/lock"
    case lockAll = "/v1/wallet/lock_all"
    case createKey = "/v1/wallet/create_key"
    case importKey = "/v1/wallet/import_key"
    case signTransaction = "/v1/wallet/sign_transaction"
    case signDigest = "/v1/wallet/sign_digest"
    case setTimeout = "/v1/wallet/set_timeout"
    case create = "/v1/wallet/create"
    case listKeys = "/v1/wallet/list_keys"
    case removeKey = "/v1/wallet/remove_key"
    case stop = "/v1/keosd/stop"
    case getSupportedAPIs = "/v1/node/get_supported_apis"
    case agentStatus = "/v1/eosvault/status"
    case agentUnlock = "/v1/eosvault/unlock"
    case agentSign = "/v1/eosvault/sign"
    case credentialSign = "/v1/eosvault/credential_sign"

    /// True for a call that keosd does not have. Its errors have the codes of `ErrorCode`.
    package var isOwn: Bool {
        switch self {
        case .agentStatus, .agentUnlock, .agentSign, .credentialSign: true
        default: false
        }
    }

    /// Where the body of the call is kept.
    package var bodyKind: RequestHead.BodyKind {
        switch self {
        case .unlock, .importKey, .agentUnlock: .secret
        // A refused call does not show whether the PIN in its body was right.
        case .create, .listKeys, .removeKey: .discarded
        default: .plain
        }
    }

    /// Why the call is refused in any case; nil for the other calls.
    var refusal: WalletError? {
        switch self {
        case .create: WalletError(.wallet, #"create is refused: make a vault with "eosvault init""#)
        case .listKeys:
            WalletError(.wallet, "list_keys is refused: private keys do not leave eosvault-agent")
        case .removeKey:
            WalletError(.wallet, #"remove_key is refused: remove a key with "eosvault remove""#)
        default: nil
        }
    }
}
