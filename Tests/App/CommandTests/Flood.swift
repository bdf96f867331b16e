import Testing

/// Text that is typed or pasted without regard to the questions of the program.
struct Flood: Sendable, CustomTestStringConvertible {
    let bytes: [UInt8]
    /// How many bytes arrive at once.
    let piece: Int
    /// Whether the text begins again at its end.
    let isEndless: Bool
    /// Microseconds between pieces.
    var pause: UInt32 { piece < bytes.count ? 20_000 : 0 }

    init(_ count: Int, piece: Int, isEndless: Bool = false) {
        bytes = Array(String(repeating: "y\r", count: count / 2).utf8)
        (self.piece, self.isEndless) = (piece, isEndless)
    }

    /// From 100 to 1,000,000 bytes, at once and in pieces.
    static let all = [100, 24_000, 1_000_000].flatMap { count in
        [Flood(count, piece: count), Flood(count, piece: count / 20)]
    }

    var testDescription: String { "\(bytes.count) bytes, \(piece) at once" }
}
