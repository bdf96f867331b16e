import ArgumentParser
import Codecs
import Files
import Hardening
import KeyVault
import Keys
import OtherWallets
import SecureMemory
import Seeds
import Shell
import WordLists

/// A kind of file for `--from`.
enum ImportFormat: Equatable {
    /// Unencrypted keys, which are read one after the other.
    case list(KeyFileFormat)
    case wallet(WalletFormat)
    /// The words of a wallet.
    case mnemonic

    private static let mnemonicCode = "mnemonic"
}

extension ImportFormat: ExpressibleByArgument {
    static var allValueStrings: [String] {
        KeyFileFormat.allValueStrings + WalletFormat.allCases.map(\.code) + [mnemonicCode]
    }

    init?(argument: String) {
        if let list = KeyFileFormat(argument: argument) {
            self = .list(list)
        } else if let wallet = WalletFormat(code: argument) {
            self = .wallet(wallet)
        } else if argument == Self.mnemonicCode {
            self = .mnemonic
        } else {
            return nil
        }
    }
}

/// Options for the keys of another wallet.
struct WalletOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Read the password of the wallet, or the passphrase of the words, from a file: all of its bytes.
            """,
            valueName: "path"))
    var passwordFile: InputFile?

    @Flag(help: "Import the other keys of a file if some of them can't be imported.")
    var skipRefused = false

    @Flag(help: "Only print what the file contains. Nothing is stored, and no PIN is needed.")
    var dryRun = false

    @Option(
        help: ArgumentHelp(
            "The number of typed words: 12, 15, 18, 21 or 24 (default: 24).", valueName: "number"))
    var words: Int?

    @Option(
        help: ArgumentHelp(
            "Derive the key at this path (default: m/44'/194'/0'/0/0). Repeat the option for other keys.",
            valueName: "bip32-path"))
    var path: [ParsedArgument<DerivationPath>] = []

    @Option(
        help: ArgumentHelp(
            "Search the paths that wallets use for this public key. Repeat the option for other keys.",
            valueName: "public-key"))
    var find: [ParsedArgument<PublicKey>] = []

    func validate() throws {
        if let words, !SeedPhrase.wordCounts.contains(words) {
            throw ValidationError("--words is 12, 15, 18, 21 or 24")
        }
        if !path.isEmpty, !find.isEmpty { throw ValidationError("give --path or --find, not both") }
    }

    var inputs: [InputFile] { [InputFile](given: passwordFile) }
    /// True if an option of the words of a wallet is given.
    var isOfWords: Bool { words != nil || !path.isEmpty || !find.isEmpty }
    var isGiven: Bool { passwordFile != nil || dryRun || skipRefused || isOfWords }

    /// The password, exact to the byte: a line ending in the file is a part of it.
    func password(_ question: String) throws -> SecureBytes {
        if let passwordFile {
            let password = try placed(at: passwordFile.name) {
                try passwordFile.readSecret(atMost: Self.maximumPassword, isText: false)
            }
            let end = password.count - 1
            if end >= 0, password.withBytes({ $0.isSeparator(UInt8(ascii: "\n"), at: end) }) {
                Messages.note(Words.passwordWithLineEnding(passwordFile.name))
            }
            return password
        }
        return try Terminal.open(for: .walletPassword).readSecret(question, limit: Self.maximumPassword)
    }

    private static let maximumPassword = 4_096

    /// The paths to import, of the keys that `seed` has.
    func paths(
        _ seed: borrowing SeedKeys
    ) throws -> (found: [DerivationPath], missing: [PublicKey]) {
        guard !find.isEmpty else {
            let paths = try path.map { path in try parsing("--path") { try path.value } }
            guard Set(paths).count == paths.count else { throw CommandError.pathTwice }
            return (paths.isEmpty ? [.eos(0)] : paths, [])
        }
        let wanted = try find.map { key in try parsing("--find") { try key.value } }
        let found = try PublicKeyList(wanted).search(seed)
        guard !found.isEmpty else { throw CommandError.notFoundInWords }
        let known = try found.map { try seed.key(at: $0).publicKey }
        return (found, wanted.filter { !known.contains($0) })
    }
}

extension DerivationPath: ArgumentValue {
    package static func parsed(_ text: String) throws -> DerivationPath { try DerivationPath(text) }
}

extension PublicKey: ArgumentValue {
    package static func parsed(_ text: String) throws -> PublicKey {
        try converting({ KeyRefusal(error: $0, kind: .publicKey) }, PublicKey(text))
    }
}

/// A wallet of another program, decrypted.
enum OpenedWallet: ~Copyable {
    case file(WalletFile)
    /// The keys at some paths, and the public keys that were not found.
    case words(SeedKeys, [DerivationPath], missing: [PublicKey])
}

extension OpenedWallet {
    /// Nil for the words of a wallet.
    var summary: WalletSummary? {
        switch self {
        case .file(let file): file.summary
        case .words: nil
        }
    }

    /// The public keys of --find that the words do not have.
    var missingKeys: [PublicKey] {
        switch self {
        case .file: []
        case .words(_, _, let missing): missing
        }
    }

    var keyCount: Int {
        switch self {
        case .file(let file): file.summary.keys.count
        case .words(_, let paths, _): paths.count
        }
    }

    /// Lends each private key, with its label or its path.
    func forEachKey(
        _ body: (borrowing PrivateKey, _ label: String?, _ path: String?) throws -> Void
    ) throws {
        switch self {
        case .file(let file): try file.forEachKey { _, label, key in try body(key, label, nil) }
        case .words(let keys, let paths, _):
            for path in paths { try body(try keys.key(at: path), nil, path.text) }
        }
    }
}

extension WalletOptions {
    /// Decrypts a wallet file. Its password is asked for, if it needs one and no file has it.
    func open(_ file: borrowing SecureBytes, as format: WalletFormat) throws -> OpenedWallet {
        if isOfWords { throw CommandError.notWords }
        guard format.needsPassword else {
            return .file(try WalletFile.read(file, as: format, password: nil))
        }
        let password = try password(Words.walletPassword(format))
        return .file(
            try Progress.during("decrypting the \(format.name)") {
                try WalletFile.read(file, as: format, password: password)
            })
    }

    /// The keys of words from a file. They have a passphrase only if a file has it.
    func open(words text: borrowing SecureBytes) throws -> OpenedWallet {
        try open(SeedPhrase(words: text), passphrase: passwordFile == nil ? nil : password(""))
    }

    /// The keys of words that are typed. Their passphrase is typed too: an empty line for none.
    func openTypedWords() throws -> OpenedWallet {
        let phrase = try WordQuestions(.mnemonic(words ?? 24), for: .walletWords).ask {
            try SeedPhrase(typed: $0)
        }
        return try open(phrase, passphrase: password(Words.passphraseQuestion))
    }

    private func open(
        _ phrase: borrowing SeedPhrase, passphrase: consuming SecureBytes?
    ) throws -> OpenedWallet {
        let keys = try SeedKeys(seed: phrase.seed(passphrase: passphrase))
        let (paths, missing) = try paths(keys)
        return .words(keys, paths, missing: missing)
    }
}

extension WalletFormat {
    /// For the help.
    static let list = allCases.map { "\($0.code), \($0.name)" }.joined(separator: "; ")
}
