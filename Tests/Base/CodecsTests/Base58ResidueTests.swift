import CProbe
import SecureMemory
import Testing

@testable import Codecs

/// Base58 of secrets leaves none of their bytes in the unused part of the stack. Library calls and
/// system calls follow before the caller is done.
struct Base58ResidueTests {
    private static let depth = 32 * 1024

    /// As many bytes as a private key with its version and checksum.
    private let bytes: [UInt8]
    /// The 8-byte words that decoding handles, from the end, in both byte orders.
    private let words: [UInt64]

    init() {
        bytes = (0..<37).map { _ in UInt8.random(in: 1...255) }
        let bytes = bytes
        words = stride(from: 37, through: 13, by: -8).flatMap { end in
            let word = bytes[(end - 8)..<end].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return [~word, ~word.byteSwapped]
        }
    }

    /// The number of words that are still on the stack. Calls no other function, which would
    /// overwrite them.
    private func leftCount() -> Int32 {
        var (count, index) = (Int32(0), 0)
        while index < words.count {
            count += probe_stack_has(words[index], Self.depth)
            index += 1
        }
        return count
    }

    @Test func decodingLeavesNothing() throws {
        let text = try SecureBytes(copyingPublic: Base58.encode(bytes).utf8)
        var decoded = try SecureBytes(count: bytes.count)
        wipeScratch()
        try text.withBytes { text throws(CodecError) in
            try decoded.withMutableBytes { span throws(CodecError) in try Base58.decode(text, into: &span) }
        }
        #expect(leftCount() == 0)
    }

    @Test func encodingLeavesNothing() throws {
        let secret = try SecureBytes(copyingPublic: bytes)
        var text = try SecureBytes(count: Base58.maximumTextCount(for: bytes.count))
        wipeScratch()
        let count = secret.withBytes { bytes in text.withMutableBytes { Base58.encode(bytes, into: &$0) } }
        #expect(count > 0)
        #expect(leftCount() == 0)
    }

    /// Checks the search itself: it finds a word that is there.
    @Test func searchFindsWord() {
        @inline(never) func spill(_ word: UInt64) -> UInt64 {
            var words: InlineArray<512, UInt64> = InlineArray(repeating: word)
            return withUnsafeMutableBytes(of: &words) { $0.load(fromByteOffset: 256, as: UInt64.self) }
        }
        #expect(spill(~words[0]) == ~words[0])
        #expect(leftCount() > 0)
    }
}
