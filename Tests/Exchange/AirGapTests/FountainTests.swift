import AirGap
import Testing

/// How many parts a reader needs if it misses 30 % of them. The numbers are exact: the losses come
/// from seeds.
struct FountainTests {
    /// The bytes of a fragment, as `--qr-fragment` has them by default.
    private static let fragment = 120

    /// The parts that are shown until the message is complete.
    private static func shown(length: Int, seed: Int) throws -> (count: Int, least: Int) {
        var random = Xoshiro256(seed: Array("\(length)/\(seed)".utf8))
        let cbor = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let encoder = try UREncoder(UniformResource(type: .bytes, cbor: cbor), maximumFragment: fragment)
        var assembly: URAssembly?
        var number: UInt32 = 0
        while true {
            number += 1
            guard random.nextInt(0...9) >= 3 else { continue }
            let part = encoder.part(number)
            if let message = try assembly == nil ? nil : assembly?.adding(part) {
                #expect(message == encoder.resource)
                return (Int(number), encoder.count)
            }
            if assembly == nil { assembly = URAssembly(part) }
        }
    }

    @Test(arguments: [(250, 1000), (2 << 10, 1000), (20 << 10, 25), (200 << 10, 1)])
    func medianAtThirtyPercentLoss(length: Int, seeds: Int) throws {
        let runs = try (0..<seeds).map { try Self.shown(length: length, seed: $0) }
        let median = runs.map(\.count).sorted()[seeds / 2]
        #expect(runs.allSatisfy { $0.least == (length + Self.fragment - 1) / Self.fragment })
        #expect(median <= 2 * runs[0].least, "\(median) of \(runs[0].least)")
    }
}
