import ArgumentParser
import Codecs
import Files
import Glibc
import Hardening
import KeyVault
import Keys
import OtherWallets
import SecureMemory
import Seeds
import Shell

struct Export: ReleasingCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print a private key or the words of a seed, or write a wallet file for keosd.",
        discussion: """
            The key is printed unencrypted as WIF (PVT_R1_… for R1) to a terminal, or written to a new file with mode \
            600. Anyone who has the key controls its accounts. The audit log records each export. \
            \(ReleaseOptions.requirement)

            --to chooses another form: wif (K1 only), pvt (PVT_K1_… or PVT_R1_…), mnemonic (the words of a seed), or \
            keosd. For keosd, the command writes all keys to a new wallet file, and asks for its password. Choose a \
            long one: keosd hashes it only once, so a short one is soon guessed.

              eosvault export treasury -o treasury.txt
              eosvault export family --to mnemonic -o family.txt
              eosvault export treasury payroll --to keosd -o eosvault.wallet
            """)

    @Argument(
        help: "A public key in any of its forms, or a label; for --to mnemonic, a seed.", completion: .keys)
    var key: [String]
    @Option(help: ArgumentHelp("The form of the output.", valueName: "form"))
    var to: ExportForm?
    @OptionGroup var newPassword: NewPasswordOptions
    @OptionGroup var release: ReleaseOptions
    @OptionGroup var export: ExportOptions
    @OptionGroup var sandbox: SandboxOption

    func validate() throws {
        if key.count != 1, to != .keosd { throw ValidationError("only --to keosd exports several keys") }
        if to == .keosd, export.output == nil || export.output == "-" {
            throw ValidationError("--to keosd needs a new file: give -o")
        }
        if to != .keosd, newPassword.source != nil {
            throw ValidationError("--new-password-file is for --to keosd")
        }
        try newPassword.inputs.refuseSharedInput(with: method.inputs + second.inputs)
    }

    var requiredAccess: FileAccess {
        release.fileAccess + export.fileAccess + (to == .keosd ? newPassword.fileAccess : .none)
    }

    func run() throws {
        let file = try export.prepared(otherwise: .unencryptedExport)
        let vault = try vault.open()
        let names = try key.map { try expectKnown($0, in: vault) }
        let policies = try placed(at: self.vault.name()) { try second.required(for: names, in: vault) }
        if to == .keosd, newPassword.source == nil { _ = try Terminal.open(for: .newWalletPassword) }
        let secret = try secret(of: names, for: policies, in: vault)
        try export.write(secret, to == .keosd ? .wallet : .privateKey, to: file)
        if to == .keosd { Messages.note(Words.keosdWritten) }
    }

    /// Refuses an entry that has not the form, before the PIN is read.
    private func expectKnown(_ text: String, in vault: Vault) throws -> EntryName {
        guard to == .mnemonic else { return try KeyArgument(text).expectKnown(in: vault, self.vault.name()) }
        return try SeedArgument(text).expectKnown(in: vault, self.vault.name())
    }

    /// The keys of the vault are wiped when this returns, before the text is written.
    private func secret(
        of names: [EntryName], for policies: [StoredPolicy], in vault: Vault
    ) throws -> SecureBytes {
        let next = second.typed(for: policies) ?? (asksForPassword ? .newWalletPassword : nil)
        let unlocked = try method.unlock(vault, beforeTyping: next)
        let proof = try second.proveRelease(of: names, in: unlocked)
        if to == .mnemonic { return try Self.words(of: names[0], in: unlocked, proof) }
        if to == .keosd {
            return try Self.wallet(of: names, in: unlocked, proof, password: newPassword.read())
        }
        return try Self.text(of: names[0], in: unlocked, proof, isPVT: to == .pvt, isWIF: to == .wif)
    }

    private var asksForPassword: Bool { to == .keosd && newPassword.source == nil }

    private static func words(
        of name: EntryName, in vault: borrowing UnlockedVault, _ proof: SecondUnlock
    ) throws -> SecureBytes {
        try vault.releasedSeed(name, proof) { seed, secret in
            guard seed.form == .words else { throw CommandError.noWords }
            return try SeedPhrase(copying: secret).words()
        }
    }

    /// The text of a key.
    private static func text(
        of name: EntryName, in vault: borrowing UnlockedVault, _ proof: SecondUnlock, isPVT: Bool, isWIF: Bool
    ) throws -> SecureBytes {
        var text: SecureBytes?
        try release([name], in: vault, proof) { key throws(ChangeError) in
            do throws(KeyTextError) {
                text = isPVT ? nil : try key.exportPlaintextWIF()
                if text == nil, !isWIF { text = try key.exportPlaintext() }
            } catch { throw .key(error) }
            guard text != nil else { throw .noWIF }
        }
        guard let text = text.take() else { throw VaultError.input(.noSuchKey) }
        return text
    }

    /// The bytes of a wallet file of keosd.
    private static func wallet(
        of names: [EntryName], in vault: borrowing UnlockedVault, _ proof: SecondUnlock,
        password: borrowing SecureBytes
    ) throws -> SecureBytes {
        var writer = try KeosdWriter(capacity: names.count)
        try release(names, in: vault, proof) { key throws(ChangeError) in
            do throws(WalletError) { try writer.add(key) } catch { throw .wallet(error) }
        }
        return try SecureBytes(copyingPublic: writer.write(password: password))
    }

    /// Lends the keys. The audit log records each export, which is committed before this returns.
    private static func release(
        _ names: [EntryName], in vault: borrowing UnlockedVault, _ proof: SecondUnlock,
        _ body: (borrowing PrivateKey) throws(ChangeError) -> Void
    ) throws {
        try vault.transaction { (transaction: inout VaultTransaction) throws(ChangeError) in
            for name in names {
                let entry = try converting(ChangeError.vault, transaction.entry(named: name))
                try converting(ChangeError.vault, transaction.expectRelease(of: name, proof: proof))
                try transaction.withKey(entry, body)
                try converting(ChangeError.vault, transaction.record(.exported(key: entry.description.name)))
            }
        }
    }
}

/// --to
enum ExportForm: String, CaseIterable, ExpressibleByArgument {
    case wif, pvt, mnemonic, keosd
}

/// The source of the password of a new wallet file.
struct NewPasswordOptions: GivenSecretOptions {
    @Option(
        help: ArgumentHelp(
            "Read the password of the new wallet from a file; one final line ending is dropped.",
            valueName: "path"))
    var newPasswordFile: InputFile?

    @Option(
        help: ArgumentHelp(
            "Read the password of the new wallet from an open file descriptor.", valueName: "number"))
    var newPasswordFD: Int32?

    var given: GivenSecret {
        GivenSecret(file: newPasswordFile, descriptor: newPasswordFD, option: "--new-password")
    }

    private static let maximumCount = 1_024

    /// keosd hashes the password once, so a short one protects nothing.
    private static let minimumCount = 12

    /// Reads the password; at the terminal, twice.
    func read() throws -> SecureBytes {
        let password: SecureBytes
        if let source {
            password = try placed(at: source.name) { try source.readSecret(atMost: Self.maximumCount) }
        } else {
            password = try Terminal.open(for: .newWalletPassword).readNewSecret(
                "password of the new wallet: ", again: "password again: ", limit: Self.maximumCount)
        }
        guard password.count >= Self.minimumCount else {
            throw CommandError.shortWalletPassword(minimum: Self.minimumCount)
        }
        return password
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
