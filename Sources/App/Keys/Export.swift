import ArgumentParser
import Codecs
import Files
import Glibc
import Hardening
import KeyVault
import Keys
import SecureMemory
import Shell

struct Export: ReleasingCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print one private key unencrypted.",
        discussion: """
            The key is printed as WIF to a terminal, or written to a new file with mode 600. Anyone who has the key \
            controls its accounts. The audit log records the export. \(ReleaseOptions.requirement)

              eosvault export treasury -o treasury.txt
            """)

    @OptionGroup var key: KeyArgument
    @OptionGroup var release: ReleaseOptions
    @OptionGroup var export: ExportOptions
    @OptionGroup var sandbox: SandboxOption

    var requiredAccess: FileAccess { release.fileAccess + export.fileAccess }

    func run() throws {
        let file = try export.prepared(otherwise: .unencryptedExport)
        let vault = try vault.open()
        let name = try key.expectKnown(in: vault, self.vault.name())
        let policies = try placed(at: self.vault.name()) { try second.required(for: name, in: vault) }
        let secret = try secret(for: policies, in: vault)
        try export.write(secret, .privateKey, to: file)
    }

    /// The keys of the vault are wiped when this returns, before the text is written.
    private func secret(for policies: [StoredPolicy], in vault: Vault) throws -> SecureBytes {
        let unlocked = try method.unlock(vault, beforeTyping: second.typed(for: policies))
        let entry = try unlocked.status(of: key.key).entry
        let proof = try second.proveRelease(of: entry.name, in: unlocked)
        return try Self.secret(of: entry.name, in: unlocked, proof)
    }

    /// The text of the key. The export is recorded in the audit log, and committed, before this
    /// returns.
    private static func secret(
        of name: EntryName, in vault: borrowing UnlockedVault, _ proof: SecondUnlock
    ) throws -> SecureBytes {
        var secret: SecureBytes?
        try vault.transaction { (transaction: inout VaultTransaction) throws(ChangeError) in
            let entry = try converting(ChangeError.vault, transaction.entry(named: name))
            try converting(ChangeError.vault, transaction.expectRelease(of: name, proof: proof))
            try transaction.withKey(entry) { key throws(ChangeError) in
                do throws(KeyTextError) {
                    secret = try key.exportPlaintextWIF()
                    if secret == nil { secret = try key.exportPlaintext() }
                } catch { throw .key(error) }
            }
            try converting(ChangeError.vault, transaction.record(.exported(key: entry.description.name)))
        }
        guard let secret else { throw VaultError.input(.noSuchKey) }
        return secret
    }
}

/// Where a command writes a secret unencrypted.
struct ExportOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write to a new file instead of the terminal.", valueName: "file"),
        completion: .file())
    var output: String?

    @Flag(help: "Print the secret even if standard output is not a terminal.")
    var force = false

    @Flag(name: .customLong("json"), help: "Print errors as JSON.")
    var jsonErrors = false

    var fileAccess: FileAccess { OutputFile.fileAccess(to: output) }

    /// The new file; nil for standard output, for which `output` can be `-`. Call it before the PIN
    /// is asked for.
    /// - Throws: `refusal` for standard output that is not a terminal, without `force`.
    func prepared(otherwise refusal: CommandError) throws -> NewFile? {
        let file = try OutputFile.prepared(at: output, for: .secret)
        if file == nil, isatty(STDOUT_FILENO) != 1, !force { throw refusal }
        return file
    }

    /// Writes a secret whose export is recorded and committed: to the file, or as a line.
    func write(_ secret: borrowing SecureBytes, _ result: Undelivered.Result, to file: NewFile?) throws {
        try delivering(result, to: output) {
            guard let file else {
                try Output.secret(secret)
                return try Output.data("\n")
            }
            try file.write(secret)
        }
    }
}
