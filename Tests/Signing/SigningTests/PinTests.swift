import ABICodec
import Keys
import SecureMemory
import TestSupport
import Testing
import Transactions

@testable import KeyVault
@testable import Signing

/// The pinned ABIs that decode a review are read unverified before the PIN is known. They are
/// compared with the verified ones before a key signs.
struct PinTests {
    let signing: SigningRequestTests
    let alice: ChosenKey

    init() throws {
        signing = try SigningRequestTests()
        alice = try signing.add(SigningRequestTests.alice)
    }

    /// The raw form of the built-in ABI of eosio.token, with another time.
    static func raw(_ clause: String = "") throws -> [UInt8] {
        let json = """
            {"version": "eosio::abi/1.2", "structs": [{"name": "transfer", "base": "", "fields": [
            {"name": "from", "type": "name"}, {"name": "to", "type": "name"}, {"name": "quantity", "type": "asset"},
            {"name": "memo", "type": "string"}]}],
            "actions": [{"name": "transfer", "type": "transfer", "ricardian_contract": "\(clause)"}]}
            """
        return try ABIDefinition.read(Array(json.utf8)).rawForm()
    }

    private func pin(_ account: String, _ raw: [UInt8], chain: String = "eos") throws {
        let contract = try #require(ContractAddress(chain: ChainID(chain).bytes, account: account))
        let abi = try PinnedABI(contract, raw: raw, pinnedAt: 3)
        try signing.unlock().transaction { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.pin(abi)
        }
    }

    private func open() throws -> Vault { try Vault.open(signing.folder.path + "/vault.db") }

    private func unverifiedPins() throws -> [PinnedContractABI] {
        try open().unverifiedPinnedABIs(of: signing.chain.bytes).map { try PinnedContractABI($0) }
    }

    private func request(_ pins: [PinnedContractABI]) throws -> AuthorizedRequest {
        let abis = ContractABIs(pins: pins)
        let transaction = try SignedTransaction(
            reading: repositoryFile("Vectors/examples/transfer.json"), abis: abis)
        let review = try Review(of: transaction, chain: signing.chain, abis: abis)
        return try SigningRequest(review, keys: [alice]).authorize(.empty)
    }

    private func expectRefusal(_ request: AuthorizedRequest, _ account: String) throws {
        let error = SigningError.pinsChangedSinceReview(account: try Name(account))
        let vault = try signing.unlock()
        #expect(throws: error) { try request.sign(with: vault) }
        #expect(throws: error) { try request.signWithoutRecord(with: vault) }
        var signatures = 0
        try vault.log { if case .signed = $0.event { signatures += 1 } }
        #expect(signatures == 0)
    }

    @Test func signsWithThePinsOfTheReview() throws {
        try pin("eosio.token", Self.raw())
        try pin("other", Self.raw("other"))
        try pin("eosio.token", Self.raw("wax"), chain: "wax")
        let request = try request(unverifiedPins())
        guard case .decoded(let source) = request.request.review.actions[0].content else {
            Issue.record("not decoded")
            return
        }
        #expect(source == .pinned(ABIHash(raw: try Self.raw())))
        let signed = try request.sign(with: signing.unlock())
        #expect(signed.signatures.map(\.text) == [SigningRequestTests.signature])
    }

    @Test func refusesAReviewWithoutThePins() throws {
        try pin("eosio.token", Self.raw())
        try expectRefusal(request([]), "eosio.token")
    }

    /// Another process pinned, replaced or removed an ABI after the review.
    @Test func refusesAfterAChange() throws {
        let before = try request(unverifiedPins())
        try pin("mytoken", Self.raw())
        try expectRefusal(before, "mytoken")
        let pinned = try request(unverifiedPins())
        try pin("mytoken", Self.raw("newer"))
        try expectRefusal(pinned, "mytoken")
        let newer = try request(unverifiedPins())
        let contract = try #require(ContractAddress(chain: signing.chain.bytes, account: "mytoken"))
        try signing.unlock().transaction { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.unpin(contract)
        }
        try expectRefusal(newer, "mytoken")
    }

    /// The file showed other pins than the verified ones.
    @Test func refusesPinsThatAreNotInTheVault() throws {
        try expectRefusal(
            request([PinnedContractABI(account: Name("eosio.token"), raw: Self.raw())]), "eosio.token")
        try pin("eosio.token", Self.raw())
        try open().connection.run("DELETE FROM abis")
        let request = try request(unverifiedPins())
        let vault = try signing.unlock()
        #expect(throws: SigningError.self) { try request.sign(with: vault) }
    }
}
