import ArgumentParser
import Codecs
import Curves
import KeyText
import KeyVault
import Sandbox
import SecureMemory

struct Import: ConfinedCommand {
    static let configuration = CommandConfiguration(
        abstract: "Import a private key into the vault and print its public key.",
        discussion: """
            Without a file, the command asks for the key at the terminal. A file is not changed: wipe it after the \
            import.

              eosvault import --label cold
              eosvault import key.txt
              eosvault import --lines keys.txt

            With --lines, each line is a key, optionally followed by a space and a label. All valid keys are imported \
            in one transaction, which locks the vault until the last line is read. Then one line is printed for each \
            input line: the public key, or `error: line N: …`.
            """)

    @Argument(
        help: ArgumentHelp(
            "A file with the private key (WIF or PVT_K1_…); `-` for standard input.", valueName: "file")
    )
    var file: String?

    @Flag(name: .long, help: "Read one key per line, with an optional label after a space; print one result per line.")
    var lines = false

    @OptionGroup var vault: VaultOptions
    @OptionGroup var method: UnlockMethodOptions
    @OptionGroup var entry: EntryOptions

    @OptionGroup var sandbox: SandboxOption

    func validate() throws {
        if lines {
            if file == nil { throw ValidationError("--lines needs a file, or `-` for standard input") }
            if entry.label != nil { throw ValidationError("--lines reads labels from the lines: omit --label") }
            if entry.json.isOn { throw ValidationError("--lines prints no JSON: omit --json") }
        }
        try (file.map { [InputFile(path: $0)] } ?? []).refuseSharedInput(with: method.inputs)
    }

    var requiredAccess: FileAccess {
        vault.fileAccess(by: method) + (file.map { InputFile(path: $0).fileAccess } ?? .terminal)
    }

    func run() throws {
        let label = try entry.parsedLabel()
        let vaultFile = try vault.open()
        if lines, let file {
            let lines = KeyLines(source: InputFile(path: file))
            return try lines.print(lines.read(into: method.unlock(vaultFile)))
        }
        try entry.print(importKey(label, into: vaultFile))
    }

    /// The new key and the vault's keys are wiped when this returns.
    private func importKey(_ label: Label?, into file: Vault) throws -> EntryDescription {
        // Without a terminal, this fails before the program asks for the PIN.
        if self.file == nil { _ = try Terminal.open(for: .privateKey) }
        let unlocked = try method.unlock(file, beforeTyping: self.file == nil ? .privateKey : nil)
        let key = try readKey()
        return try unlocked.insert(key, label: label, createdAt: Clock.now, origin: .imported)
    }

    private func readKey() throws -> PrivateKey {
        let limit = PrivateKey.maximumTextCount
        guard let file else {
            let terminal = try Terminal.open(for: .privateKey)
            let text = try terminal.readSecret("private key: ", limit: limit)
            return try placed(at: "the private key") { try text.withBytes { span in try .importable(span) } }
        }
        let source = InputFile(path: file)
        return try placed(at: source.name) {
            try source.readSecret(atMost: limit, mayBeWritable: true).withBytes { span in try .importable(span) }
        }
    }
}

extension PrivateKey {
    /// Parses a key to import: this version must be able to sign with it.
    static func importable(_ text: RawSpan) throws -> PrivateKey {
        let key = try converting({ KeyRefusal(error: $0, kind: .privateKey) }, PrivateKey.parse(text))
        guard key.curve == .k1 else { throw CommandError.r1Import }
        return key
    }
}
