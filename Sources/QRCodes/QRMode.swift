/// How the characters of a segment are written as bits (ISO/IEC 18004:2015, 7.4).
package enum QRMode: String, CaseIterable, Sendable {
    /// Digits: three of them in 10 bits.
    case numeric
    /// Digits, capital letters, space and `$%*+-./:`: two of them in 11 bits.
    case alphanumeric
    /// Any bytes.
    case byte

    /// The characters of the alphanumeric mode. Their values are their positions (table 5).
    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:".utf8)

    private static let alphanumericValues: [Int?] = (0...255).map { alphabet.firstIndex(of: $0) }

    /// The value of a character, nil if this mode does not have it.
    func value(_ byte: UInt8) -> Int? {
        switch self {
        case .numeric: (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int(byte) & 0x0f : nil
        case .alphanumeric: Self.alphanumericValues[Int(byte)]
        case .byte: Int(byte)
        }
    }

    /// The four bits that announce a segment (table 2).
    var indicator: Int {
        switch self {
        case .numeric: 1
        case .alphanumeric: 2
        case .byte: 4
        }
    }

    /// The bits of the count of characters (table 3).
    func countBits(_ version: QRVersion) -> Int {
        let group = version.number < 10 ? 0 : version.number < 27 ? 1 : 2
        return switch self {
        case .numeric: [10, 12, 14][group]
        case .alphanumeric: [9, 11, 13][group]
        case .byte: [8, 16, 16][group]
        }
    }

    func headerBits(_ version: QRVersion) -> Int { 4 + countBits(version) }

    /// The bits of so many characters, without the header.
    func bits(_ count: Int) -> Int {
        switch self {
        case .numeric: count / 3 * 10 + [0, 4, 7][count % 3]
        case .alphanumeric: count / 2 * 11 + count % 2 * 6
        case .byte: count * 8
        }
    }

    /// The most characters that fit so many bits: the inverse of `bits`.
    func characters(in bits: Int) -> Int {
        switch self {
        case .numeric: bits / 10 * 3 + (bits % 10 >= 7 ? 2 : bits % 10 >= 4 ? 1 : 0)
        case .alphanumeric: bits / 11 * 2 + (bits % 11 >= 6 ? 1 : 0)
        case .byte: bits / 8
        }
    }

    /// The average length of a character in sixths of a bit, in which it is a whole number.
    var sixths: Int {
        switch self {
        case .numeric: 20
        case .alphanumeric: 33
        case .byte: 48
        }
    }
}
