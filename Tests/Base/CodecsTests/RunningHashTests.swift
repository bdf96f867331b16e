import Testing

@testable import Codecs

struct RunningHashTests {
    /// The parts of a message have the digest of the whole message.
    @Test func partsHaveTheDigestOfTheWhole() {
        let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0) }
        for function in [HashFunction.sha256, .ripemd160] {
            for size in [1, 63, 64, 65, 1_000] {
                var hash = RunningHash(function)
                hash.add([])
                for start in stride(from: 0, to: bytes.count, by: size) {
                    hash.add(Array(bytes[start..<min(start + size, bytes.count)]))
                }
                #expect(hash.digest() == function.hash(bytes))
            }
        }
    }
}
