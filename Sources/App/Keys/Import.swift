import ArgumentParser
import Codecs
import Hardening
import KeyVault
import Keys
import SecureMemory
import Shell
import Tokens

struct Import: UnlockingCommand, TokenCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import a private key into the vault and print its public key.",
        discussion: """
            Without a file, the command asks for the key. After the import, wipe the file and all other copies of the \
            key, such as the output of `cleos wallet private_keys`.

              eosvault import --label cold
              eosvault import key.txt
              eosvault import --lines keys.txt
              eosvault import --from keosd-list list.json
              eosvault import --from nodeos-config config.ini

            FILE contains one key, or the two lines of `cleos create key --file`. The command can't read keys from the \
            words of a wallet (mnemonic), a backup of Anchor or a wallet file of keosd. It recognises them, and the \
            error states how to export the key.

            With --lines, each line is a key, optionally followed by a space and a label. --from reads the files of \
            other programs: keosd-list is the output of `cleos wallet private_keys`, and nodeos-config is the \
            config.ini of nodeos, which contains keys in `signature-provider` lines. Each public key must belong to \
            its private key.

            All valid keys are imported in one transaction, which locks the vault until the last key is read. The \
            output has one line for each key: the public key, or `error: line N: …` (for keosd-list, `error: key N: \
            …`). With --json, each line is an object. Keys in comments and keys in keosd are skipped, with a note. To \
            add labels, use `eosvault rename`. The exit status is 1 if a key was refused.
            """)

    @Argument(help: "A file with the private key (WIF, PVT_K1_… or PVT_R1_…); `-` for standard input.")
    var file: InputFile?

    @Flag(help: "Read one key per line, with an optional label after a space. Print one result per line.")
    var lines = false

    @Option(help: "Read the keys from a file of another program: keosd-list or nodeos-config.")
    var from: KeyFileFormat?

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
            guard file == nil, format == nil else {
                throw ValidationError("--token-key reads no file: omit the file, --lines and --from")
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
        if let format {
            let option = format == .lines ? "--lines" : "--from"
            if file == nil { throw ValidationError("\(option) needs a file, or `-` for standard input") }
            if entry.label != nil {
                throw ValidationError("a label is for one key, and \(option) imports several: omit --label")
            }
        }
        try [InputFile](given: file).refuseSharedInput(with: method.inputs)
    }

    var mayUseTokens: Bool { !tokenKey.isEmpty }
    var namedModules: [String] {
        tokens.modules.module + tokenKey.compactMap { (try? $0.value)?.modulePath }
    }
    var requiredAccess: FileAccess {
        unlocking.fileAccess + (mayUseTokens ? tokens.pin.fileAccess : file?.fileAccess ?? .terminal)
    }

    func run() throws {
        let label = try entry.parsedLabel()
        let vaultFile = try vault.open()
        if !tokenKey.isEmpty {
            let uris = try tokenKey.map { uri in try parsing("--token-key") { try uri.value } }
            return try entry.print(
                TokenMaking(options: tokens)
                    .add(uris, label: label, into: vaultFile, by: method))
        }
        if let format, let file {
            let many = ImportMany(source: file, format: format, isForced: force, isJSON: entry.json.isOn)
            return try many.print(many.read(into: method.unlock(vaultFile)))
        }
        let imported = try importKey(label, into: vaultFile)
        try entry.print(imported)
        if imported.name.text == PublicKey.developmentText, !force { Messages.warning(Words.developmentKey) }
    }

    /// The format of a file with several keys; nil for one key.
    private var format: KeyFileFormat? { lines ? .lines : from }

    /// The new key and the vault's keys are wiped when this returns.
    private func importKey(_ label: Label?, into file: Vault) throws -> EntryDescription {
        // Without a terminal, this fails before the program asks for the PIN.
        if self.file == nil { _ = try Terminal.open(for: .privateKey) }
        let unlocked = try method.unlock(file, beforeTyping: self.file == nil ? .privateKey : nil)
        let key = try readKey()
        return try unlocked.insert(key, label: label, createdAt: Clock.now, origin: .imported)
    }

    private func readKey() throws -> PrivateKey {
        guard let file else {
            let terminal = try Terminal.open(for: .privateKey)
            // The words of a wallet are longer than a key. They get an error of their own.
            let text = try terminal.readSecret("private key: ", limit: RecoveryPhrase.maximumTextCount)
            return try placed(at: "the private key") {
                try text.withBytes { span in
                    do { return try .importable(span) } catch { throw OtherWallet(span) ?? error }
                }
            }
        }
        return try placed(at: file.name) {
            try file.withSecretDescriptor(writable: .refusedWhereModesAreStored) {
                descriptor throws(InputFile.Failure) in
                Result { try OneKeyReader.key(in: descriptor) }
            }.get()
        }
    }
}

extension PrivateKey {
    /// Parses a key to import: this version must be able to sign with it.
    static func importable(_ text: RawSpan) throws -> PrivateKey {
        var reader = try PrivateKeyReader()
        return try importable(text, &reader)
    }

    static func importable(_ text: RawSpan, _ reader: inout PrivateKeyReader) throws -> PrivateKey {
        if text.starts(with: "PVT_BLS_") || text.starts(with: "PUB_BLS_") { throw CommandError.blsImport }
        return try converting({ KeyRefusal(error: $0, kind: .privateKey) }, reader.read(text))
    }
}
