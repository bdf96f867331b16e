import ArgumentParser
import Codecs
import Files
import Glibc
import KeyText
import KeyVault
import Sandbox
import SecureMemory

struct Export: ConfinedCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print one private key unencrypted.",
        discussion: """
            The key is printed as WIF to a terminal, or written to a new file with mode 600. Anyone who sees the key \
            controls its accounts. The audit log records the export.

              eosvault export treasury -o treasury.txt
            """)

    @OptionGroup var key: KeyArgument
    @OptionGroup var vault: VaultOptions
    @OptionGroup var method: UnlockMethodOptions

    @OptionGroup var export: ExportOptions

    @OptionGroup var sandbox: SandboxOption

    var requiredAccess: FileAccess { vault.fileAccess(by: method) + export.fileAccess }

    func run() throws {
        let file = try export.prepared(otherwise: .unencryptedExport)
        let vault = try vault.open()
        try key.expectKnown(in: vault, self.vault.name())
        let secret = try Self.secret(of: key.key, in: method.unlock(vault))
        try export.write(secret, .privateKey, to: file)
    }

    /// The text of the key. The export is recorded in the audit log, and committed, before this
    /// returns.
    private static func secret(of text: String, in vault: borrowing UnlockedVault) throws -> SecureBytes {
        var secret: SecureBytes?
        try vault.transaction { (transaction: inout VaultTransaction) throws(ChangeError) in
            let entry = try converting(ChangeError.vault, transaction.entry(text))
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
