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

    /// The numbers of a mode in the tables of the standard.
    struct Numbers {
        /// The four bits that announce a segment (table 2).
        let indicator: Int
        /// The bits of the count of characters in versions 1 to 9, to 26, and to 40 (table 3).
        let countBits: [Int]
        /// The bits of 0, 1, … characters, and last the bits of a whole group.
        let bits: [Int]
        /// The number of values of a character.
        let base: Int

        static let numeric = Self(indicator: 1, countBits: [10, 12, 14], bits: [0, 4, 7, 10], base: 10)
        static let alphanumeric = Self(indicator: 2, countBits: [9, 11, 13], bits: [0, 6, 11], base: 45)
        static let byte = Self(indicator: 4, countBits: [8, 16, 16], bits: [0, 8], base: 256)

        /// The number of characters that are written together.
        var group: Int { bits.count - 1 }
        var groupBits: Int { bits[group] }
    }

    var numbers: Numbers {
        switch self {
        case .numeric: .numeric
        case .alphanumeric: .alphanumeric
        case .byte: .byte
        }
    }

    func countBits(_ version: QRVersion) -> Int {
        numbers.countBits[version.number < 10 ? 0 : version.number < 27 ? 1 : 2]
    }

    func headerBits(_ version: QRVersion) -> Int { 4 + countBits(version) }

    /// The bits of so many characters, without the header.
    func bits(_ count: Int) -> Int {
        count / numbers.group * numbers.groupBits + numbers.bits[count % numbers.group]
    }

    /// The most characters that fit so many bits: the inverse of `bits`.
    func characters(in bits: Int) -> Int {
        let rest = bits % numbers.groupBits
        return bits / numbers.groupBits * numbers.group + (numbers.bits.lastIndex { $0 <= rest } ?? 0)
    }

    /// The average length of a character in sixths of a bit, in which it is a whole number.
    var sixths: Int { 6 * numbers.groupBits / numbers.group }
}
