import Keys
import SecureMemory
import TestSupport
import Testing
import Transactions

@testable import KeyVault

/// The secrets to search for are the values that the program computes.
struct SecretTests {
    /// A nonce that is computed from a signature has the r of the signature.
    @Test func aRandomNonceIsComputed() throws {
        let scalar = VaultFixture.random(32)
        let digest = SigningDigest(sha256: [1])
        let signature = try PrivateKey(curve: .r1, scalar: SecureBytes(copyingPublic: scalar)).sign(digest)
            .signature
        let secrets = Secret.nonce(of: signature, over: digest, by: scalar)
        for nonce in [secrets[0], secrets[4]] {
            let point = try PrivateKey(curve: .r1, scalar: SecureBytes(copyingPublic: nonce.bytes)).publicKey
            #expect(point.body[1...].elementsEqual(signature.body[1..<33]))
        }
        #expect(Set(secrets.map(\.bytes)).count == 8)
    }

    /// The point of a nonce is the first half of the signature, and a nonce times its inverse is 1.
    @Test func noncesMatchTheSignature() throws {
        let transaction = try SignedTransaction(
            reading: repositoryFile("Vectors/examples/transfer.json"), abis: ContractABIs())
        let digest = transaction.digest(for: try ChainID("eos"))
        let scalar = VaultFixture.random(32)
        let secrets = try Secret.nonces(signing: digest, with: scalar, "a key")
        let signed = try PrivateKey(curve: .k1, scalar: SecureBytes(copyingPublic: scalar)).sign(digest)
        #expect(secrets.count == 2 * signed.attempts)
        let nonce = secrets[secrets.count - 2].bytes
        let point = try PrivateKey(curve: .k1, scalar: SecureBytes(copyingPublic: nonce)).publicKey
        let signature = signed.signature.body
        #expect(point.body[1...].elementsEqual(signature[1..<33]))
        #expect(
            Secret.product(nonce, secrets[secrets.count - 1].bytes) == [UInt8](repeating: 0, count: 31) + [1])
    }
}
