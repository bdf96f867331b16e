import KeyVault
import SecureMemory
import Shell

/// A key format of another wallet that this version recognises but can't read. The error for it
/// states how to export the key.
enum OtherWallet {
    /// - Parameter words: their number.
    case mnemonic(words: Int)
    case anchorBackup
    case keosdWallet

    /// - Parameter text: it is not a private key. Nothing of it is copied.
    init?(_ text: RawSpan) {
        if let file = Self.file(text) {
            self = file
        } else {
            guard let words = Mnemonic.wordCount(in: text) else { return nil }
            self = .mnemonic(words: words)
        }
    }

    /// A JSON file with encrypted keys.
    /// - Parameter start: the file, or the first kilobytes of a long one. Only its first character
    ///   is compared if the file is not a JSON object.
    static func file(_ start: RawSpan) -> OtherWallet? {
        let white = " \t\r\n\u{feff}".utf8
        let first = (0..<start.byteCount).first { offset in
            !white.contains { start.isSeparator($0, at: offset) }
        }
        guard let first, start.isSeparator(UInt8(ascii: "{"), at: first) else { return nil }
        let markers: [(StaticString, OtherWallet)] = [
            ("\"cipher_keys\"", .keosdWallet), ("\"anchor.v", .anchorBackup),
        ]
        return markers.first { start.contains($0.0) }?.1
    }
}

extension OtherWallet: Error {}

extension OtherWallet: WordedError {
    var words: Words {
        switch self {
        case .mnemonic(let words):
            Words(
                .importFile, "looks like the mnemonic of a wallet (\(words) words), not like a private key",
                hint: """
                    this version can't derive keys from words: export the private key of the account (5… or \
                    PVT_K1_…) from the wallet that made them, and import it; a hardware wallet exports no key: run \
                    `eosvault create` and change the account to the new key
                    """)
        case .anchorBackup:
            Words(
                .importFile, "is a backup of Anchor, whose keys are encrypted",
                hint: """
                    this version can't decrypt it: restore the backup in Anchor, export the private key of each \
                    account (5… or PVT_K1_…), and import it
                    """)
        case .keosdWallet:
            Words(
                .importFile, "is a wallet file of keosd, whose keys are encrypted",
                hint: """
                    this version can't decrypt it: run `cleos wallet open -n NAME`, `cleos wallet unlock -n NAME` \
                    and `cleos wallet private_keys -n NAME > FILE`, then import FILE with --from keosd-list, and \
                    wipe it
                    """)
        }
    }
}

extension SecretLines {
    /// Refuses a file with the encrypted keys of another wallet, before its first line is read.
    mutating func refuseOtherWallet() throws {
        if let wallet = try withStart({ OtherWallet.file($0) }) { throw wallet }
    }
}

extension RawSpan {
    fileprivate func contains(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard byteCount >= count else { return false }
        let text = text.description
        return (0...byteCount - count).contains { extracting($0..<$0 + count).starts(with: text) }
    }
}
