import ArgumentParser
import Codecs
import Hardening
import KeyVault
import Keys
import OtherWallets
import SecureMemory
import Seeds
import Shell
import Tokens
import WordLists

struct Import: UnlockingCommand, TokenCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import private keys, wallets of other programs, and the words of a wallet.",
        discussion: """
            Without a file, the command asks for the key. After the import, wipe the file and all other copies of the \
            key, such as the output of `cleos wallet private_keys`.

              eosvault import --label cold
              eosvault import key.txt
              eosvault import --lines keys.txt
              eosvault import --from keosd-list list.json
              eosvault import --from nodeos-config config.ini
              eosvault import --from keosd default.wallet --dry-run
              eosvault import --from mnemonic

            FILE contains one key, or the keys of another program. The command recognises these formats; --from FORMAT \
            accepts only one: \(WalletFormat.list); mnemonic, the words of a wallet such as a Ledger (BIP-39).

            The command asks for the password of a wallet, and compares each private key with its public key, if the \
            wallet has it. If one does not belong to it, no key is imported. It prints a row for each key: the public \
            key, what was done, and the path or the label. \
            Keys that the vault had, and keys that only a device has, are in the table too. The exit status is 1 if \
            a key was refused.

            The words of a wallet are typed, or in FILE. The command imports their key at m/44'/194'/0'/0/0; --path \
            names other paths, and --find searches the paths that wallets use for a public key. A wrong passphrase \
            gives other keys without an error: compare the public keys.

            With --lines, each line is a key, optionally followed by a space and a label. keosd-list is the output of \
            `cleos wallet private_keys`, and nodeos-config is the config.ini of nodeos, which contains keys in \
            `signature-provider` lines. Each public key must belong to its private key.

            All valid keys of these three formats are imported in one transaction, which locks the vault until the \
            last key is read. The output has one line for each key: the public key, or `error: line N: …` (for \
            keosd-list, `error: key N: …`). With --json, each line is an object. Keys in comments and in keosd are \
            skipped, with a note. To add labels, use `eosvault rename`. The exit status is 1 if a key was refused.
            """)

    @Argument(
        help: """
            A file with a private key, a wallet of another program or the words of a wallet; `-` for standard input.
            """)
    var file: InputFile?

    @Flag(help: "Read one key per line, with an optional label after a space. Print one result per line.")
    var lines = false

    @Option(
        help: ArgumentHelp(
            "The format of FILE. With `mnemonic` and no FILE, the words are typed.", valueName: "format"))
    var from: ImportFormat?

    @OptionGroup var wallet: WalletOptions

    @Flag(
        help: """
            Import the development key, whose private key is published. Without this option, --from refuses it and \
            other imports print a warning.
            """)
    var force = false

    @Option(
        help: ArgumentHelp(
            """
            Add the key with this URI, which is in a PKCS#11 token. `token list` prints the URIs. Repeat the \
            option for other tokens with the same key and PIN: if one fails, the next one signs.
            """, valueName: "uri"))
    var tokenKey: [ParsedArgument<TokenURI>] = []

    @OptionGroup var tokens: TokenOptions
    @OptionGroup var unlocking: UnlockOptions
    @OptionGroup var entry: EntryOptions
    @OptionGroup var sandbox: SandboxOption

    func validate() throws {
        if !tokenKey.isEmpty {
            guard file == nil, !lines, from == nil, !wallet.isGiven else {
                throw ValidationError("--token-key reads no file: omit the file, its options and --from")
            }
            guard tokenKey.count <= 8 else { throw ValidationError("a key can be in at most 8 tokens") }
            guard Set(tokenKey.map(\.text)).count == tokenKey.count else {
                throw ValidationError("--token-key has the same URI twice")
            }
        } else if !tokens.modules.module.isEmpty {
            throw ValidationError("--module needs --token-key")
        }
        try tokens.pin.inputs.refuseSharedInput(with: method.inputs)
        if lines, from != nil { throw ValidationError("give --lines or --from, not both") }
        if from != nil, from != .mnemonic, file == nil {
            throw ValidationError("--from needs a file, or `-` for standard input")
        }
        if let list {
            let option = list == .lines ? "--lines" : "--from"
            if file == nil { throw ValidationError("\(option) needs a file, or `-` for standard input") }
            if wallet.isGiven {
                throw ValidationError(
                    "\(option) works without the options of wallets, such as --password-file and --find: omit them"
                )
            }
            if entry.label != nil {
                throw ValidationError("a label is for one key, and \(option) imports several: omit --label")
            }
        }
        if wallet.words != nil, file != nil || from != .mnemonic {
            throw ValidationError("--words is for words that are typed, with --from mnemonic: omit it")
        }
        if wallet.isOfWords, from != nil, from != .mnemonic {
            throw ValidationError(
                "--path and --find are for words: omit them, or give --from mnemonic")
        }
        try ([InputFile](given: file) + wallet.inputs).refuseSharedInput(with: method.inputs)
        try [InputFile](given: file).refuseSharedInput(with: wallet.inputs)
    }

    var mayUseTokens: Bool { !tokenKey.isEmpty }
    var namedModules: [String] {
        tokens.modules.module + tokenKey.compactMap { (try? $0.value)?.modulePath }
    }
    var requiredAccess: FileAccess {
        unlocking.fileAccess + (mayUseTokens ? tokens.pin.fileAccess : file?.fileAccess ?? .none)
            + (wallet.passwordFile?.fileAccess ?? .terminal)
    }

    func run() throws {
        let label = try entry.parsedLabel()
        if wallet.dryRun { return try printContents() }
        let vaultFile = try vault.open()
        if !tokenKey.isEmpty {
            let uris = try tokenKey.map { uri in try parsing("--token-key") { try uri.value } }
            return try entry.print(
                TokenMaking(options: tokens)
                    .add(uris, label: label, into: vaultFile, by: method))
        }
        if let list, let file {
            let many = ImportMany(source: file, format: list, isForced: force, isJSON: entry.json.isOn)
            return try many.print(many.read(into: method.unlock(vaultFile)))
        }
        switch try add(to: vaultFile, label) {
        case .key(let imported):
            try entry.print(imported)
            if imported.name.text == PublicKey.developmentText, !force {
                Messages.warning(Words.developmentKey)
            }
        case .wallet(let added): try added.print(entry.json)
        }
    }

    /// The format of a file whose keys are read one after the other; nil for any other file.
    private var list: KeyFileFormat? {
        if lines { return .lines }
        if case .list(let format)? = from { return format }
        return nil
    }

    private enum Added {
        case key(EntryDescription)
        case wallet(WalletImport)
    }

    /// The new keys and the vault's keys are wiped when this returns.
    private func add(to file: Vault, _ label: Label?) throws -> Added {
        // Without a terminal, this fails before the program asks for the PIN.
        let typed: TerminalPurpose? =
            self.file != nil ? nil : from == .mnemonic ? .walletWords : .privateKey
        if let typed { _ = try Terminal.open(for: typed) }
        let unlocked = try method.unlock(file, beforeTyping: typed)
        switch try read() {
        case .key(let key):
            return .key(try unlocked.insert(key, label: label, createdAt: Clock.now, origin: .imported))
        case .wallet(let wallet):
            var added = WalletImport(
                place: place, label: label, isDryRun: false, isForced: force,
                skipsRefused: self.wallet.skipRefused)
            try placed(at: place) { try added.add(wallet, to: unlocked) }
            return .wallet(added)
        }
    }

    /// Prints what a wallet contains, for --dry-run.
    private func printContents() throws {
        let names = try vault.knownNames()
        var found = try WalletImport(
            place: place, label: entry.parsedLabel(), isDryRun: true, isForced: force, skipsRefused: true)
        switch try read() {
        case .key(let key): found.list(key, knowing: names)
        case .wallet(let wallet): try placed(at: place) { try found.list(wallet, knowing: names) }
        }
        try found.print(entry.json)
    }

    // MARK: reading

    private enum Content: ~Copyable {
        case key(PrivateKey)
        case wallet(OpenedWallet)
    }

    /// The name of the input in messages.
    private var place: String { file?.name ?? (from == .mnemonic ? "the words" : "the private key") }

    private func read() throws -> Content {
        guard let file else {
            guard from == .mnemonic else { return try readTyped() }
            return .wallet(try wallet.openTypedWords())
        }
        return try placed(at: file.name) {
            let text = try file.readSecret(
                atMost: WalletFile.maximumFileSize, isText: false, writable: .refusedWhereModesAreStored)
            return try content(text)
        }
    }

    private func readTyped() throws -> Content {
        let terminal = try Terminal.open(for: .privateKey)
        // The words of a wallet are longer than a key. They get an error of their own.
        let text = try terminal.readSecret("private key: ", limit: RecoveryPhrase.maximumTextCount)
        return try placed(at: place) {
            if let format = WalletFormat.recognise(text) { return .wallet(try wallet.open(text, as: format)) }
            return .key(
                try text.withBytes { span in
                    do { return try PrivateKey.importable(span) } catch { throw TypedMnemonic(span) ?? error }
                })
        }
    }

    /// The key or the wallet of a file. A format that is not stated is recognised, and named.
    private func content(_ text: consuming SecureBytes) throws -> Content {
        switch from {
        case .wallet(let format): return .wallet(try wallet.open(text, as: format))
        case .mnemonic: return .wallet(try wallet.open(words: text))
        case .list, nil: break
        }
        if let format = WalletFormat.recognise(text), format != .cleosCreateKey {
            Messages.note(Words.recognised(place, format))
            return .wallet(try wallet.open(text, as: format))
        }
        if let count = text.withBytes({ Mnemonic.wordCount(in: $0) }) {
            Messages.note(Words.recognisedWords(place, count))
            return .wallet(try wallet.open(words: text))
        }
        if wallet.isOfWords || wallet.passwordFile != nil { throw CommandError.notAWallet }
        return .key(try OneKeyReader.key(in: text))
    }
}

extension PrivateKey {
    /// Parses a key to import: this version must be able to sign with it.
    static func importable(_ text: RawSpan) throws -> PrivateKey {
        var reader = PrivateKeyReader()
        return try importable(text, &reader)
    }

    static func importable(_ text: RawSpan, _ reader: inout PrivateKeyReader) throws -> PrivateKey {
        if text.starts(with: "PVT_BLS_") || text.starts(with: "PUB_BLS_") { throw CommandError.blsImport }
        return try converting({ KeyRefusal(error: $0, kind: .privateKey) }, reader.read(text))
    }
}
