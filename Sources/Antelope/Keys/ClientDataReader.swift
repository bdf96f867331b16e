/// A cursor over JSON text. It accepts what rapidjson's iterative parser accepts without other
/// flags (Tencent/rapidjson 01950eb, include/rapidjson/reader.h).
struct ClientDataReader {
    private let text: [UInt8]
    private let end: Int
    private(set) var offset = 0

    /// - Parameter text: Read up to its first NUL.
    init(_ text: [UInt8]) {
        self.text = text
        end = text.firstIndex(of: 0) ?? text.count
    }

    // MARK: - bytes

    /// The next byte; 0 at the end.
    var next: UInt8 { offset < end ? text[offset] : 0 }

    var isAtDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) }

    var fault: ClientData.Fault { ClientData.Fault(offset: offset) }

    mutating func advance() { offset += 1 }

    /// Skips the next byte if it is `byte`.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        advance()
        return true
    }

    private mutating func skipWhitespace() {
        while [0x20, 0x09, 0x0a, 0x0d].contains(next) { advance() }
    }

    /// Skips white space, then the next byte if it is `byte`.
    mutating func take(_ byte: UInt8) -> Bool {
        skipWhitespace()
        return skip(byte)
    }

    mutating func expect(_ byte: UInt8) throws(ClientData.Fault) {
        guard take(byte) else { throw fault }
    }

    mutating func expectEnd() throws(ClientData.Fault) {
        skipWhitespace()
        guard offset == end else { throw fault }
    }

    // MARK: - values

    /// A key and its colon.
    mutating func readKey() throws(ClientData.Fault) -> [UInt8] {
        let key = try readString()
        try expect(UInt8(ascii: ":"))
        return key
    }

    /// Skips a value of any kind.
    mutating func skipValue() throws(ClientData.Fault) {
        // The closing brackets of the arrays and objects that are open.
        var open: [UInt8] = []
        while true {
            if take(UInt8(ascii: "{")) {
                if !take(UInt8(ascii: "}")) {
                    open.append(UInt8(ascii: "}"))
                    _ = try readKey()
                    continue
                }
            } else if take(UInt8(ascii: "[")) {
                if !take(UInt8(ascii: "]")) {
                    open.append(UInt8(ascii: "]"))
                    continue
                }
            } else {
                try skipScalar()
            }
            while let bracket = open.last, take(bracket) { open.removeLast() }
            guard let bracket = open.last else { return }
            try expect(UInt8(ascii: ","))
            if bracket == UInt8(ascii: "}") { _ = try readKey() }
        }
    }

    private mutating func skipScalar() throws(ClientData.Fault) {
        switch next {
        case UInt8(ascii: "\""): _ = try readString()
        case UInt8(ascii: "n"): try skip(literal: "null")
        case UInt8(ascii: "t"): try skip(literal: "true")
        case UInt8(ascii: "f"): try skip(literal: "false")
        default: try skipNumber()
        }
    }

    private mutating func skip(literal: String) throws(ClientData.Fault) {
        for byte in literal.utf8 { guard skip(byte) else { throw fault } }
    }

    // MARK: - strings

    /// A string with its escapes replaced. Bytes of 0x80 and above are not checked.
    mutating func readString() throws(ClientData.Fault) -> [UInt8] {
        try expect(UInt8(ascii: "\""))
        var string: [UInt8] = []
        while !skip(UInt8(ascii: "\"")) {
            guard next >= 0x20 else { throw fault }
            if skip(UInt8(ascii: "\\")) {
                try readEscape(into: &string)
            } else {
                string.append(next)
                advance()
            }
        }
        return string
    }

    private mutating func readEscape(into string: inout [UInt8]) throws(ClientData.Fault) {
        let letter = next
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): string.append(letter)
        case UInt8(ascii: "b"): string.append(0x08)
        case UInt8(ascii: "f"): string.append(0x0c)
        case UInt8(ascii: "n"): string.append(0x0a)
        case UInt8(ascii: "r"): string.append(0x0d)
        case UInt8(ascii: "t"): string.append(0x09)
        case UInt8(ascii: "u"):
            advance()
            return Self.append(try readScalar(), to: &string)
        default: throw fault
        }
        advance()
    }

    /// The code unit or surrogate pair of a `\u` escape. A lone low surrogate is accepted.
    private mutating func readScalar() throws(ClientData.Fault) -> UInt32 {
        let high = try readUnit()
        guard (0xd800...0xdbff).contains(high) else { return high }
        guard skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")) else { throw fault }
        let low = try readUnit()
        guard (0xdc00...0xdfff).contains(low) else { throw fault }
        return 0x10000 + (high - 0xd800) << 10 + (low - 0xdc00)
    }

    private mutating func readUnit() throws(ClientData.Fault) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(next)).hexDigitValue else { throw fault }
            unit = unit << 4 | UInt32(digit)
            advance()
        }
        return unit
    }

    /// Appends UTF-8. A surrogate becomes three bytes.
    private static func append(_ scalar: UInt32, to string: inout [UInt8]) {
        func append(_ bits: UInt32, _ mark: UInt32) { string.append(UInt8(truncatingIfNeeded: mark | bits)) }
        switch scalar {
        case ..<0x80: append(scalar, 0)
        case ..<0x800: append(scalar >> 6, 0xc0)
        case ..<0x10000:
            append(scalar >> 12, 0xe0)
            append(scalar >> 6 & 0x3f, 0x80)
        default:
            append(scalar >> 18, 0xf0)
            append(scalar >> 12 & 0x3f, 0x80)
            append(scalar >> 6 & 0x3f, 0x80)
        }
        if scalar >= 0x80 { append(scalar & 0x3f, 0x80) }
    }
}
