import ArgumentParser
import Curves
import KeyText
import KeyVault
import Sandbox
import SecureMemory

struct Import: ConfinedCommand {
    static let configuration = CommandConfiguration(
        abstract: "Take a private key into the vault and print its public key.",
        discussion: """
            The key is asked for at the terminal, or comes from a file or standard input. The file stays as it is: wipe it.

              eosvault import --label cold
              eosvault import key.txt
              eosvault import --lines keys.txt

            With --lines there is a key a line, and a label behind a space if it is to have one. All that are good are taken in \
            one transaction, and the vault is locked for others until the last line is read; then a line is printed for each: the \
            public key, or `error: line N: …`.
            """)

    @Argument(
        help: ArgumentHelp(
            "A file that holds the private key (WIF or PVT_K1_…), or `-`; without it you are asked.", valueName: "file")
    )
    var file: String?

    @Flag(name: .long, help: "Read a key a line, perhaps with a label behind a space; print a result a line.")
    var lines = false

    @OptionGroup var vault: VaultOptions
    @OptionGroup var method: UnlockMethodOptions
    @OptionGroup var entry: EntryOptions

    @OptionGroup var sandbox: SandboxOption

    func validate() throws {
        if lines {
            if file == nil { throw ValidationError("--lines takes a file, or `-` for standard input") }
            if entry.label != nil { throw ValidationError("--lines takes labels from the lines, not --label") }
            if entry.json.isOn { throw ValidationError("--lines prints lines, not JSON") }
        }
        try (file.map { [InputFile(path: $0)] } ?? []).refuseSharedInput(with: method.inputs)
    }

    var touches: FileAccess {
        vault.fileAccess(by: method) + (file.map { InputFile(path: $0).fileAccess } ?? .terminal)
    }

    func run() throws {
        let label = try entry.parsedLabel()
        let vaultFile = try vault.open()
        if lines, let file {
            let lines = KeyLines(source: InputFile(path: file))
            return try lines.print(lines.read(into: method.unlock(vaultFile)))
        }
        try entry.print(take(label, into: vaultFile))
    }

    /// The key and the vault's keys are gone when this returns.
    private func take(_ label: Label?, into file: Vault) throws -> EntryDescription {
        let key = try readKey()
        let unlocked = try method.unlock(file)
        return try unlocked.insert(key, label: label, createdAt: Clock.now, origin: .imported)
    }

    private func readKey() throws -> PrivateKey {
        let limit = PrivateKey.maximumTextCount
        guard let file else {
            let terminal = try Terminal.open(for: Terminal.privateKey)
            return try Self.parse(terminal.readSecret("private key: ", limit: limit), from: "the private key")
        }
        let source = InputFile(path: file)
        let text: SecureBytes
        do { text = try source.readSecret(atMost: limit, mayBeWritable: true) } catch {
            throw Placed(place: source.name, error: error)
        }
        return try Self.parse(text, from: source.name)
    }

    private static func parse(_ text: borrowing SecureBytes, from place: String) throws -> PrivateKey {
        let key: PrivateKey
        do { key = try PrivateKey.parse(text) } catch {
            throw Placed(place: place, error: KeyRefusal(error: error, kind: .privateKey))
        }
        guard key.curve == .k1 else { throw Placed(place: place, error: CommandError.r1Import) }
        return key
    }
}
