import AirGap
import Codecs
import Keys
import Shell
import Testing
import Transactions

@testable import App

/// The texts of a sequence of QR codes, as a scanner writes them.
struct ScannedCodesTests {
    private let transaction: SignedTransaction
    private let chain: ChainID
    private let parts: [String]

    init() throws {
        chain = try ChainID("wax")
        // One context-free datum makes the message long enough for several codes.
        transaction = try SignedTransaction(
            packed: [0, 0x9e, 0x2a, 0x6a, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            contextFreeData: [(0..<900).map { UInt8(truncatingIfNeeded: $0 * 7) }])
        let message = TransactionMessage(chain: chain, transaction: transaction)
        let encoder = try UREncoder(AirGapMessage.transaction(message).resource(), maximumFragment: 100)
        parts = (1...40).map { encoder.part(UInt32($0)).text }
    }

    private func read(_ lines: [String]) throws -> SignedTransaction {
        try #require(ScannedCodes(Array(lines.joined(separator: "\n").utf8))).transaction()
    }

    @Test func readsPartsInAnyOrder() throws {
        for lines in [
            parts, Array(parts.dropFirst(12).reversed()), parts + parts, parts.map { $0.uppercased() + "\r" },
        ] {
            let found = try read(lines)
            #expect(
                found.packed == transaction.packed && found.contextFreeData == transaction.contextFreeData)
            #expect(found.statedChain == chain)
        }
    }

    @Test func refusesIncompleteSequences() throws {
        #expect(throws: ScannedCodes.Failure.incomplete(missing: 9)) { try read([parts[0]]) }
        #expect(throws: ScannedCodes.Failure.incomplete(missing: 1)) { try read(Array(parts[..<9])) }
    }

    @Test func refusesOtherText() throws {
        #expect(ScannedCodes(Array("{\"actions\":[]}".utf8)) == nil)
        #expect(ScannedCodes([]) == nil)
        #expect(throws: ScannedCodes.Failure.line(2)) { try read([parts[0], "ur:"]) }
        #expect(throws: ScannedCodes.Failure.line(1)) { try read(["ur:x-eos-transaction/aeae"]) }
        let empty = try UniformResource(type: .transaction, cbor: [0xa0])
        #expect(throws: ScannedCodes.Failure.malformed) { try read([empty.text]) }
        #expect(throws: ScannedCodes.Failure.severalMessages) { try read(parts + [empty.text]) }
    }

    @Test func readsSignatures() throws {
        let signature = try ByteReader.read([UInt8](repeating: 32, count: 65)) { reader in
            try Signature(kind: .k1, from: &reader)
        }
        let message = SignaturesMessage(chain: chain, transaction: transaction, signatures: [signature])
        let text = try AirGapMessage.signatures(message).resource().text
        let codes = try #require(ScannedCodes(Array(text.utf8)))
        #expect(try codes.signatures() == message)
        #expect(throws: ScannedCodes.Failure.noTransaction(.signatures)) { try codes.transaction() }
        #expect(try #require(ScannedCodes(Array(parts.joined(separator: "\n").utf8))).signatures() == nil)
    }

    /// A type of another program.
    @Test func refusesOtherTypes() throws {
        let bytes = try UniformResource(type: URType("crypto-psbt".utf8), cbor: [0x40])
        #expect(throws: ScannedCodes.Failure.unknownType("crypto-psbt")) { try read([bytes.text]) }
    }
}
