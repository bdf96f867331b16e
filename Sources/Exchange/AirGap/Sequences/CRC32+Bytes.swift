import Codecs

extension CRC32 {
    /// The checksum with its most significant byte first.
    static func bytes(of bytes: [UInt8]) -> [UInt8] { of(bytes).bigEndianBytes }
}
