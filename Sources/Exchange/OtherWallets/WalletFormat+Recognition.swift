import JSON
import SecureMemory

extension WalletFormat {
    /// The format of a file, by the marks at its start: a prefix, or the names of the first members
    /// of a JSON object. The file may have another defect.
    /// - Returns: nil for any other file, such as one with unencrypted keys. Only its first
    ///   characters are compared then.
    package static func recognise(_ file: RawSpan) -> WalletFormat? {
        let prefixes: [(String, WalletFormat)] = [
            ("SEC_", .secK1), ("anchorcert:", .anchorCertificate), ("Private key: ", .cleosCreateKey),
            ("Public key: ", .cleosCreateKey),
        ]
        if let (_, format) = prefixes.first(where: { file.starts(with: $0.0) }) { return format }
        let white = " \t\r\n".utf8
        let first = (0..<file.byteCount).first { offset in
            !white.contains { file.isSeparator($0, at: offset) }
        }
        guard let first, file.isSeparator(UInt8(ascii: "{"), at: first) else { return nil }
        // The members up to the first one that decides. What follows them may be damaged.
        return (try? JSONReader.read(file, orThrow: { $0 }, decidingFormat)) ?? nil
    }

    package static func recognise(_ file: borrowing SecureBytes) -> WalletFormat? {
        file.withBytes { recognise($0) }
    }

    private static let members: [(StaticString, WalletFormat)] = [
        ("cipher_keys", .keosd), ("secretbox_wrap", .eosc), ("secretbox_ciphertext", .eosc),
        ("storage", .anchor), ("networks", .anchor), ("wallets", .anchor), ("ct", .scatter),
    ]

    private static func decidingFormat(
        in reader: inout JSONReader
    ) throws(JSONError) -> WalletFormat? {
        try reader.beginObject()
        while let key = try reader.nextKey() {
            let format = reader.withBytes(of: key) { name in
                members.first { name.isEqual(to: $0.0) }?.1
            }
            if let format { return format }
            try reader.skipValueForLater()
        }
        return nil
    }
}
