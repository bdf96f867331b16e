import Codecs

/// One representation of a secret.
struct Form {
    let name: String
    let bytes: [UInt8]
    /// The ranges of the pieces that are searched for.
    let pieces: [Range<Int>]
    /// Whether the form is English words, which also occur in other texts.
    let isWords: Bool

    /// - Parameters:
    ///   - piece: the number of consecutive bytes that identify the secret.
    ///   - step: the distance from one piece to the next.
    ///   - known: the number of bytes at the start that every secret of this kind has; a piece
    ///     contains at most one of them.
    init(_ name: String, _ bytes: [UInt8], piece: Int = 8, step: Int = 1, known: Int = 0) {
        (self.name, self.bytes, isWords) = (name, bytes, false)
        pieces = stride(from: max(0, known - 1), through: bytes.count - piece, by: step).map {
            $0..<($0 + piece)
        }
    }

    init(_ name: String, _ bytes: [UInt8], pieces: [Range<Int>], isWords: Bool = true) {
        (self.name, self.bytes, self.pieces, self.isWords) = (name, bytes, pieces, isWords)
    }
}

/// A value that must be found only where it is kept.
struct Secret {
    let name: String
    /// The value; equal bytes are one secret.
    let bytes: [UInt8]
    let forms: [Form]

    init(_ name: String, _ bytes: [UInt8], _ forms: [Form]) {
        (self.name, self.bytes, self.forms) = (name, bytes, forms)
    }

    /// Bytes in binary form and in possible text forms.
    static func bytes(_ name: String, _ bytes: [UInt8], _ more: [Form] = []) -> Secret {
        Secret(name, bytes, binaryForms(bytes) + more)
    }

    static func text(_ name: String, _ text: String) -> Secret {
        let bytes = Array(text.utf8)
        return Secret(
            name, bytes,
            [Form("text", bytes), Form("text backwards", bytes.reversed())] + base64Forms(bytes)
                + hexForms(bytes))
    }

    static func binaryForms(_ bytes: [UInt8]) -> [Form] {
        [Form("bytes", bytes), Form("bytes backwards", bytes.reversed())] + hexForms(bytes)
            + [Form("hex backwards", Array(Hex.encode(bytes.reversed()).utf8), piece: 16)]
            + base64Forms(bytes)
    }

    private static func hexForms(_ bytes: [UInt8]) -> [Form] {
        let text = Hex.encode(bytes)
        return [
            Form("hex", Array(text.utf8), piece: 16),
            Form("upper-case hex", Array(text.uppercased().utf8), piece: 16),
        ]
    }

    /// The number of bytes before the secret determines how its bits are divided into base64
    /// digits.
    private static func base64Forms(_ bytes: [UInt8]) -> [Form] {
        (0..<3).map { shift in
            let text = Array(Base64.encode([UInt8](repeating: 0, count: shift) + bytes).utf8)
            // Digits that contain bits of other bytes are left out.
            let first = shift == 0 ? 0 : shift + 1
            let last = (shift + bytes.count) * 8 / 6
            return Form("base64 at \(shift)", Array(text[first..<last]), piece: 11)
        }
    }
}

extension FixedWidthInteger {
    /// The bytes from the lowest to the highest, as in this machine's memory.
    var littleEndianBytes: [UInt8] {
        (0..<(Self.bitWidth / 8)).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
    }
}
