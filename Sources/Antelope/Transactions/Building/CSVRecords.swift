/// The records of a CSV file with a fixed number of columns, as RFC 4180 defines them.
///
/// Lines end with LF or CRLF, and the last one may lack its end. A quoted field can contain commas,
/// line ends and doubled quotes. A byte order mark at the start is skipped.
struct CSVRecords {
    struct Record {
        /// The number of its first line, from 1.
        let line: Int
        let fields: [String]
    }

    private let bytes: [UInt8]
    private let columnCount: Int
    private var index: Int
    private var line = 1

    init(_ bytes: [UInt8], columns: Int) {
        (self.bytes, columnCount) = (bytes, columns)
        let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
        index = bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
    }

    /// The next record; nil at the end.
    mutating func next() throws(PaymentTableError) -> Record? {
        guard index < bytes.count else { return nil }
        let first = line
        var fields: [String] = []
        repeat {
            guard fields.count < columnCount else { throw fault(.moreColumns(than: columnCount), first) }
            fields.append(try field(of: first))
        } while skip(UInt8(ascii: ","))
        let hasReturn = skip(UInt8(ascii: "\r"))
        if skip(UInt8(ascii: "\n")) { line += 1 } else if hasReturn { throw fault(.carriageReturn, first) }
        guard fields != [""] else { throw fault(.emptyLine, first) }
        guard fields.count == columnCount else { throw fault(.columns(fields.count, of: columnCount), first) }
        return Record(line: first, fields: fields)
    }

    private mutating func field(of first: Int) throws(PaymentTableError) -> String {
        let isQuoted = skip(UInt8(ascii: "\""))
        let content = isQuoted ? try quoted(first) : try plain(first)
        guard let text = String(validating: content, as: UTF8.self) else { throw fault(.notUTF8, first) }
        if let character = text.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(character) {
            throw fault(.formula(character), first)
        }
        return text
    }

    /// A field without quotes, up to a comma or the end of the line.
    private mutating func plain(_ first: Int) throws(PaymentTableError) -> [UInt8] {
        let end = bytes[index...].firstIndex { [0x2c, 0x0d, 0x0a].contains($0) } ?? bytes.count
        let content = bytes[index..<end]
        index = end
        guard !content.contains(UInt8(ascii: "\"")) else { throw fault(.quote, first) }
        return Array(content)
    }

    /// A field after its first quote. Only a comma or the end of the line follows its last quote.
    private mutating func quoted(_ first: Int) throws(PaymentTableError) -> [UInt8] {
        var content: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\"") {
                guard skip(byte) else {
                    let isEnd = index == bytes.count || [0x2c, 0x0d, 0x0a].contains(bytes[index])
                    guard isEnd else { throw fault(.quote, first) }
                    return content
                }
            }
            if byte == UInt8(ascii: "\n") { line += 1 }
            content.append(byte)
        }
        throw fault(.openQuote, first)
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private func fault(_ fault: BuildError.Fault, _ line: Int) -> PaymentTableError {
        PaymentTableError(line: line, error: .payment(fault))
    }
}
