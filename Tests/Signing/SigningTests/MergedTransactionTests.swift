import Codecs
import Keys
import SecureMemory
import Testing
import Transactions

@testable import Signing

struct MergedTransactionTests {
    private let eos: ChainID
    private let packed: [UInt8]

    init() throws {
        eos = try ChainID("eos")
        packed = try Hex.decode("009e2a6a010001000000000000000000")
    }

    private func key(_ number: UInt8) throws -> PrivateKey {
        try PrivateKey(curve: .k1, scalar: SecureBytes(copyingPublic: [UInt8](repeating: number, count: 32)))
    }

    private func copy(_ keys: [UInt8], contextFreeData: [[UInt8]] = []) throws -> SignedTransaction {
        var copy = try SignedTransaction(packed: packed, contextFreeData: contextFreeData)
        let digest = copy.digest(for: eos)
        for number in keys { copy.append(try key(number).sign(digest).signature) }
        return copy
    }

    @Test func joinsSignaturesInOrder() throws {
        var merged = try MergedTransaction(copy([3, 1]), chain: eos)
        try merged.add(copy([1, 2]))
        try merged.add(copy([]))
        #expect(try merged.keys == [3, 1, 2].map { try key($0).publicKey })
        #expect(merged.duplicateCount == 1)
        #expect(try merged.transaction.signatures == copy([3, 1, 2]).signatures)
        #expect(merged.transaction.packed == packed)
    }

    @Test func refusesOtherTransactions() throws {
        var merged = try MergedTransaction(copy([1]), chain: eos)
        let other = try SignedTransaction(packed: Hex.decode("019e2a6a010001000000000000000000"))
        #expect(throws: MergeError.otherTransaction(id: other.id, first: merged.transaction.id)) {
            try merged.add(other)
        }
        #expect(throws: MergeError.otherContextFreeData) { try merged.add(copy([2], contextFreeData: [[0]])) }
        #expect(try merged.keys == [key(1).publicKey])
    }

    @Test func joinsSignaturesWithoutTheirTransaction() throws {
        var merged = try MergedTransaction(copy([]), chain: eos)
        try merged.add(copy([1, 2]).signatures, of: copy([]).idBytes)
        try merged.add(copy([2]).signatures, of: copy([]).idBytes)
        #expect(try merged.keys == [1, 2].map { try key($0).publicKey })
        #expect(merged.duplicateCount == 1)
        let other = [UInt8](repeating: 0xab, count: 32)
        #expect(throws: MergeError.otherTransaction(id: Hex.encode(other), first: merged.transaction.id)) {
            try merged.add(copy([3]).signatures, of: other)
        }
    }

    /// The order of the curve's group (SEC 2, secp256k1).
    private static let order = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"

    /// r = s = 0 recovers to no key. A signature with n - s instead of s recovers to the same key,
    /// but is not canonical.
    @Test func refusesUnusableSignatures() throws {
        var merged = try MergedTransaction(copy([1]), chain: eos)
        var broken = try copy([2])
        broken.append(try signature([31] + [UInt8](repeating: 0, count: 64)))
        #expect(throws: MergeError.notRecovered(index: 1, .notRecoverable)) { try merged.add(broken) }
        var high = try copy([])
        let bytes = try copy([2]).signatures[0].body
        var difference = [UInt8](repeating: 0, count: 32)
        var borrow = 0
        for (index, (n, s)) in zip(try Hex.decode(Self.order), bytes.suffix(32)).enumerated().reversed() {
            let digit = Int(n) - Int(s) - borrow
            difference[index] = UInt8(digit & 0xff)
            borrow = digit < 0 ? 1 : 0
        }
        high.append(try signature([31 + ((bytes[0] - 31) ^ 1)] + bytes[1...32] + difference))
        #expect(Signer.all(of: high, over: high.digest(for: eos)) == [.nonCanonical(try key(2).publicKey)])
        #expect(throws: MergeError.notCanonical(index: 0)) { try merged.add(high) }
        #expect(try merged.keys == [key(1).publicKey])
    }

    private func signature(_ bytes: [UInt8]) throws -> Signature {
        try ByteReader.read(bytes) { reader in try Signature(kind: .k1, from: &reader) }
    }

    @Test func numberIsLimited() throws {
        let one = try copy([1]).signatures[0]
        var many = try copy([])
        for _ in 0...Review.maximumSignatureCount { many.append(one) }
        #expect(throws: MergeError.tooManySignatures(limit: 1_000)) {
            try MergedTransaction(many, chain: eos)
        }
    }
}
