/// The texts in single codes that `eosvault` reads.
enum PlainCode {
    private static let beginnings = [
        "esr:", "web+esr:", "{", "PUB_K1_", "PUB_R1_", "PUB_WA_", "SIG_K1_", "SIG_R1_", "SIG_WA_",
    ]
    /// The EOS public key in its old form has 53 characters.
    private static let oldKeyCount = 53
    /// A packed transaction has at least 13 bytes.
    private static let leastHexDigits = 26

    static func isKnown(_ code: [UInt8]) -> Bool {
        let start = String(decoding: code.prefix(8), as: UTF8.self)
        if beginnings.contains(where: { start.hasPrefix($0) || start.lowercased().hasPrefix($0) }) {
            return true
        }
        if code.count == oldKeyCount, start.hasPrefix("EOS") { return true }
        return code.count >= leastHexDigits && code.allSatisfy(isHexDigit)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
}
