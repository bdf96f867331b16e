/// The major types of CBOR (RFC 8949, 3.1) that messages use.
enum CBORType: UInt8 {
    case unsigned = 0
    case byteString = 2
    case textString = 3
    case array = 4
    case map = 5
    case tag = 6

    /// The smallest number that needs so many bytes after the first one.
    static func smallest(length: Int) -> UInt64 { length == 1 ? 24 : 1 << UInt64(length * 4) }
}
