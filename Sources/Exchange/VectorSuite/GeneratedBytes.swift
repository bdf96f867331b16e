import Codecs
import JSON

/// The bytes that a field `generator` describes: SHA-256(seed, block number as 4 bytes) for each
/// block, cut to the length.
enum GeneratedBytes {
    /// More bytes than any message may have.
    private static let limit = 1 << 21

    static func read(_ test: VectorTest) throws(VectorFailure) -> [UInt8] {
        let generator = try test.value("generator")
        guard let seed = generator["seed"]?.string,
            let length = generator["length"]?.number.flatMap({ Int($0) }),
            (0...limit).contains(length)
        else { throw .malformedField("generator") }
        var bytes: [UInt8] = []
        var block: UInt32 = 0
        while bytes.count < length {
            bytes += HashFunction.sha256.hash(seed.utf8 + block.bigEndianBytes)
            block += 1
        }
        return Array(bytes.prefix(length))
    }
}
