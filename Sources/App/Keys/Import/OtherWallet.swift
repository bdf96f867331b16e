import OtherWallets
import SecureMemory
import Shell
import WordLists

/// The words of a wallet where one private key is expected.
struct TypedMnemonic: Error {
    /// The number of the words.
    let count: Int

    /// - Parameter text: it is not a private key. Nothing of it is copied.
    init?(_ text: RawSpan) {
        guard let count = Mnemonic.wordCount(in: text) else { return nil }
        self.count = count
    }
}

extension TypedMnemonic: WordedError {
    var words: Words {
        Words(
            .importFile, "these are \(count) words of a wallet, not a private key",
            hint: "import their keys with `eosvault import --from mnemonic`")
    }
}

/// A wallet file where a list of keys is expected.
struct WalletInList: Error {
    let format: WalletFormat
}

extension WalletInList: WordedError {
    var words: Words {
        Words(
            .importFile, "is a \(format.name), not a list of keys",
            hint: "import it with `eosvault import --from \(format.code) FILE`")
    }
}

extension SecretLines {
    /// Refuses a file with the encrypted keys of another wallet, before its first line is read.
    mutating func refuseOtherWallet() throws {
        let format = try withStart { start in WalletFormat.recognise(start) }
        if let format, format != .cleosCreateKey { throw WalletInList(format: format) }
    }
}
