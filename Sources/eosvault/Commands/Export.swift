import ArgumentParser
import Curves
import Files
import Glibc
import KeyText
import KeyVault
import Sandbox
import SecureMemory

struct Export: ConfinedCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print one private key in the clear.",
        discussion: """
            As WIF, to a terminal, or to a new file with mode 0600. Whoever sees it owns what it owns. The audit log keeps that it was exported.

              eosvault export treasury -o treasury.txt
            """)

    @OptionGroup var key: KeyArgument
    @OptionGroup var vault: VaultOptions
    @OptionGroup var method: UnlockMethodOptions

    @Option(name: .shortAndLong, help: ArgumentHelp("Write to a new file instead of the terminal.", valueName: "file"))
    var output: String?

    @Flag(name: .long, help: "Print it also where standard output is no terminal.")
    var force = false

    @Flag(name: .customLong("json"), help: "Print errors as JSON.")
    var jsonErrors = false

    @OptionGroup var sandbox: SandboxOption

    var touches: FileAccess { vault.fileAccess(by: method) + OutputFile.fileAccess(to: output) }

    func run() throws {
        // `-` is standard output, as elsewhere.
        let file = try OutputFile.named(by: output).map { file in
            try placed(at: output) { try file.prepared(for: .secret) }
        }
        if file == nil, isatty(STDOUT_FILENO) != 1, !force { throw CommandError.unencryptedExport }
        let vault = try vault.open()
        try key.expectKnown(in: vault, self.vault.name())
        let secret = try Self.secret(of: key.key, in: method.unlock(vault))
        try delivering(.privateKey, to: output) {
            guard let file else {
                try Output.secret(secret)
                return try Output.data("\n")
            }
            try file.write(secret)
        }
    }

    /// The key's text. That it left is recorded, and committed, before this returns.
    private static func secret(of text: String, in vault: borrowing UnlockedVault) throws -> SecureBytes {
        var secret: SecureBytes?
        try vault.transaction { (transaction: inout VaultTransaction) throws(ChangeError) in
            let publicKey = try ChangeError.lifting { () throws(VaultError) in try transaction.publicKey(text) }
            try transaction.withKey(publicKey) { key throws(ChangeError) in
                do throws(KeyTextError) {
                    secret = try key.exportPlaintextWIF()
                    if secret == nil { secret = try key.exportPlaintext() }
                } catch { throw .key(error) }
            }
            try ChangeError.lifting { () throws(VaultError) in try transaction.record(.exported(key: publicKey.text)) }
        }
        guard let secret else { throw VaultError.noSuchKey }
        return secret
    }
}
