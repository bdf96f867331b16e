/// Base64 text as links have it: the alphabet of RFC 4648, section 5, without padding. Bytes have
/// exactly one text.
extension Base64 {
    public static func encodeURL(_ bytes: [UInt8]) -> String {
        let text = encode(bytes).utf8.prefix { $0 != UInt8(ascii: "=") }.map { character in
            switch character {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: character
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// - Throws: `.invalidBase64Character`, also for the other alphabet and for padding;
    ///   `.invalidBase64End` for a text that no bytes have.
    public static func decodeURL(utf8 text: [UInt8]) throws(CodecError) -> [UInt8] {
        var standard = text
        for (offset, character) in text.enumerated() {
            switch character {
            case UInt8(ascii: "-"): standard[offset] = UInt8(ascii: "+")
            case UInt8(ascii: "_"): standard[offset] = UInt8(ascii: "/")
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
                throw .invalidBase64Character(offset: offset)
            default: break
            }
        }
        return try decode(utf8: standard)
    }
}
