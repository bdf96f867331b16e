import Codecs

/// The fragments that each part of a message mixes (BCR-2024-001). The first parts are the
/// fragments themselves. Each later part mixes fragments that its number and the checksum of the
/// message determine.
package struct FragmentChooser {
    private let count: Int
    private let checksum: UInt32
    private let degrees: AliasSampler

    /// - Parameter count: the fragments of the message, at least 1.
    package init(count: Int, checksum: UInt32) {
        self.count = count
        self.checksum = checksum
        degrees = AliasSampler(weights: (1...count).map { 1 / Double($0) })
    }

    /// The indexes of the fragments, in no particular order.
    /// - Parameter number: the number of the part, from 1.
    package func indexes(_ number: UInt32) -> [Int] {
        guard number > UInt32(clamping: count) else { return [Int(number) - 1] }
        var random = Xoshiro256(seed: number.bigEndianBytes + checksum.bigEndianBytes)
        let degree = degree(&random)
        return Self.shuffled(count, taking: degree, &random)
    }

    /// The number of fragments to mix: small numbers are more frequent.
    package func degree(_ random: inout Xoshiro256) -> Int { degrees.next(&random) + 1 }

    /// The first numbers of a random order of 0 to `count` - 1.
    package static func shuffled(_ count: Int, taking taken: Int, _ random: inout Xoshiro256) -> [Int] {
        var remaining = Array(0..<count)
        return (0..<taken).map { _ in remaining.remove(at: random.nextInt(0...(remaining.count - 1))) }
    }
}
