import Codecs
import SecureMemory
import Testing

@testable import Curves

/// A bit flips while a signature is computed: nothing is given out, whichever it was.
struct SigningFaultTests {
    static let key = "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318"

    static func sign(_ fault: SigningFault?, checked: Bool = true) throws -> K1Signed {
        let key = try SigningTests.key(.k1, Self.key)
        let digest = try digest()
        return try SigningFault.$testHook.withValue(fault) {
            try checked ? key.sign(digest) : key.signUnchecked(digest)
        }
    }

    static func digest() throws -> SigningDigest { try SigningDigest([UInt8](repeating: 0xa5, count: 32)) }

    static let places: [(String, @Sendable (Int) -> SigningFault, Int)] = [
        ("key", { .key(bit: $0) }, 256), ("digest", { .digest(bit: $0) }, 256), ("nonce", { .nonce(bit: $0) }, 256),
        ("signature", { .signature(bit: $0) }, 512),
    ]

    @Test(arguments: places.indices)
    func noFaultySignatureIsGivenOut(place: Int) throws {
        let (_, fault, bits) = Self.places[place]
        for bit in 0..<bits {
            #expect(throws: CurveError.self, "bit \(bit)") { try Self.sign(fault(bit)) }
        }
    }

    /// What is refused above is the fault and nothing else: each of them does make another
    /// signature than the right one, which is given out where nobody looks.
    @Test(arguments: places.indices)
    func eachFaultMakesAnotherSignature(place: Int) throws {
        let (_, fault, bits) = Self.places[place]
        let right = try Self.sign(nil).signature
        #expect(try right == Self.sign(nil, checked: false).signature)
        var others = 0
        for bit in stride(from: 0, to: bits, by: 16) {
            guard let wrong = try? Self.sign(fault(bit), checked: false).signature else { continue }
            #expect(wrong != right, "bit \(bit)")
            others += 1
        }
        #expect(others > bits / 32)
    }

    /// Why a comparison of public keys is not enough: beside the right one this signature gives the
    /// key away, and it recovers to the right key.
    @Test func aWrongNonceIsFoundThoughTheKeyIsRight() throws {
        let wrong = try Self.sign(.nonce(bit: 0), checked: false)
        let publicKey = try SigningTests.key(.k1, Self.key).publicKey
        #expect(try wrong.signature.recover(Self.digest()) == publicKey)
        #expect(throws: CurveError.faultyNonce) { try Self.sign(.nonce(bit: 0)) }
    }

    @Test func aWrongKeyOrDigestRecoversToAnother() {
        #expect(throws: CurveError.recoveredOtherKey) { try Self.sign(.key(bit: 255)) }
        #expect(throws: CurveError.recoveredOtherKey) { try Self.sign(.digest(bit: 0)) }
    }
}
