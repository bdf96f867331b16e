import Curves
import KeyText
import SecureMemory
import TestSupport
import Testing
import Transactions

@testable import KeyVault

/// What is looked for is what the program has.
struct SecretTests {
    /// A nonce's point is the first half of the signature, and a nonce times its inverse is 1.
    @Test func noncesAreTheOnesThatSign() throws {
        let transaction = try SignedTransaction(
            reading: repositoryFile("Vectors/examples/transfer.json"), abis: ContractABIs())
        let digest = transaction.digest(for: try ChainID("eos"))
        let scalar = Bench.random(32)
        let secrets = try Secret.nonces(signing: digest, with: scalar, "a key")
        let signed = try PrivateKey(curve: .k1, scalar: SecureBytes(copyingPublic: scalar)).sign(digest)
        #expect(secrets.count == 2 * signed.attempts)
        let nonce = secrets[secrets.count - 2].bytes
        let point = try PrivateKey(curve: .k1, scalar: SecureBytes(copyingPublic: nonce)).publicKey
        let signature = signed.signature.body
        #expect(point.body[1...].elementsEqual(signature[1..<33]))
        #expect(Secret.product(nonce, secrets[secrets.count - 1].bytes) == [UInt8](repeating: 0, count: 31) + [1])
    }
}
