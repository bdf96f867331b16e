import Codecs
import HTTPSigning
import JSON
import Keys
import Messages
import SecureMemory
import TestSupport
import Transactions
import WalletAPI

/// A wallet in memory that does what a request needs.
final class TestWallet {
    /// A class, because an array can't contain a noncopyable key.
    private final class Entry {
        let key: PrivateKey

        init(_ key: consuming PrivateKey) { self.key = key }
    }

    let password: String
    var isUnlocked: Bool
    var digestKeys: Set<PublicKey> = []
    /// The texts of the keys that `create_key` makes.
    var keysToCreate: [String] = []
    /// What was done, in order.
    private(set) var operations: [String] = []
    private(set) var timeout: Int64 = 900
    private(set) var orders: [SigningOrder] = []
    private(set) var requests: [CredentialOrder] = []
    private var entries: [PublicKey: Entry] = [:]

    init(password: String = "PW of the tests", isUnlocked: Bool = true, keys: [String] = []) throws {
        (self.password, self.isUnlocked) = (password, isUnlocked)
        for key in keys { _ = try add(key) }
    }

    var state: WalletState {
        WalletState(
            keys: isUnlocked ? Array(entries.keys) : nil, maximumTimeout: 900, digestKeys: digestKeys)
    }

    func add(_ text: String) throws -> PublicKey {
        let key = try PrivateKey.parse(SecureBytes(copyingPublic: text.utf8))
        let publicKey = key.publicKey
        entries[publicKey] = Entry(key)
        return publicKey
    }

    func run(_ operation: consuming WalletOperation) throws(WalletError) -> WalletAnswer {
        switch consume operation {
        case .unlock(let given):
            operations.append("unlock")
            guard let expected = try? SecureBytes(copyingPublic: password.utf8), given.isEqual(to: expected)
            else { throw .wrongPassword }
            isUnlocked = true
            return .done
        case .lock:
            operations.append("lock")
            isUnlocked = false
            return .done
        case .createKey:
            operations.append("create")
            guard let key = keysToCreate.popLast().flatMap({ try? add($0) }) else {
                throw WalletError(.wallet, "no key to create")
            }
            return WalletAnswer(created: key)
        case .importKey(let key):
            operations.append("import \(key.publicKey.text)")
            guard entries[key.publicKey] == nil else { throw .keyExists }
            let publicKey = key.publicKey
            entries[publicKey] = Entry(key)
            return .imported
        case .signTransaction(let call): return try sign(call)
        case .signDigest(let digest, let key): return WalletAnswer(signature: try signature(digest, key))
        case .setTimeout(let seconds):
            operations.append("timeout")
            timeout = seconds
            return .done
        case .stop:
            operations.append("stop")
            return .done
        case .status:
            return WalletAnswer(
                AgentStatus(
                    version: "1", vault: "/vault.db",
                    unlocked: isUnlocked ? (secondsLeft: timeout, keyCount: entries.count) : nil,
                    confirmation: "policy", waitingCount: 2))
        case .unlockVault(let secret):
            operations.append(secret.description)
            isUnlocked = true
            return WalletAnswer(unlockedFor: timeout, keyCount: entries.count)
        case .signOrder(let order):
            orders.append(order)
            return try sign(order)
        case .signRequest(let order):
            requests.append(order)
            return WalletAnswer(request: ["method": .string(order.request.method.text)])
        }
    }

    private func sign(_ call: SigningCall) throws(WalletError) -> WalletAnswer {
        let digest = call.transaction.digest(for: call.chain)
        let signers = call.transaction.signatures.compactMap { try? $0.recover(digest) }
        operations.append("sign")
        var signed = call.transaction
        for key in call.keys where !signers.contains(key) { signed.append(try signature(digest, key)) }
        return WalletAnswer(signed: signed)
    }

    private func sign(_ order: SigningOrder) throws(WalletError) -> WalletAnswer {
        do {
            let chain = try ChainID(order.chain)
            var signed = try SignedTransaction(reading: order.transaction, abis: ContractABIs())
            let keys = try order.keys.map { try PublicKey($0) }
            for key in keys { signed.append(try signature(signed.digest(for: chain), key)) }
            return WalletAnswer(
                SignedOrder(transaction: signed, chain: chain, keys: keys, wasSignedBefore: false))
        } catch { throw WalletError(Words(for: error)) }
    }

    private func signature(_ digest: SigningDigest, _ key: PublicKey) throws(WalletError) -> Signature {
        guard let signature = try? entries[key]?.key.sign(digest).signature else {
            throw WalletError(.wallet, "this key can't sign")
        }
        return signature
    }
}

extension UnlockSecret {
    /// The values, for a test.
    fileprivate var description: String {
        func text(_ secret: borrowing SecureBytes) -> String {
            secret.withBytes { span in
                String(decoding: (0..<span.byteCount).map { span[byte: $0] }, as: UTF8.self)
            }
        }
        return switch self {
        case .pin(let pin): "pin \(text(pin))"
        case .pinAndKeyFile(let pin, let file): "pin \(text(pin)) file \(text(file))"
        case .recovery(let words): "recovery \(text(words))"
        }
    }
}

/// What a connection gets for its bytes.
struct Served {
    typealias Answer = HTTPAnswer

    var output: [UInt8] = []
    var isClosed = false
    /// False if a part of a request is left.
    var isIdle = true

    /// - Parameter pieces: the bytes as they arrive.
    init(_ pieces: [[UInt8]], by wallet: TestWallet) {
        var reader = RequestReader()
        for piece in pieces where !isClosed {
            var offset = 0
            while offset < piece.count, !isClosed {
                do {
                    switch try reader.read(piece.span.bytes, from: &offset) {
                    case .more: break
                    case .expectsContinue: output += WalletAnswer.continueLine
                    case .request(let request): answer(request, by: wallet)
                    }
                } catch {
                    output += error.answer.bytes(to: nil, closes: true)
                    isClosed = true
                }
            }
        }
        isIdle = reader.isIdle
    }

    init(_ text: String, by wallet: TestWallet) { self.init([Array(text.utf8)], by: wallet) }

    private mutating func answer(_ request: consuming ReceivedRequest, by wallet: TestWallet) {
        let head = request.head
        let answer = wallet.state.answer(request) { operation throws(WalletError) in
            try wallet.run(operation)
        }
        isClosed = !head.keepsOpen
        output += answer.bytes(to: head, closes: isClosed)
    }

    /// The answers, without interim ones. Each has a whole body.
    var answers: [Answer] { get throws { try HTTPAnswer.all(in: output) } }
}
