import CLibraries

/// The CRC-32 of ISO-HDLC, as in zlib and PNG. It detects damage, but not a deliberate change.
package enum CRC32 {
    package static func of(_ bytes: [UInt8]) -> UInt32 {
        var checksum: UInt = 0
        // zlib takes at most 2^32 - 1 bytes per call. A message is much shorter.
        for start in stride(from: 0, to: bytes.count, by: 1 << 20) {
            let part = bytes[start..<min(start + (1 << 20), bytes.count)]
            checksum = unsafe part.withUnsafeBufferPointer {
                unsafe crc32(checksum, $0.baseAddress, UInt32($0.count))
            }
        }
        return UInt32(truncatingIfNeeded: checksum)
    }
}
