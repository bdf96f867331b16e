import KeyText
import SecureMemory
import TestSupport
import Testing
import Transactions

@testable import KeyVault
@testable import Signing

/// A vault with a policy signs nothing, because this version interprets no policy.
struct PolicyTests {
    let signing: SigningRequestTests
    let alice: ChosenKey
    let bob: ChosenKey

    init() throws {
        signing = try SigningRequestTests()
        alice = try signing.add(SigningRequestTests.alice)
        bob = try signing.add(SigningRequestTests.bob)
    }

    /// Adds a policy as a newer version would: in the manifest and in the audit log's generation.
    private func setPolicy() throws {
        try signing.unlock().transaction { (transaction: inout VaultTransaction) throws(VaultError) in
            let leaf = Manifest.Leaf(table: .policies, bucket: 0)
            try transaction.load(leaf)
            try transaction.write { (transaction: inout VaultTransaction) throws(VaultError) in
                try transaction.connection.run("INSERT INTO policies VALUES ('limit', x'07')")
                transaction.add("limit", leaf) { encoder in
                    encoder.beginRow(columnCount: 2)
                    encoder.append(text: "limit".utf8)
                    encoder.append(blob: [7])
                }
            }
        }
    }

    /// Changes the file as another program would.
    private func tamper(_ sql: String) throws { try open().connection.run(sql) }

    private func open() throws -> Vault { try Vault.open(signing.folder.path + "/vault.db") }

    private func request(_ keys: [ChosenKey]) throws -> SigningRequest {
        try SigningRequest(signing.review(), keys: keys)
    }

    private func signatureCount() throws -> Int {
        var count = 0
        try signing.unlock().log { record in
            if case .signed = record.event { count += 1 }
        }
        return count
    }

    /// Each way to sign refuses the vault with this error, and records no signature. The request
    /// was authorized before, as if the file had shown no policy.
    private func expectRefusal(_ error: SigningError) throws {
        for keys in [[alice], [bob, alice]] {
            let request = try request(keys).authorize(hasPolicies: false)
            let vault = try signing.unlock()
            #expect(throws: error) { try request.sign(with: vault) }
            #expect(throws: error) { try request.signWithoutRecord(with: vault) }
        }
        #expect(try signatureCount() == 0)
    }

    @Test func aPolicyRefusesEverySignature() throws {
        #expect(try !open().unverifiedHasPolicies())
        try setPolicy()
        #expect(try open().unverifiedHasPolicies())
        try expectRefusal(.vault(.input(.policySet)))
        // Everything else works.
        #expect(try signing.unlock().entries().count == 2)
    }

    /// The unverified file decides before the PIN is asked for.
    @Test func aPolicyRefusesTheRequest() throws {
        try setPolicy()
        let request = try request([alice])
        #expect(throws: SigningError.vault(.input(.policySet))) {
            try request.authorize(hasPolicies: open().unverifiedHasPolicies())
        }
    }

    /// A policy that another program removed from the file is missing in the verified bucket.
    @Test func aRemovedPolicyIsFound() throws {
        try setPolicy()
        try tamper("DELETE FROM policies")
        #expect(try !open().unverifiedHasPolicies())
        try expectRefusal(.vault(.integrity(.manifestMismatch(.bucket(.policies, 0)))))
    }

    /// A policy that another program wrote is in no verified bucket.
    @Test func aPlantedPolicyIsFound() throws {
        try tamper("INSERT INTO policies VALUES ('limit', x'07')")
        #expect(try open().unverifiedHasPolicies())
        try expectRefusal(.vault(.integrity(.manifestMismatch(.bucket(.policies, 0)))))
    }
}
