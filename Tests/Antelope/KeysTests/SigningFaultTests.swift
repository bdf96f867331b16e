import Codecs
import SecureMemory
import Testing

@testable import Keys

/// When a bit flips while a signature is computed, no signature is released.
struct SigningFaultTests {
    static let key = "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318"

    static func sign(_ fault: SigningFault?, checked: Bool = true) throws -> Signature {
        let key = try SigningTests.key(.k1, Self.key)
        let digest = try digest()
        return try SigningFault.$testHook.withValue(fault) {
            try checked ? key.sign(digest).signature : key.signUnchecked(digest)
        }
    }

    static func digest() throws -> SigningDigest { try SigningDigest([UInt8](repeating: 0xa5, count: 32)) }

    static let places: [(String, @Sendable (Int) -> SigningFault, Int)] = [
        ("key", { .key(bit: $0) }, 256), ("digest", { .digest(bit: $0) }, 256),
        ("nonce", { .nonce(bit: $0) }, 256),
        ("signature", { .signature(bit: $0) }, 512),
    ]

    @Test(arguments: places.indices)
    func noFaultySignatureIsReleased(place: Int) throws {
        let (_, fault, bits) = Self.places[place]
        for bit in 0..<bits {
            #expect(throws: CurveError.self, "bit \(bit)") { try Self.sign(fault(bit)) }
        }
    }

    /// R1 has random nonces, so a wrong nonce is only another nonce.
    @Test(arguments: [places[0], places[1], places[3]].indices)
    func noFaultyR1SignatureIsReleased(place: Int) throws {
        let (_, fault, bits) = [Self.places[0], Self.places[1], Self.places[3]][place]
        let key = try SigningTests.key(.r1, Self.key)
        let digest = try Self.digest()
        for bit in stride(from: 0, to: bits, by: 5) {
            #expect(throws: CurveError.self, "bit \(bit)") {
                try SigningFault.$testHook.withValue(fault(bit)) { try key.sign(digest) }
            }
        }
    }

    /// Checks that the test above detects the fault itself: each fault produces a wrong signature,
    /// which the unchecked function releases.
    @Test(arguments: places.indices)
    func eachFaultChangesTheSignature(place: Int) throws {
        let (_, fault, bits) = Self.places[place]
        let right = try Self.sign(nil)
        #expect(try right == Self.sign(nil, checked: false))
        var others = 0
        for bit in stride(from: 0, to: bits, by: 16) {
            guard let wrong = try? Self.sign(fault(bit), checked: false) else { continue }
            #expect(wrong != right, "bit \(bit)")
            others += 1
        }
        #expect(others > bits / 32)
    }

    /// Comparing public keys is not enough: this signature recovers to the right key. Together with
    /// the correct signature of the same digest, it discloses the private key.
    @Test func wrongNonceIsDetected() throws {
        let wrong = try Self.sign(.nonce(bit: 0), checked: false)
        let publicKey = try SigningTests.key(.k1, Self.key).publicKey
        #expect(try wrong.recover(Self.digest()) == publicKey)
        #expect(throws: CurveError.faultyNonce) { try Self.sign(.nonce(bit: 0)) }
    }

    /// The check of the nonce computes with the digest modulo the order, as the signature does.
    @Test func digestsAboveTheOrderAreSigned() throws {
        let key = try SigningTests.key(.k1, Self.key)
        let start = Array(Curve.k1.order.dropLast())
        let ends: [UInt8] = [0x40, 0x41, 0x42]
        let numbers = ends.map { start + [$0] } + [0, 0xff].map { [UInt8](repeating: $0, count: 32) }
        for bytes in numbers {
            let digest = try SigningDigest(bytes)
            let signature = try key.sign(digest).signature
            #expect(try signature.recover(digest) == key.publicKey)
            #expect(try signature == key.signUnchecked(digest))
        }
    }

    @Test func wrongKeyOrDigestRecoversToOtherKey() {
        #expect(throws: CurveError.recoveredOtherKey) { try Self.sign(.key(bit: 255)) }
        #expect(throws: CurveError.recoveredOtherKey) { try Self.sign(.digest(bit: 0)) }
    }
}
