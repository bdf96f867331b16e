import Codecs

/// A secret in one way of writing it.
struct Form {
    let name: String
    let bytes: [UInt8]
    /// The pieces that are looked for: where each begins, and how long it is.
    let pieces: [Range<Int>]
    /// English words, as they stand in other texts too.
    let isWords: Bool

    /// - Parameters:
    ///   - piece: how many bytes in a row tell it.
    ///   - step: from one piece to the next.
    ///   - known: bytes at the start that stand in front of every secret of the kind; a piece has
    ///     one of them at most.
    init(_ name: String, _ bytes: [UInt8], piece: Int = 8, step: Int = 1, known: Int = 0) {
        (self.name, self.bytes, isWords) = (name, bytes, false)
        pieces = stride(from: max(0, known - 1), through: bytes.count - piece, by: step).map { $0..<($0 + piece) }
    }

    /// Words.
    init(_ name: String, _ bytes: [UInt8], pieces: [Range<Int>]) {
        (self.name, self.bytes, self.pieces, isWords) = (name, bytes, pieces, true)
    }
}

/// Something that is to be found nowhere but where it is kept.
struct Secret {
    let name: String
    /// What it is; two that are the same bytes are one secret.
    let bytes: [UInt8]
    let forms: [Form]

    init(_ name: String, _ bytes: [UInt8], _ forms: [Form]) {
        (self.name, self.bytes, self.forms) = (name, bytes, forms)
    }

    /// Bytes as they are, and as text that somebody may have made of them.
    static func bytes(_ name: String, _ bytes: [UInt8], _ more: [Form] = []) -> Secret {
        Secret(name, bytes, binaryForms(bytes) + more)
    }

    static func text(_ name: String, _ text: String) -> Secret {
        let bytes = Array(text.utf8)
        return Secret(
            name, bytes,
            [Form("text", bytes), Form("text backwards", bytes.reversed())] + base64Forms(bytes) + [hexForm(bytes)])
    }

    static func binaryForms(_ bytes: [UInt8]) -> [Form] {
        [Form("bytes", bytes), Form("bytes backwards", bytes.reversed()), hexForm(bytes)]
            + [
                Form("upper-case hex", Array(Hex.encode(bytes).uppercased().utf8), piece: 16),
                Form("hex backwards", Array(Hex.encode(bytes.reversed()).utf8), piece: 16),
            ]
            + base64Forms(bytes)
    }

    private static func hexForm(_ bytes: [UInt8]) -> Form { Form("hex", Array(Hex.encode(bytes).utf8), piece: 16) }

    /// What stands before the bytes decides how their bits fall on the digits.
    private static func base64Forms(_ bytes: [UInt8]) -> [Form] {
        (0..<3).map { shift in
            let text = Array(Base64.encode([UInt8](repeating: 0, count: shift) + bytes).utf8)
            // Digits that hold other bits than the secret's say nothing.
            let first = shift == 0 ? 0 : shift + 1
            let last = (shift + bytes.count) * 8 / 6
            return Form("base64 at \(shift)", Array(text[first..<last]), piece: 11)
        }
    }
}

extension FixedWidthInteger {
    /// From the lowest byte up, as this machine has it.
    var littleEndianBytes: [UInt8] { (0..<(Self.bitWidth / 8)).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) } }
}
