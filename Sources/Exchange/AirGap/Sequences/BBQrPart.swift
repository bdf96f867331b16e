/// One part of a BBQr message: a header of eight characters and a body
/// (github.com/coinkite/BBQr, BBQr.md).
package struct BBQrPart: Equatable, Sendable {
    /// Two digits of base 36.
    package static let maximumCount = 36 * 36 - 1
    static let headerCount = 8
    /// The most alphanumeric characters of a code.
    private static let maximumLength = 4296
    private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)

    /// What all parts of one message have in common.
    package struct Header: Hashable, Sendable {
        package let encoding: BBQrEncoding
        /// A letter: `J` for JSON, `B` for other bytes.
        package let fileType: UInt8
        package let count: Int

        init(encoding: BBQrEncoding, fileType: UInt8, count: Int) throws(CodeSequenceError) {
            guard (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(fileType) else { throw .bbqr(.invalidFileType) }
            guard (1...BBQrPart.maximumCount).contains(count) else { throw .bbqr(.invalidCount) }
            self.encoding = encoding
            self.fileType = fileType
            self.count = count
        }
    }

    package let header: Header
    /// From 0.
    package let index: Int
    package let body: [UInt8]
}

extension BBQrPart {
    package init(_ text: some Collection<UInt8>) throws(CodeSequenceError) {
        let text = Array(text.prefix(Self.maximumLength + 1))
        guard text.count >= Self.headerCount, text.count <= Self.maximumLength, text.starts(with: "B$".utf8) else {
            throw .bbqr(.notBBQr)
        }
        guard let encoding = BBQrEncoding(rawValue: text[2]) else { throw .bbqr(.unknownEncoding) }
        guard let count = Self.number(text[4], text[5]) else { throw .bbqr(.invalidCount) }
        header = try Header(encoding: encoding, fileType: text[3], count: count)
        guard let index = Self.number(text[6], text[7]), index < count else { throw .bbqr(.invalidIndex) }
        self.index = index
        body = Array(text.dropFirst(Self.headerCount))
        guard !body.isEmpty else { throw .bbqr(.invalidBody) }
        // Each part has whole bytes, so a damaged one is refused before it is stored.
        _ = try encoding.decode(body)
    }

    package var text: String {
        let head = [0x42, 0x24, header.encoding.rawValue, header.fileType]
        return String(decoding: head + Self.text(header.count) + Self.text(index) + body, as: UTF8.self)
    }

    private static func text(_ number: Int) -> [UInt8] { [digits[number / 36], digits[number % 36]] }

    private static func number(_ first: UInt8, _ second: UInt8) -> Int? {
        guard let high = digits.firstIndex(of: first), let low = digits.firstIndex(of: second) else { return nil }
        return high * 36 + low
    }
}
