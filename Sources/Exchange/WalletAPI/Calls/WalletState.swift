import Codecs
import JSON
import Keys
import Messages
import SecureMemory

/// What an agent knows of its wallet when it reads a request.
package struct WalletState: Sendable {
    /// The public keys of the vault, in the order of keosd; nil while it is locked.
    package let keys: [PublicKey]?
    private let known: Set<PublicKey>
    /// Made once: a vault may have thousands of keys.
    private let keysAnswer: WalletAnswer
    /// The longest time that the wallet may stay unlocked, in seconds.
    package let maximumTimeout: Int64
    /// The keys that may sign a digest.
    package let digestKeys: Set<PublicKey>

    package init(keys: (some Collection<PublicKey>)?, maximumTimeout: Int64, digestKeys: Set<PublicKey> = [])
    {
        self.keys = keys?.inWalletOrder
        known = Set(self.keys ?? [])
        keysAnswer = WalletAnswer(.ok, .array((self.keys ?? []).map { .string($0.text) }))
        self.maximumTimeout = maximumTimeout
        self.digestKeys = digestKeys
    }
}

/// What a request needs of the vault. The answer is made when it is done.
package enum WalletOperation: ~Copyable, Sendable {
    /// Answered with `WalletAnswer.done`, or `wrongPassword`.
    case unlock(password: SecureBytes)
    /// Wipes the keys; answered with `done`.
    case lock
    /// Answered with `WalletAnswer(created:)`.
    case createKey(Curve)
    /// Answered with 201 and `{}`, or `keyExists`.
    case importKey(PrivateKey)
    /// Answered with `WalletAnswer(signed:)`.
    case signTransaction(SigningCall)
    /// Answered with `WalletAnswer(signature:)`.
    case signDigest(SigningDigest, PublicKey)
    /// Answered with `done`.
    case setTimeout(seconds: Int64)
    /// Wipes the keys; answered with `done`, then the agent ends.
    case stop
    /// Answered with `WalletAnswer(AgentStatus)`.
    case status
    /// Answered with `WalletAnswer(unlockedFor:)`, or the error of the vault.
    case unlockVault(UnlockSecret)
    /// Answered with `WalletAnswer(signed:)` of a `SignedOrder`, or the error of `sign`.
    case signOrder(SigningOrder)
    /// Answered with `WalletAnswer(request:)`, or the error of `credential sign`.
    case signRequest(CredentialOrder)
}

extension WalletOperation {
    /// True for the agent's own calls, whose errors have stable codes.
    package var isOwn: Bool {
        switch self {
        case .status: true
        case .unlockVault: true
        case .signOrder: true
        case .signRequest: true
        default: false
        }
    }
}

extension WalletOperation {
    /// True for a secret to try.
    package var isUnlock: Bool {
        switch self {
        case .unlock: true
        case .unlockVault: true
        default: false
        }
    }
}

/// The decision about a request.
package enum WalletDecision: ~Copyable {
    case answer(WalletAnswer)
    case run(WalletOperation)
}

extension WalletState {
    /// Decides a request by the rules of keosd, in its order.
    package func decide(_ request: consuming WalletRequest) throws(WalletError) -> WalletDecision {
        switch consume request {
        case .listWallets:
            return .answer(
                WalletAnswer(.ok, .array([.string(WalletName.only.text + (keys == nil ? "" : " *"))])))
        case .getPublicKeys:
            guard keys != nil else { throw WalletError(.locked, "You don't have any unlocked wallet!") }
            return .answer(keysAnswer)
        case .lock(let name):
            try name.expectOnly()
            return .run(.lock)
        case .lockAll: return .run(.lock)
        case .unlock(let name, let password):
            try name.expectOnly()
            guard keys == nil else { throw .isUnlocked }
            return .run(.unlock(password: password))
        case .createKey(let name, let type):
            try expectUnlocked(name)
            return .run(.createKey(try Self.curve(type)))
        case .importKey(let name, let text):
            try expectUnlocked(name)
            do { return .run(.importKey(try PrivateKey.parse(text))) } catch {
                throw .unparsable("the private key: \(error.words.message)")
            }
        case .signTransaction(let call):
            for key in call.keys { try expect(key) }
            if call.keys.isEmpty { return .answer(WalletAnswer(signed: call.transaction)) }
            return .run(.signTransaction(call))
        case .signDigest(let digest, let key):
            guard digestKeys.contains(key) else {
                throw WalletError(.wallet, "sign_digest is refused for this key: see --allow-digest")
            }
            try expect(key)
            return .run(.signDigest(digest, key))
        case .setTimeout(let seconds):
            guard let seconds, (1...maximumTimeout).contains(seconds) else {
                throw WalletError(.invalidTimeout, "a timeout is from 1 to \(maximumTimeout) seconds")
            }
            return .run(.setTimeout(seconds: seconds))
        case .stop: return .run(.stop)
        case .getSupportedAPIs: return .answer(supportedAPIs)
        case .agentStatus: return .run(.status)
        case .agentUnlock(let secret):
            guard keys == nil else { throw .vaultIsUnlocked }
            return .run(.unlockVault(secret))
        case .agentSign(let order):
            try expectUnlockedVault()
            return .run(.signOrder(order))
        case .credentialSign(let order):
            try expectUnlockedVault()
            return .run(.signRequest(order))
        }
    }

    private func expectUnlocked(_ name: WalletName) throws(WalletError) {
        try name.expectOnly()
        guard keys != nil else { throw .isLocked }
    }

    private func expectUnlockedVault() throws(WalletError) {
        guard keys != nil else { throw WalletError(Words(.locked)) }
    }

    private func expect(_ key: PublicKey) throws(WalletError) {
        guard keys != nil else { throw .isLocked }
        guard known.contains(key) else {
            throw WalletError(.missingKey, "Public key not found in unlocked wallets \(key.text)")
        }
    }

    /// The curve of a key type; K1 for an empty one, as in keosd.
    private static func curve(_ type: String) throws(WalletError) -> Curve {
        guard !type.isEmpty else { return .k1 }
        if let curve = Curve.allCases.first(where: { $0.suffix == type.uppercased() }) { return curve }
        let isShort = type.utf8.count <= 16 && type.utf8.allSatisfy(\.isASCIILetterOrDigit)
        throw WalletError(
            .unsupportedKeyType,
            "Key type \(isShort ? "\"\(type)\" " : "")not supported by software wallet")
    }

    /// The paths of keosd that are not refused in any case, without this one.
    private var supportedAPIs: WalletAnswer {
        let calls = WalletCall.allCases.filter { call in
            call.refusal == nil && !call.isOwn && call != .getSupportedAPIs
                && (call != .signDigest || !digestKeys.isEmpty)
        }
        let paths = calls.map(\.rawValue).sorted()
        return WalletAnswer(.ok, ["apis": .array(paths.map { .string($0) })])
    }
}
