/// Writes the fields of a TPM: integers with the highest byte first, and bytes after a 16-bit count
/// (TPM2B).
struct Packing {
    private(set) var bytes: [UInt8] = []

    mutating func write<Number: FixedWidthInteger>(_ number: Number) {
        for shift in stride(from: Number.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> Number(shift)))
        }
    }

    mutating func write(raw: [UInt8]) { bytes += raw }

    /// - Parameter sized: less than 65,536 bytes.
    mutating func write(sized: [UInt8]) {
        write(UInt16(sized.count))
        bytes += sized
    }
}

/// The bytes are cut off, too long or against a rule.
struct Malformed: Error {}

/// Reads the fields of a TPM, from bytes that nobody can be trusted to have made.
struct Unpacking {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func number<Number: FixedWidthInteger & UnsignedInteger>(
        _ type: Number.Type
    ) throws(Malformed) -> Number {
        try raw(Number.bitWidth / 8).reduce(0) { $0 << 8 | Number($1) }
    }

    mutating func raw(_ count: Int) throws(Malformed) -> [UInt8] {
        guard count <= bytes.count - offset else { throw Malformed() }
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }

    mutating func sized() throws(Malformed) -> [UInt8] { try raw(Int(number(UInt16.self))) }

    /// - Parameter count: the only count that is accepted.
    mutating func sized(_ count: Int) throws(Malformed) -> [UInt8] {
        let bytes = try sized()
        guard bytes.count == count else { throw Malformed() }
        return bytes
    }

    /// Reads a number that has only one valid value.
    mutating func expect<Number: FixedWidthInteger & UnsignedInteger>(
        _ value: Number
    ) throws(Malformed) {
        guard try number(Number.self) == value else { throw Malformed() }
    }

    mutating func rest() -> [UInt8] {
        defer { offset = bytes.count }
        return Array(bytes[offset...])
    }

    func expectEnd() throws(Malformed) { guard offset == bytes.count else { throw Malformed() } }
}
