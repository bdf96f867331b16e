import ABICodec
import Codecs
import KeyVault
import Keys
import Policy
import SecureMemory
import TestSupport
import Testing
import Transactions

@testable import Signing

/// Signing with a store that is not a vault, such as a hardware token. The values are from
/// Vectors/examples; cleos signed them.
struct KeyStoreTests {
    static let alice = SigningRequestTests.alice
    static let bob = SigningRequestTests.bob

    static func key(_ wif: String) throws -> PrivateKey {
        try PrivateKey.parse(SecureBytes(copyingPublic: wif.utf8))
    }

    static func request(_ choice: ChosenKey.Choice = .publicKey, label: String? = nil, chain: String = "eos")
        throws
        -> SigningRequest
    {
        let transaction = try SignedTransaction(
            reading: repositoryFile("Vectors/examples/transfer.json"), abis: ContractABIs())
        let review = try Review(of: transaction, chain: ChainID(chain), abis: ContractABIs())
        let key = KeyDescription(try key(alice).publicKey, label: label)
        return try SigningRequest(review, keys: [ChosenKey(key, choice: choice)])
    }

    @Test(arguments: [true, false])
    func signsWithAnotherStore(recording: Bool) throws {
        let store = TestStore()
        let request = try Self.request(label: "treasury")
        let signed =
            recording
            ? try request.authorize(.empty).sign(with: store)
            : try request.authorize(.empty).signWithoutRecord(with: store)
        #expect(signed.signatures.map(\.text) == [SigningRequestTests.signature])
        let id = "284a1e8df2b84bbcf49264e4f66204cf533070357ea76b4118e3ea2aa1b3628a"
        let record = try "\(Self.key(Self.alice).publicKey.text) \(ChainID("eos").text) \(id)"
        #expect(store.records == (recording ? [record] : []))
    }

    /// The key of each signature of every store is recovered, by the store or by the request.
    @Test(arguments: [false, true])
    func releasesNoSignatureOfAnotherKey(isRemote: Bool) throws {
        let store = TestStore()
        store.signer = Self.bob
        store.isRemote = isRemote
        let request = try Self.request(label: "treasury")
        #expect(throws: SigningError.recoveredOtherKey) { try request.authorize(.empty).sign(with: store) }
        #expect(store.records.isEmpty)
    }

    /// The signature is compared with a digest that is computed again, so a signature of another
    /// digest is refused.
    @Test(arguments: Array(stride(from: 0, to: 256, by: 17)), [false, true])
    func releasesNoSignatureOfAnotherDigest(bit: Int, isRemote: Bool) throws {
        let store = TestStore()
        store.flippedBit = bit
        store.isRemote = isRemote
        let request = try Self.request(label: "treasury")
        #expect(throws: SigningError.recoveredOtherKey) { try request.authorize(.empty).sign(with: store) }
        #expect(store.records.isEmpty)
    }

    @Test func comparesTheDescriptionWithTheReview() throws {
        let store = TestStore()
        let name = try Self.key(Self.alice).publicKey.text
        for label in [nil, "other"] {
            let request = try Self.request(label: label)
            #expect(throws: SigningError.changedSinceReview(name: name)) {
                try request.authorize(.empty).sign(with: store)
            }
        }
        #expect(store.signatureCount == 0)
    }

    @Test func repeatsTheChoice() throws {
        let store = TestStore()
        store.hasSeveralKeys = true
        let request = try Self.request(.only, label: "treasury")
        #expect(throws: SigningError.keyAddedMeanwhile) { try request.authorize(.empty).sign(with: store) }
        #expect(store.signatureCount == 0)
    }

    /// A review that the store's pinned ABIs did not decode is refused.
    @Test func comparesThePinnedABIs() throws {
        let store = TestStore()
        store.pins = [PinnedContractABI(account: try Name("mytoken"), raw: try PinTests.raw())]
        let request = try Self.request(label: "treasury")
        #expect(throws: SigningError.pinsChangedSinceReview(account: try Name("mytoken"))) {
            try request.authorize(.empty).sign(with: store)
        }
        #expect(store.signatureCount == 0)
    }

    /// A review that showed another history than the store's is refused.
    @Test func comparesTheHistory() throws {
        let store = TestStore()
        var review = try Self.request(label: "treasury").review
        review.history = PaymentHistory()
        let key = KeyDescription(try Self.key(Self.alice).publicKey, label: "treasury")
        let request = try SigningRequest(review, keys: [ChosenKey(key, choice: .publicKey)])
        _ = try request.authorize(.empty).sign(with: store)
        let id = "284a1e8df2b84bbcf49264e4f66204cf533070357ea76b4118e3ea2aa1b3628a"
        #expect(store.history.signatures.map { Hex.encode($0.transaction) } == [id])
        // Another process signed another transaction with the same actions.
        let other = PaymentHistory.Signature(
            key: key.publicKey, transaction: [UInt8](repeating: 1, count: 32), expiration: .max)
        // The history is that of all subjects.
        guard !store.isRemote else { return }
        store.history = PaymentHistory(signatures: store.history.signatures + [other])
        #expect(throws: SigningError.historyChangedSinceReview) {
            try request.authorize(.empty).sign(with: store)
        }
        #expect(store.signatureCount == 1)
    }

    // MARK: - what the review showed of the vault

    /// The review said that the vault has this key. The store describes it otherwise.
    @Test func verifiesTheKeysThatTheReviewCalledOwn() throws {
        let store = TestStore()
        let own = try Self.key(Self.bob).publicKey
        let action = WarningTests.update("active", WarningTests.authority([own.text]))
        let review = try WarningTests.review([action])
        func request(label: String) throws -> SigningRequest {
            let key = KeyDescription(try Self.key(Self.alice).publicKey, label: "treasury")
            return try SigningRequest(
                review, keys: [ChosenKey(key, choice: .publicKey)],
                own: OwnKeys([KeyDescription(own, label: label), key]))
        }
        #expect(throws: SigningError.changedSinceReview(name: own.text)) {
            try request(label: "cold").authorize(.empty).sign(with: store)
        }
        #expect(store.signatureCount == 0)
        #expect(try request(label: "treasury").authorize(.empty).sign(with: store).signatures.count == 1)
    }

    /// A script signs no danger that it does not name, and the decision is repeated with the vault.
    @Test func refusesDangersInAScript() throws {
        let store = TestStore()
        let key = KeyDescription(try Self.key(Self.alice).publicKey, label: "treasury")
        let action = WarningTests.update("active", WarningTests.authority([key.publicKey.text]))
        let request = try SigningRequest(
            WarningTests.review([action]), keys: [ChosenKey(key, choice: .publicKey)], own: OwnKeys([key]))
        let danger = Danger(code: .activeChange, subject: "alice")
        for allowed in [[], ["active-change=bob"], ["owner-change=alice"]] {
            #expect(throws: SigningError.dangerNotAllowed([danger])) {
                try request.authorize(.empty, consent: ScriptConsent(allowed.map { try Allowance($0) }))
            }
        }
        let allowance = try Allowance("active-change=alice")
        let signed = try request.authorize(.empty, consent: ScriptConsent([allowance])).sign(with: store)
        #expect(signed.signatures.count == 1)
    }

    /// A store can't release the signatures of another request.
    @Test func releasesNoSignatureOfAnotherRequest() throws {
        let store = TestStore()
        _ = try Self.request(label: "treasury").authorize(.empty).sign(with: store)
        store.repeats = true
        let wax = try Self.request(label: "treasury", chain: "wax")
        #expect(throws: SigningError.recoveredOtherKey) { try wax.authorize(.empty).sign(with: store) }
    }

    /// One letter in two spellings: labels are compared byte by byte.
    @Test func comparesLabelsByBytes() {
        let labels = ["caf\u{e9}", "cafe\u{301}"]
        #expect(labels[0] == labels[1])
        #expect(throws: Never.self) {
            let key = try Self.key(Self.alice).publicKey
            #expect(KeyDescription(key, label: labels[0]) != KeyDescription(key, label: labels[1]))
            #expect(KeyDescription(key, label: labels[0]) == KeyDescription(key, label: labels[0]))
        }
    }

    /// The store's own error, which this module does not know, reaches the caller.
    @Test func refusesWhatTheStoreRefuses() throws {
        let store = TestStore()
        store.refusal = .removed
        let request = try Self.request(label: "treasury")
        let refused = SigningError.store(StoreFailure(TestStore.Failure.removed))
        #expect(throws: refused) { try request.authorize(.empty).sign(with: store) }
        #expect(
            refused != .store(StoreFailure(TestStore.Failure.locked)) && refused != .vault(.machine(.busy)))
        #expect(!refused.isReadOnlyStore && SigningError.vault(.machine(.readOnly)).isReadOnlyStore)
        #expect(store.records.isEmpty)
    }

    // MARK: - batches

    private static let id = "284a1e8df2b84bbcf49264e4f66204cf533070357ea76b4118e3ea2aa1b3628a"

    private static func batch() throws -> SigningBatch {
        let key = KeyDescription(try key(alice).publicKey, label: "treasury")
        return try SigningBatch(
            chain: ChainID("eos"), abis: ContractABIs(), keys: [ChosenKey(key, choice: .publicKey)],
            own: OwnKeys([key]), consent: ScriptConsent())
    }

    private static func batchRequest() throws -> (SigningBatch, SigningBatch.Request) {
        let batch = try batch()
        let text = try repositoryFile("Vectors/examples/transfer.json")
        return (batch, try batchRequest(of: text, in: batch))
    }

    private static func batchRequest(
        of text: [UInt8], in batch: SigningBatch
    ) throws -> SigningBatch.Request {
        let history = SigningBatch.History(payments: NoPayments(), policies: .empty)
        return try batch.request(reading: text, history: history)
    }

    /// Signs the transfer of alice `count` times as one part.
    private static func sign(_ count: Int, with store: TestStore) throws -> [Result<
        SignedTransaction, any Error
    >] {
        let (batch, request) = try batchRequest()
        var results: [Result<SignedTransaction, any Error>] = []
        _ = try batch.signPart(with: store, after: nil) { sign throws(SigningError) in
            for _ in 0..<count { _ = try sign(.success(request)) { results.append($0.map(\.transaction)) } }
        }
        return results
    }

    @Test func signsABatchWithAnotherStore() throws {
        let store = TestStore()
        let results = try Self.sign(2, with: store)
        #expect(results.count == 2)
        for signed in results {
            #expect(try signed.get().signatures.map(\.text) == [SigningRequestTests.signature])
        }
        #expect(store.records.count == 2 && store.records.allSatisfy { $0.hasSuffix(Self.id) })
    }

    /// Nothing of a part is recorded when the store fails or makes a wrong signature.
    @Test func releasesNoBatchWithAWrongSignature() throws {
        let store = TestStore()
        store.flippedBit = 3
        #expect(throws: SigningError.recoveredOtherKey) { try Self.sign(2, with: store) }
        store.flippedBit = nil
        store.failsAfter = 2
        #expect(throws: SigningError.store(StoreFailure(TestStore.Failure.locked))) {
            try Self.sign(2, with: store)
        }
        #expect(store.records.isEmpty && store.signatureCount == 2)
    }

    /// A store whose keys are elsewhere: the next transactions are decided while it signs, and the
    /// results come in order.
    @Test func decidesWhileAnotherStoreSigns() throws {
        let store = TestStore()
        store.isRemote = true
        let (batch, request) = try Self.batchRequest()
        let file = try repositoryFile("Vectors/examples/transfer.json")
        let text = String(decoding: file, as: UTF8.self)
        let requests = try (2000..<2020).map { number in
            let other = text.replacing(": 1000,", with: ": \(number),")
            return try Self.batchRequest(of: Array(other.utf8), in: batch)
        }
        var ids: [String] = []
        _ = try batch.signPart(with: store, after: nil) { sign throws(SigningError) in
            for request in requests + [request] {
                _ = try sign(.success(request)) { result in
                    if let signed = try? result.get() { ids.append(signed.transaction.id) }
                }
            }
        }
        #expect(ids == (requests + [request]).map(\.review.transaction.id) && Set(ids).count == 21)
        #expect(ids.count == 21 && store.records.count == 21 && store.mostPending == 9)
    }

    /// The third signature fails once, after more transactions were decided, or at the end of the
    /// part: nothing is recorded, also if the caller drops the error.
    @Test(arguments: [true, false], [20, 5])
    func recordsNothingAfterASignatureFails(isDropped: Bool, count: Int) throws {
        let store = TestStore()
        (store.isRemote, store.failsAfter, store.failsOnce) = (true, 2, true)
        let (batch, request) = try Self.batchRequest()
        var finished = 0
        let refused = SigningError.store(StoreFailure(TestStore.Failure.locked))
        #expect(throws: refused) {
            _ = try batch.signPart(with: store, after: nil) { sign throws(SigningError) in
                for _ in 0..<count {
                    do throws(SigningError) { _ = try sign(.success(request)) { _ in finished += 1 } } catch {
                        guard isDropped else { throw error }
                    }
                }
            }
        }
        #expect(store.records.isEmpty && finished == 2 && store.signatureCount == 2)
    }

    // MARK: - nonces

    /// A store may use any nonce: only the recovered key is compared. The vault's signature has the
    /// one nonce of RFC 6979 that cleos uses, so it is always the same.
    @Test func acceptsAnyNonceOfAnotherStore() throws {
        let store = TestStore()
        store.isRandom = true
        let request = try Self.request(label: "treasury")
        var texts: Set<String> = []
        for _ in 0..<4 {
            let signed = try request.authorize(.empty).sign(with: store)
            let signature = try #require(signed.signatures.first)
            #expect(
                try signature.recover(signed.digest(for: ChainID("eos"))) == Self.key(Self.alice).publicKey)
            texts.insert(signature.text)
        }
        #expect(texts.count == 4 && !texts.contains(SigningRequestTests.signature))
        let batched = try Self.sign(4, with: store).map { try $0.get().signatures[0].text }
        #expect(Set(batched).count == 4 && texts.isDisjoint(with: batched))
    }
}

/// A token with one key, labelled `treasury`.
final class TestStore: KeyStore {
    enum Failure: StoreError { case removed, locked }

    var signer = KeyStoreTests.alice
    var flippedBit: Int?
    var hasSeveralKeys = false
    var refusal: Failure?
    /// The number of signatures after which the token is locked.
    var failsAfter = Int.max
    /// True if it fails only once then.
    var failsOnce = false
    /// True to sign with random nonces.
    var isRandom = false
    /// True to sign only when a signature that was started is needed.
    var isRemote = false
    /// The most signatures that were started and not finished.
    var mostPending = 0
    fileprivate var pending = 0
    var pins: [PinnedContractABI] = []
    var history = PaymentHistory()
    var records: [String] = []
    var signatureCount = 0
    /// Whether the store returns its last result instead of signing.
    var repeats = false
    private var last: Any?

    func lendSigner<Use: SignerUse>(
        to use: Use, recording: Bool
    ) throws(SigningError) -> Use.Outcome where Use.Memory == NoPayments {
        if let refusal { throw .store(StoreFailure(refusal)) }
        if repeats, let last = last as? Use.Outcome { return last }
        var signer = TestSigner(store: self)
        let result = try use.run(with: &signer)
        if recording { records += signer.records }
        last = result
        return result
    }
}

struct TestSigner: DigestSigner {
    let store: TestStore
    var records: [String] = []

    func pinnedABIs(of chain: ChainID) -> [PinnedContractABI] { store.pins }

    func history(of subject: PaymentHistory.Subject) -> PaymentHistory { store.history }

    mutating func remember(_ signature: PaymentHistory.Signature, of subject: PaymentHistory.Subject) {
        // The history is that of all subjects.
        guard !store.isRemote else { return }
        store.history = PaymentHistory(signatures: store.history.signatures + [signature])
    }

    func verifiedKey(_ chosen: ChosenKey) throws(SigningError) -> KeyDescription {
        if chosen.choice == .only, store.hasSeveralKeys { throw .keyAddedMeanwhile }
        return KeyDescription(chosen.publicKey, label: "treasury")
    }

    func description(of key: KeyDescription) -> KeyDescription { key }

    private final class Pending {
        let (digest, key): (SigningDigest, KeyDescription)

        init(_ digest: SigningDigest, _ key: KeyDescription) { (self.digest, self.key) = (digest, key) }
    }

    func start(_ digest: SigningDigest, with key: KeyDescription) throws(SigningError) -> StartedSignature {
        guard store.isRemote else { return .made(try sign(digest, with: key)) }
        store.pending += 1
        store.mostPending = max(store.mostPending, store.pending)
        return .pending(Pending(digest, key))
    }

    func finish(_ started: StartedSignature) throws(SigningError) -> MadeSignature {
        switch started {
        case .made(let signature): return signature
        case .pending(let object):
            guard let pending = object as? Pending else { throw .recoveredOtherKey }
            store.pending -= 1
            return try sign(pending.digest, with: pending.key)
        }
    }

    func sign(_ digest: SigningDigest, with key: KeyDescription) throws(SigningError) -> MadeSignature {
        guard store.signatureCount < store.failsAfter else {
            if store.failsOnce { store.failsAfter = Int.max }
            throw .store(StoreFailure(TestStore.Failure.locked))
        }
        store.signatureCount += 1
        do {
            var bytes = digest.bytes
            if let bit = store.flippedBit { bytes[bit / 8] ^= 1 << UInt8(bit % 8) }
            guard store.isRandom else {
                let made = try KeyStoreTests.key(store.signer).sign(SigningDigest(bytes))
                return store.isRemote ? .unchecked(made.signature) : .checked(made)
            }
            return .unchecked(try RandomNonce.signature(of: bytes, by: store.signer))
        } catch { throw .curve(.libraryFailure) }
    }

    mutating func recordSignature(by key: PublicKey, of review: Review, on chain: ChainID) {
        records.append("\(key.text) \(chain.text) \(review.transaction.id)")
    }
}
