import ABICodec
import Codecs
import Keys
import Policy
import Synchronization
import TestSupport
import Testing
import Transactions

@testable import KeyVault
@testable import Signing

/// Requests that a store records at once.
struct SigningGroupTests {
    /// A vault with the keys of alice and bob.
    private let vault: PolicyTests

    init() throws { vault = try PolicyTests() }

    private func authorized(
        _ requests: [SigningRequest], consent: any Consent = PersonConsent()
    ) throws -> [AuthorizedRequest] {
        try requests.map { request in
            let policies = try vault.open().unverifiedPolicies(
                of: request.missing.map(\.publicKey), at: vault.clock.now.load(ordering: .relaxed))
            return try request.authorize(policies, consent: consent)
        }
    }

    private func sign(
        _ requests: [SigningRequest], consent: any Consent = PersonConsent(),
        ifWanted isWanted: @escaping (Int) -> Bool = { _ in true }
    ) throws -> [Result<AuthorizedRequest.Signed, SigningError>?] {
        try AuthorizedRequest.sign(
            authorized(requests, consent: consent), with: vault.unlock(), ifWanted: isWanted)
    }

    private func signedIDs() throws -> [String] {
        try vault.events().compactMap { event in
            if case .signed(_, _, let transaction, _) = event { Hex.encode(transaction) } else { nil }
        }
    }

    private static func isRefused(_ result: Result<AuthorizedRequest.Signed, SigningError>?) -> Bool {
        if case .failure(.policy)? = result { true } else { false }
    }

    private static func error(_ result: Result<AuthorizedRequest.Signed, SigningError>?) -> SigningError? {
        if case .failure(let error)? = result { error } else { nil }
    }

    // MARK: - one transaction of the vault

    /// The signatures and records are those of single requests, in one transaction of the vault.
    @Test func signsAsSingleRequests() throws {
        let requests = try [
            vault.request("1.0000 EOS"), vault.request("2.0000 EOS", by: [vault.bob, vault.alice]),
            vault.request("3.0000 EOS", by: [vault.bob]),
        ]
        let before = try vault.events().count
        let results = try sign(requests)
        let texts = try results.map { try $0?.get().transaction.signatures.map(\.text) }
        #expect(texts.map { $0?.count } == [1, 2, 1])
        let records = try signedIDs()
        #expect(records == [0, 1, 1, 2].map { requests[$0].review.transaction.id })
        #expect(try vault.events().count == before + 4)
        let single = try authorized(requests).map { request in
            try request.sign(with: vault.unlock()).signatures.map(\.text)
        }
        #expect(single == texts.map { $0 ?? [] })
    }

    /// Each record states the process that requested its signature.
    @Test func recordsStateTheRequesters() throws {
        var requests = try authorized((1...3).map { try vault.request("\($0).0000 EOS") })
        requests[0].requester = Requester(uid: 1000, program: "cleos, pid 7")
        requests[2].requester = Requester(uid: 1001, program: "payouts")
        _ = try AuthorizedRequest.sign(requests, with: vault.unlock()) { _ in true }
        var found: [Requester?] = []
        try vault.unlock().log { record in
            if case .signed = record.event { found.append(record.requester) }
        }
        #expect(found == requests.map(\.requester))
    }

    @Test func anEmptyGroupSignsNothing() throws {
        #expect(try sign([]).isEmpty)
        #expect(try signedIDs().isEmpty)
    }

    /// A request that is not wanted any more leaves the group. The question is asked for each
    /// request right before it is signed.
    @Test func signsOnlyWhatIsWanted() throws {
        var asked: [Int] = []
        let requests = try (1...3).map { try vault.request("\($0).0000 EOS") }
        let results = try sign(requests) { index in
            asked.append(index)
            return index != 1
        }
        #expect(asked == [0, 1, 2])
        #expect(results.map { $0 == nil } == [false, true, false])
        #expect(try signedIDs() == [0, 2].map { requests[$0].review.transaction.id })
    }

    // MARK: - policies

    /// Each request is decided after the requests before it. The limit allows two of the three.
    @Test func limitsCountTheEarlierRequests() throws {
        try vault.setPolicy()
        let requests = try ["4.0000 EOS", "7.0000 EOS", "6.0000 EOS"].map { try vault.request($0) }
        // Alone, each of them is allowed.
        let results = try sign(requests)
        #expect(results.map(Self.isRefused) == [false, true, false])
        #expect(try signedIDs() == [0, 2].map { requests[$0].review.transaction.id })
        #expect(try vault.events().last.map { if case .signed = $0 { true } else { false } } == true)
        // Nothing is left of the limit.
        let error = #expect(throws: SigningError.self) {
            _ = try authorized([vault.request("0.0001 EOS", to: "carol")])
        }
        #expect(Self.isRefused(error.map { .failure($0) }))
    }

    /// The same transaction is one use of a limit.
    @Test func aRepeatedTransactionCountsOnce() throws {
        try vault.setPolicy()
        let request = try vault.request("10.0000 EOS")
        let results = try sign([request, request])
        let texts = try results.map { try $0?.get().transaction.signatures.map(\.text) }
        #expect(texts[0] == texts[1] && texts[0]?.count == 1)
    }

    @Test func aPolicySetMeanwhileIsObeyed() throws {
        let requests = try authorized([vault.request("11.0000 EOS"), vault.request("1.0000 EOS")])
        try vault.setPolicy()
        let results = try AuthorizedRequest.sign(requests, with: vault.unlock()) { _ in true }
        #expect(results.map(Self.isRefused) == [true, false])
    }

    // MARK: - history

    /// A request with the history that the vault's file has now.
    private func request(_ quantity: String, to name: String = "bob", expiring second: Int = 0) throws
        -> SigningRequest
    {
        let header = ReviewTests.header.replacing("T00:00:00", with: "T00:00:0\(second)")
        var review = try WarningTests.review([WarningTests.transfer(name, quantity)], header: header)
        review.history = try review.lookedUpSubject(signedBy: [vault.alice.publicKey]).map {
            try vault.open().unverifiedHistory(of: $0)
        }
        return try SigningRequest(review, keys: [vault.alice])
    }

    /// Nobody is asked, so each request is reviewed after the requests before it: a second payment
    /// to the same account, and the same payment again, are no changes since the review.
    @Test func theHistoryHasTheEarlierRequests() throws {
        let requests = try [
            request("1.0000 EOS"), request("2.0000 EOS"), request("1.0000 EOS", expiring: 1),
            request("1.0000 EOS"),
        ]
        let results = try sign(requests, consent: ScriptConsent())
        let reviews = try results.map { try #require($0).get().request.review }
        let bob = try Name("bob"), token = try Name("eosio.token")
        #expect(reviews.map { $0.isFirstTransfer(to: bob, by: token) } == [true, false, false, false])
        #expect(reviews.map { $0.liveVariants(now: 0).count } == [0, 0, 1, 1])
        #expect(
            try results.map { try #require($0).get().request.wasSignedBefore } == [false, false, false, true])
        #expect(try signedIDs() == requests.map(\.review.transaction.id))
    }

    /// Policies see the earlier requests too.
    @Test func aPolicyRefusesTheVariantOfAnEarlierRequest() throws {
        let warning = WarningCode.signedBefore.rawValue
        try vault.setPolicy(PolicyTests.document(#""refuse":["\#(warning)"]"#))
        let requests = try [
            request("1.0000 EOS"), request("1.0000 EOS", expiring: 1), request("2.0000 EOS"),
        ]
        let results = try sign(requests, consent: PolicyConsent())
        #expect(results.map(Self.isRefused) == [false, true, false])
        #expect(try signedIDs() == [0, 2].map { requests[$0].review.transaction.id })
    }

    /// A person answered for a review without the variant that was signed meanwhile.
    @Test func anAnswerIsAboutTheHistoryInTheReview() throws {
        let requests = try [request("1.0000 EOS"), request("1.0000 EOS", expiring: 1)]
        let results = try sign(requests)
        #expect(Self.error(results[0]) == nil && Self.error(results[1]) == .historyChangedSinceReview)
    }

    // MARK: - a lock

    /// Another thread locks the vault before, between or after the requests, and nothing is
    /// recorded.
    @Test(arguments: [0, 1, 2])
    func aLockEndsTheGroup(at index: Int) throws {
        let requests = try authorized((1...3).map { try vault.request("\($0).0000 EOS") })
        let unlocked = try vault.unlock()
        let custody = unlocked.custody
        #expect(throws: SigningError.vault(.input(.locked))) {
            _ = try AuthorizedRequest.sign(requests, with: unlocked) {
                if $0 == index { custody.lock() }
                return index != 2 || $0 != 2
            }
        }
        #expect(custody.isWiped)
        #expect(try signedIDs().isEmpty)
    }

    // MARK: - failures

    /// A key that was removed, or that changed, refuses only its own request.
    @Test func otherRequestsAreSigned() throws {
        let renamed = ChosenKey(KeyDescription(vault.bob.publicKey, label: "old"), choice: .publicKey)
        let key = try KeyStoreTests.key("5JNqLXYMQUqgRLJFX9TPALvdemupJHv2igV5tebKDEuBTas64sa").publicKey
        let missing = ChosenKey(KeyDescription(key, label: nil, isBackedUp: false), choice: .publicKey)
        let requests = try [
            vault.request("1.0000 EOS", by: [vault.alice, renamed]),
            vault.request("2.0000 EOS", by: [vault.alice, missing]), vault.request("3.0000 EOS"),
        ]
        let results = try sign(requests)
        #expect(Self.error(results[0]) == .changedSinceReview(name: vault.bob.publicKey.text))
        #expect(Self.error(results[1]) == .vault(.input(.noSuchKey)))
        // No record of alice's key is left of the requests that were refused.
        #expect(try signedIDs() == [requests[2].review.transaction.id])
        #expect(try results[2]?.get().transaction.signatures.count == 1)
    }

    /// A signature that the store can't make, or makes wrong, is not recorded for the other keys of
    /// the request.
    @Test func allKeysSignBeforeARecord() throws {
        let store = TestStore()
        let key = KeyDescription(try KeyStoreTests.key(KeyStoreTests.alice).publicKey, label: "treasury")
        let other = KeyDescription(try KeyStoreTests.key(KeyStoreTests.bob).publicKey, label: "treasury")
        let review = try KeyStoreTests.request(label: "treasury").review
        let requests = try [[key, other], [key]].map { keys in
            try SigningRequest(review, keys: keys.map { ChosenKey($0, choice: .publicKey) })
                .authorize(.empty)
        }
        // The store signs with the key of alice only.
        let results = try AuthorizedRequest.sign(requests, with: store) { _ in true }
        #expect(Self.error(results[0]) == .recoveredOtherKey)
        #expect(try results[1]?.get().transaction.signatures.map(\.text) == [SigningRequestTests.signature])
        #expect(store.records.count == 1)
    }

    /// An error of the store ends the group, and nothing of it is recorded.
    @Test func anErrorOfTheStoreEndsTheGroup() throws {
        let store = TestStore()
        store.failsAfter = 1
        let request = try KeyStoreTests.request(label: "treasury").authorize(.empty)
        #expect(throws: SigningError.store(StoreFailure(TestStore.Failure.locked))) {
            _ = try AuthorizedRequest.sign([request, request], with: store) { _ in true }
        }
        #expect(store.records.isEmpty && store.signatureCount == 1)
    }

    /// Nothing is released if the vault was edited, or is full of rows that do not belong to it.
    @Test func anEditedVaultSignsNothing() throws {
        let requests = try authorized([vault.request("1.0000 EOS"), vault.request("2.0000 EOS")])
        let unlocked = try vault.unlock()
        try vault.tamper("UPDATE entries SET created_at = created_at + 1")
        #expect(throws: SigningError.self) {
            _ = try AuthorizedRequest.sign(requests, with: unlocked) { _ in true }
        }
    }

    /// A store that returns the result of another group releases nothing.
    @Test func anOutcomeOfAnotherGroupIsRefused() throws {
        let store = TestStore()
        let request = try KeyStoreTests.request(label: "treasury").authorize(.empty)
        _ = try AuthorizedRequest.sign([request], with: store) { _ in true }
        store.repeats = true
        let wax = try KeyStoreTests.request(label: "treasury", chain: "wax").authorize(.empty)
        let results = try AuthorizedRequest.sign([wax], with: store) { _ in true }
        #expect(results.map(Self.error) == [.recoveredOtherKey])
        #expect(throws: SigningError.recoveredOtherKey) {
            _ = try AuthorizedRequest.sign([wax, wax], with: store) { _ in true }
        }
    }
}
