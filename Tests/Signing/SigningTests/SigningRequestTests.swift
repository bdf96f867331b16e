import ABICodec
import Codecs
import KeyVault
import Keys
import SecureMemory
import TestSupport
import Testing
import Transactions

@testable import Signing

/// Signing with a vault, a transaction and its keys. The values are from Vectors/examples; cleos
/// signed them.
struct SigningRequestTests {
    let folder: TemporaryFolder
    let chain: ChainID

    init() throws {
        folder = try TemporaryFolder()
        chain = try ChainID("eos")
        try Vault.create(
            at: folder.path + "/vault.db", pin: pin(),
            cost: KDFCost(passes: 1, memory: 8_192, insecure: true),
            createdAt: 1)
    }

    func pin() throws -> PIN { try PIN(SecureBytes(copyingPublic: "a passphrase of several words".utf8)) }

    func unlock() throws -> UnlockedVault { try Vault.open(folder.path + "/vault.db").unlock(pin()) }

    func add(_ wif: String, label: String? = nil, choice: ChosenKey.Choice = .publicKey) throws -> ChosenKey {
        let key = try PrivateKey.parse(SecureBytes(copyingPublic: wif.utf8))
        let vault = try unlock()
        let entry = try vault.insert(key, label: label.map { try Label($0) }, createdAt: 2)
        return try ChosenKey(KeyDescription(vault.status(of: entry.name.text)), choice: choice)
    }

    func review(_ name: String = "transfer.json") throws -> Review {
        let transaction = try SignedTransaction(
            reading: repositoryFile("Vectors/examples/\(name)"), abis: ContractABIs())
        return try Review(of: transaction, chain: chain, abis: ContractABIs())
    }

    static let alice = "5KhnWA9uNDqAB75aiJ9wMp3d83xcuunpUmjKNtkmnAMnkvBRW3J"
    static let bob = "5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3"
    static let signature =
        "SIG_K1_KBeduu9pU6K53ZPbwBLdd6whfgPiBsakFQe6ZaoxcXu7q639zZFuNNgXRSpuBJ985nYUbfKYJKHBVy3J4rDEpbJi41a3HL"

    @Test func signsAsCleosDid() throws {
        let request = try SigningRequest(review(), keys: [try add(Self.alice)])
        #expect(!request.isComplete)
        let signed = try request.authorize(.empty).sign(with: unlock())
        #expect(signed.signatures.map(\.text) == [Self.signature])
    }

    @Test func appendsInOrderAndOnce() throws {
        let (alice, bob) = (try add(Self.alice), try add(Self.bob))
        let request = try SigningRequest(review("transfer.signed.json"), keys: [bob, alice, bob])
        let signed = try request.authorize(.empty).sign(with: unlock())
        #expect(signed.signatures.count == 2)
        #expect(signed.signatures[0].text == Self.signature)
        #expect(try signed.signatures[1].recover(signed.digest(for: chain)) == bob.publicKey)
        #expect(request.signatures(in: signed) == [signed.signatures[1], signed.signatures[0]])
    }

    @Test func signedRequestIsComplete() throws {
        let alice = try add(Self.alice)
        #expect(try SigningRequest(review("transfer.signed.json"), keys: [alice]).isComplete)
    }

    /// A signature for another chain does not count as one for this chain.
    @Test func signatureForAnotherChainDoesNotCount() throws {
        let transaction = try SignedTransaction(
            reading: repositoryFile("Vectors/examples/transfer.signed.json"), abis: ContractABIs())
        let wax = try ChainID("wax")
        let review = try Review(of: transaction, chain: wax, abis: ContractABIs())
        #expect(try !SigningRequest(review, keys: [add(Self.alice)]).isComplete)
    }

    @Test func refusesMissingKey() throws {
        // A key of another vault, which this vault does not contain.
        let other = try SigningRequestTests().add(Self.bob)
        let request = try SigningRequest(review(), keys: [add(Self.alice), other])
        #expect(throws: SigningError.vault(.input(.noSuchKey))) {
            try request.authorize(.empty).sign(with: unlock())
        }
    }

    /// Before the PIN was known, the file had the label on another key. The verified vault has the
    /// right key.
    @Test func refusesLabelOfOtherKey() throws {
        let alice = try add(Self.alice, label: "alice")
        _ = try add(Self.bob, label: "bob")
        let request = try SigningRequest(
            review(), keys: [ChosenKey(alice.description, choice: .label("bob"))])
        #expect(throws: SigningError.changedSinceReview(name: alice.publicKey.text)) {
            try request.authorize(.empty).sign(with: unlock())
        }
        let right = try SigningRequest(
            review(), keys: [ChosenKey(alice.description, choice: .label("alice"))])
        #expect(try right.authorize(.empty).sign(with: unlock()).signatures.map(\.text) == [Self.signature])
    }

    /// Another process added a key between the review and the signature. The error must not report
    /// tampering.
    @Test func reportsKeyAddedAfterReview() throws {
        let alice = try add(Self.alice, choice: .only)
        let request = try SigningRequest(review(), keys: [alice])
        #expect(
            try request.authorize(.empty).sign(with: unlock()).signatures.map(\.text) == [Self.signature])
        _ = try add(Self.bob)
        #expect(throws: SigningError.keyAddedMeanwhile) {
            try request.authorize(.empty).sign(with: unlock())
        }
    }

    /// A fault in the computation releases nothing, writes no log record, and leaves the vault
    /// unchanged.
    @Test(arguments: [SigningFault.key(bit: 3), .digest(bit: 77), .nonce(bit: 130), .signature(bit: 500)])
    func faultReleasesNothing(fault: SigningFault) throws {
        let request = try SigningRequest(review(), keys: [try add(Self.alice)])
        let vault = try unlock()
        #expect(throws: SigningError.self) {
            try SigningFault.$testHook.withValue(fault) { try request.authorize(.empty).sign(with: vault) }
        }
        #expect(try signatures() == [])
        #expect(try request.authorize(.empty).sign(with: vault).signatures.map(\.text) == [Self.signature])
    }

    private func signatures() throws -> [AuditEvent] {
        var events: [AuditEvent] = []
        try unlock().log { record in
            if case .signed = record.event { events.append(record.event) }
        }
        return events
    }

    /// One record for each signature, in their order, with the chain id, the transaction id and the
    /// actions.
    @Test func recordsWhatItSigns() throws {
        let (alice, bob) = (try add(Self.alice), try add(Self.bob))
        _ = try SigningRequest(review(), keys: [bob, alice]).authorize(.empty).sign(with: unlock())
        let chain = try Hex.decode("aca376f206b8fc25a6ed44dbdc66547c36c6c33e3a119ffbeaef943642f0e906")
        let id = try Hex.decode("284a1e8df2b84bbcf49264e4f66204cf533070357ea76b4118e3ea2aa1b3628a")
        let transfer = SignedActions.Kind(
            contract: try Name("eosio.token").rawValue, action: try Name("transfer").rawValue)
        let payment = SignedPayment(
            kind: .transfer, contract: try Name("eosio.token"), payer: try Name("alice"),
            recipient: try Name("bob"), quantity: try Asset("1.0000 EOS"), memo: "hello")
        let recorded = [bob, alice].map {
            AuditEvent.signed(
                key: EntryName($0.publicKey), chain: chain, transaction: id,
                actions: SignedActions([transfer], payments: [payment]))
        }
        #expect(try signatures() == recorded)
        // A key that has already signed does not sign again.
        _ = try SigningRequest(review("transfer.signed.json"), keys: [alice]).authorize(.empty).sign(
            with: unlock())
        #expect(try signatures() == recorded)
    }

    /// All or none: if the request fails at its second key, nothing is recorded and nothing is
    /// released.
    @Test func recordsOnlyReleasedSignatures() throws {
        let alice = try add(Self.alice)
        let other = try SigningRequestTests().add(Self.bob)
        #expect(throws: SigningError.vault(.input(.noSuchKey))) {
            try SigningRequest(review(), keys: [alice, other]).authorize(.empty).sign(with: unlock())
        }
        #expect(try signatures().isEmpty)
    }

    @Test func signsWithoutRecord() throws {
        let alice = try add(Self.alice)
        let signed = try SigningRequest(review(), keys: [alice]).authorize(.empty).signWithoutRecord(
            with: unlock())
        #expect(signed.signatures.map(\.text) == [Self.signature])
        #expect(try signatures().isEmpty)
    }

    @Test func needsAChain() throws {
        let transaction = try SignedTransaction(
            reading: repositoryFile("Vectors/examples/transfer.json"), abis: ContractABIs())
        let review = try Review(of: transaction, chain: nil, abis: ContractABIs())
        #expect(throws: SigningError.noChain) { try SigningRequest(review, keys: []) }
    }
}
