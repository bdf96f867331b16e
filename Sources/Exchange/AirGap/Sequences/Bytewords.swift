import Codecs

/// Bytes as words, with a CRC-32 at the end (BCR-2020-012).
package enum Bytewords: Sendable {
    /// Whole words, separated by spaces.
    case standard
    /// Whole words, separated by hyphens.
    case uri
    /// The first and the last letter of each word. A UR has this form.
    case minimal

    private static let checksumCount = 4

    private var separator: UInt8? {
        switch self {
        case .standard: UInt8(ascii: " ")
        case .uri: UInt8(ascii: "-")
        case .minimal: nil
        }
    }

    package func encode(_ bytes: [UInt8]) -> String {
        let words = (bytes + CRC32.of(bytes).bigEndianBytes).map { Byteword.all[Int($0)] }
        let text =
            if let separator {
                Array(words.joined(separator: [separator]))
            } else {
                words.flatMap { [$0[0], $0[3]] }
            }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a text of either case, without the checksum. There is at least one byte.
    package func decode(_ text: some Collection<UInt8>) throws(CodeSequenceError) -> [UInt8] {
        let text = Array(text)
        let bytes = separator == nil ? try Self.pairs(text) : try words(text)
        guard bytes.count > Self.checksumCount else { throw .bytewords(.tooShort) }
        let payload = Array(bytes.dropLast(Self.checksumCount))
        guard bytes.suffix(Self.checksumCount).elementsEqual(CRC32.of(payload).bigEndianBytes) else {
            throw .bytewords(.wrongChecksum)
        }
        return payload
    }

    private static func pairs(_ text: [UInt8]) throws(CodeSequenceError) -> [UInt8] {
        guard text.count.isMultiple(of: 2) else { throw .bytewords(.oddLength(text.count)) }
        return try stride(from: 0, to: text.count, by: 2).map { offset throws(CodeSequenceError) in
            guard let byte = Byteword.byte(text[offset], text[offset + 1]) else {
                throw .bytewords(.unknownWord(offset: offset))
            }
            return byte
        }
    }

    /// Words of four letters, with one separator between two of them.
    private func words(_ text: [UInt8]) throws(CodeSequenceError) -> [UInt8] {
        try stride(from: 0, to: text.count, by: 5).map { offset throws(CodeSequenceError) in
            guard offset + 4 <= text.count, offset + 4 == text.count || text[offset + 4] == separator,
                offset + 5 != text.count, let byte = Byteword.byte(text[offset], text[offset + 3]),
                Byteword.all[Int(byte)].elementsEqual(text[offset..<(offset + 4)].map { $0 | 0x20 })
            else { throw .bytewords(.unknownWord(offset: offset)) }
            return byte
        }
    }
}
