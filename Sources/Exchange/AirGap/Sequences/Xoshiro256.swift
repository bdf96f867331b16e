import Codecs

/// The random numbers of UR: xoshiro256** (Blackman and Vigna), seeded with a SHA-256 digest
/// (BCR-2024-001). Both ends compute the same numbers. They protect nothing.
package struct Xoshiro256 {
    private var state: [UInt64]

    /// The words of the state are the digest's words, with their most significant bytes first.
    package init(seed: [UInt8]) {
        let digest = HashFunction.sha256.hash(seed)
        state = (0..<4).map { word in
            digest[(word * 8)..<(word * 8 + 8)].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        }
    }

    package mutating func next() -> UInt64 {
        let result = Self.rotated(state[1] &* 5, by: 7) &* 9
        let shifted = state[1] << 17
        state[2] ^= state[0]
        state[3] ^= state[1]
        state[1] ^= state[2]
        state[0] ^= state[3]
        state[2] ^= shifted
        state[3] = Self.rotated(state[3], by: 45)
        return result
    }

    private static func rotated(_ value: UInt64, by count: UInt64) -> UInt64 {
        value << count | value >> (64 - count)
    }

    /// A number of 0 to 1. Rounding can give 1.
    package mutating func nextDouble() -> Double { Double(next()) / 0x1p64 }

    /// A number of a range that is not empty.
    package mutating func nextInt(_ range: ClosedRange<Int>) -> Int {
        // A double of 1 would give a number above the range.
        min(Int(nextDouble() * Double(range.count)), range.count - 1) + range.lowerBound
    }
}
