import Compression

extension CRC32 {
    /// The checksum with its most significant byte first.
    static func bytes(of bytes: [UInt8]) -> [UInt8] { of(bytes).bigEndianBytes }
}

extension FixedWidthInteger {
    /// The bytes of the number, the most significant one first.
    var bigEndianBytes: [UInt8] {
        stride(from: Self.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> $0) }
    }
}
