import Codecs

/// The name of a wallet in a request.
package struct WalletName: Equatable, Sendable {
    /// The wallet of an agent: its vault.
    package static let only = WalletName(known: "default")

    package let text: String

    private init(known text: String) { self.text = text }

    /// - Throws: `wallet` for a name with other characters than letters, digits, `.`, `_` and `-`.
    init(_ text: String) throws(WalletError) {
        let isName = (1...255).contains(text.utf8.count) && text.utf8.allSatisfy(Self.isAllowed)
        guard isName else {
            throw WalletError(.wallet, "Invalid filename, path not allowed in wallet name")
        }
        self.text = text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "._-".utf8.contains(byte)
    }

    /// - Throws: `nonexistentWallet`.
    func expectOnly() throws(WalletError) {
        guard self == .only else { throw WalletError(.nonexistentWallet, "Wallet not found: \(text)") }
    }
}
