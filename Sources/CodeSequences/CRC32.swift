import CZlib

/// The CRC-32 of ISO-HDLC, as in zlib and PNG. It detects damage, but not a deliberate change.
package enum CRC32 {
    package static func of(_ bytes: [UInt8]) -> UInt32 {
        var checksum: UInt = 0
        // zlib takes at most 2^32 - 1 bytes per call. A message is much shorter.
        for start in stride(from: 0, to: bytes.count, by: 1 << 20) {
            let part = bytes[start..<min(start + (1 << 20), bytes.count)]
            checksum = unsafe part.withUnsafeBufferPointer { unsafe crc32(checksum, $0.baseAddress, UInt32($0.count)) }
        }
        return UInt32(truncatingIfNeeded: checksum)
    }

    /// The checksum with its most significant byte first.
    static func bytes(of bytes: [UInt8]) -> [UInt8] { of(bytes).bigEndianBytes }
}

extension FixedWidthInteger {
    /// The bytes of the number, the most significant one first.
    var bigEndianBytes: [UInt8] {
        stride(from: Self.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> $0) }
    }
}
