import Codecs

/// How BBQr writes bytes as characters of QR codes.
package enum BBQrEncoding: UInt8, Sendable {
    case hex = 0x48
    case base32 = 0x32
    /// Base32 of a deflate stream.
    case compressed = 0x5a

    /// A part that is not the last one has a multiple of so many characters, which are whole bytes.
    var characterGroup: Int { self == .hex ? 2 : 8 }

    /// The number of characters of so many bytes.
    func encodedCount(_ count: Int) -> Int { self == .hex ? count * 2 : (count * 8 + 4) / 5 }

    /// The characters of bytes, which are compressed already.
    func encode(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .hex: Array(Hex.encode(bytes).uppercased().utf8)
        case .base32, .compressed: Base32.encode(bytes)
        }
    }

    /// The bytes of the characters of one part, before a deflate stream is inflated.
    func decode(_ characters: [UInt8]) throws(CodeSequenceError) -> [UInt8] {
        switch self {
        case .hex:
            let text = String(decoding: characters, as: UTF8.self)
            guard text == text.uppercased() else { throw .bbqr(.invalidBody) }
            return try converting({ (_: CodecError) in CodeSequenceError.bbqr(.invalidBody) }, Hex.decode(text))
        case .base32, .compressed:
            guard let bytes = Base32.decode(characters) else { throw .bbqr(.invalidBody) }
            return bytes
        }
    }
}
