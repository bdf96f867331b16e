import ABICodec

/// Names that a file gives its keys.
enum WalletLabel {
    /// Text of a file, cut to the length of a long label.
    static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.prefix(WalletLimits.labelCount), as: UTF8.self)
    }

    /// `alice@active`; nil for text that is not the name of an account and of a permission.
    static func account(_ account: [UInt8], _ permission: [UInt8]) -> String? {
        guard let account = try? Name(utf8: account.span), let permission = try? Name(utf8: permission.span)
        else { return nil }
        return "\(account.text)@\(permission.text)"
    }
}
