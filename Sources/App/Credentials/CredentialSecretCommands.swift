import ArgumentParser
import Codecs
import Glibc
import HTTPSigning
import Hardening
import KeyVault
import SecureMemory
import Shell

extension CredentialGroup {
    struct Add: UnlockingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Add an API key and its secret to the vault.",
            discussion: """
                Without --secret-file, the command asks for the secret. Wipe the file afterwards: the command does \
                not change it. One line ending after the secret is dropped; other white space is refused. You can \
                change the label and the secret later, but nothing else.

                  eosvault credential add exchange --profile bitbank --key-id my-key
                  eosvault credential add webhook --profile hmac --key-id hook-1 --parameter template='{body}' \
                --secret-file hook.txt

                Parameters of the profiles:

                \(CredentialGroup.parameterList)

                A template can contain \(CredentialGroup.templateFields). {target} is the path and the query. In a \
                template, a backslash and n mean a line feed. With digest-header=Content-Digest, {content-digest} \
                is the value of that header as RFC 9530 defines it, for example sha-256=:BASE64:. With \
                time-unit=iso, {time} is a \
                time such as 2026-12-01T09:30:00.000Z. An empty key-header omits the key id.

                hmac can't express hashes inside the signed text (such as the SHA-256 of the body inside another \
                hash), keys derived from the secret (AWS Signature Version 4), parameters in another order than they \
                are sent, and tokens (JWT, OAuth). No profile signs with RSA or with elliptic curves.
                """)

        @Argument(help: "The label of the new credential: unique in the vault, 1 to 64 characters.")
        var name: String

        @Option(
            help: "How requests are signed: \(SigningProfile.names.joined(separator: ", ")).",
            completion: .list(SigningProfile.names))
        var profile: String

        @Option(help: ArgumentHelp("The public part of the API key.", valueName: "id"))
        var keyID: String

        @Option(help: ArgumentHelp("Sign only requests for this URL and URLs below it.", valueName: "url"))
        var urlPrefix: String?

        @Option(help: ArgumentHelp("A parameter of the profile. Repeat the option.", valueName: "name=value"))
        var parameter: [String] = []

        @Option(
            help: ArgumentHelp("The unit of nonces and of `sign --time` (default: ms).", valueName: "unit"))
        var nonceUnit = TimeUnit.milliseconds

        @Option(
            help: ArgumentHelp(
                "The first nonce, for an API key that was used elsewhere.", valueName: "number"))
        var firstNonce: UInt64?

        @OptionGroup var secret: CredentialSecretOptions
        @OptionGroup var unlocking: UnlockOptions
        @OptionGroup var common: CommonOptions

        func validate() throws {
            try secret.inputs.refuseSharedInput(with: method.inputs)
            if firstNonce == 0 { throw ValidationError("--first-nonce is at least 1") }
        }

        var requiredAccess: FileAccess { unlocking.fileAccess + secret.fileAccess }

        func run() throws {
            let label = try parsing("the label") { try Label(name) }
            let credential = try newCredential()
            let file = try vault.open()
            guard try placed(at: vault.name(), { try file.unverifiedEntry(name) }) == nil else {
                throw CommandError.credentialExists
            }
            if credential.profile.usesNonce, try Self.has(credential, in: file, vault.name()) {
                Messages.warning(Words.sharedKeyID)
            }
            let unlocked = try secret.unlock(file, by: method)
            var text: SecureBytes? = try secret.read()
            let added = try unlocked.transaction { (transaction: inout VaultTransaction) throws(VaultError) in
                guard let text = text.take() else { throw .input(.noSuchKey) }
                return try transaction.insert(
                    credential, firstNonce: firstNonce ?? 1, secret: text, label: label, createdAt: Clock.now)
            }
            try placed(at: "\(added.name) is in the vault, but standard output") { try added.print(json) }
            Messages.note(Words.credentialNotBackedUp)
        }

        /// True if the unverified vault already has this API key.
        private static func has(_ credential: Credential, in file: Vault, _ vaultName: String) throws -> Bool
        {
            try placed(at: vaultName) { try file.unverifiedStatuses() }.contains { status in
                status.entry.credential.map {
                    $0.profile.name == credential.profile.name && $0.keyID == credential.keyID
                        && $0.profile.usesNonce
                } ?? false
            }
        }

        private func newCredential() throws -> Credential {
            let parameters = try CredentialGroup.parameters(parameter)
            let profile = try parsing { try SigningProfile(name: self.profile, parameters: parameters) }
            let keyID = try parsing { () throws in
                let keyID = try KeyID(self.keyID)
                try profile.check(keyID)
                return keyID
            }
            return try Credential(
                profile: profile, keyID: keyID,
                prefix: urlPrefix.map { text in try parsing("--url-prefix") { try URLPrefix(text) } },
                nonceUnit: nonceUnit)
        }
    }

    private static let templateFields = SigningTemplate.Field.allCases.map { "{\($0.rawValue)}" }
        .joined(separator: ", ")

    /// The parameters of each profile that has some, with their values.
    private static let parameterList = SigningProfile.descriptions.filter { !$0.parameters.isEmpty }
        .flatMap { profile in profile.parameters.map { "- \(profile.name), \($0.text)" } }
        .joined(separator: "\n")

    /// The values of --parameter.
    static func parameters(_ texts: [String]) throws -> [String: String] {
        try texts.reduce(into: [:]) { parameters, text in
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parameters.updateValue(String(parts[1]), forKey: String(parts[0])) == nil
            else {
                throw ValidationError("each --parameter is NAME=VALUE, and no name is given twice")
            }
        }
    }

    struct Rotate: UnlockingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate", abstract: "Replace the secret of a credential.",
            discussion: """
                The label, the key id and the last nonce stay the same. If the key id changes too, add a new \
                credential instead. Older copies of the vault still contain the old secret: revoke it at the service.

                  eosvault credential rotate exchange
                """)

        @OptionGroup var credential: CredentialArgument
        @OptionGroup var secret: CredentialSecretOptions
        @OptionGroup var unlocking: UnlockOptions
        @OptionGroup var common: CommonOptions

        func validate() throws { try secret.inputs.refuseSharedInput(with: method.inputs) }

        var requiredAccess: FileAccess { unlocking.fileAccess + secret.fileAccess }

        func run() throws {
            let file = try vault.open()
            let name = try credential.unverified(in: file, vault.name()).entry.name
            let unlocked = try secret.unlock(file, by: method)
            var text: SecureBytes? = try secret.read()
            let rotated = try unlocked.transaction {
                (transaction: inout VaultTransaction) throws(VaultError) in
                guard let text = text.take() else { throw .input(.noSuchKey) }
                return try transaction.rotate(name, to: text)
            }
            try rotated.print(json)
            Messages.note(Words.credentialNotBackedUp)
        }
    }

    struct Export: UnlockingCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Print the secret of a credential unencrypted.",
            discussion: """
                The secret is printed to a terminal, or written to a new file with mode 600. The audit log records the \
                export.

                  eosvault credential export exchange -o secret.txt
                """)

        @OptionGroup var credential: CredentialArgument
        @OptionGroup var unlocking: UnlockOptions
        @Option(
            help: "Print the secret as base64 or hex. A secret with other bytes than visible ASCII needs it.")
        var secretEncoding: SignatureEncoding?

        @OptionGroup var export: ExportOptions
        @OptionGroup var sandbox: SandboxOption

        var requiredAccess: FileAccess { unlocking.fileAccess + export.fileAccess }

        func run() throws {
            let file = try export.prepared(otherwise: .unencryptedSecret)
            let vault = try vault.open()
            let name = try credential.unverified(in: vault, self.vault.name()).entry.name
            let secret = try secret(of: name, in: method.unlock(vault))
            try export.write(secret, .secret, to: file)
        }

        /// The secret. The export is recorded in the audit log, and committed, before this returns.
        private func secret(of name: EntryName, in vault: borrowing UnlockedVault) throws -> SecureBytes {
            var secret: SecureBytes?
            try vault.transaction { (transaction: inout VaultTransaction) throws(CredentialError) in
                let entry = try converting(CredentialError.vault, transaction.entry(named: name))
                let stored = try converting(CredentialError.vault, transaction.secret(of: entry))
                if let secretEncoding {
                    secret = try converting(
                        { CredentialError.request(.memory($0)) },
                        CredentialSecret.encoded(stored, secretEncoding))
                } else {
                    guard CredentialSecret.isPlainText(stored) else { throw .binarySecret }
                    secret = consume stored
                }
                try converting(CredentialError.vault, transaction.record(.exported(key: name)))
            }
            guard let secret else { throw VaultError.input(.noSuchKey) }
            return secret
        }
    }
}

/// Where the secret of a credential is read from.
struct CredentialSecretOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Read the secret from a file; `-` for standard input.", valueName: "file"))
    var secretFile: InputFile?

    @Option(
        help: "The text of the secret is base64 or hex, and the service uses the bytes that it encodes.")
    var secretEncoding: SignatureEncoding?

    var inputs: [InputFile] { [InputFile](given: secretFile) }

    var fileAccess: FileAccess { secretFile?.fileAccess ?? .terminal }

    /// Unlocks the vault, before the secret is typed. Without a terminal for it, this fails before
    /// the program asks for the PIN.
    func unlock(_ vault: Vault, by method: UnlockMethodOptions) throws -> UnlockedVault {
        if secretFile == nil { _ = try Terminal.open(for: .credentialSecret) }
        return try method.unlock(vault, beforeTyping: secretFile == nil ? .credentialSecret : nil)
    }

    func read() throws -> SecureBytes {
        let limit =
            secretEncoding == nil ? CredentialSecret.maximumInput : CredentialSecret.maximumEncodedInput
        guard let source = secretFile else {
            let terminal = try Terminal.open(for: .credentialSecret)
            let text = try terminal.readSecret("secret: ", limit: limit)
            return try parsed(text, at: "the secret")
        }
        let text = try placed(at: source.name) {
            try source.readSecret(atMost: limit, isText: false, writable: .refusedWhereModesAreStored)
        }
        return try parsed(text, at: source.name)
    }

    private func parsed(_ text: consuming SecureBytes, at place: String) throws -> SecureBytes {
        var text: SecureBytes? = consume text
        return try placed(at: place) {
            guard var text = text.take() else { throw HTTPSigningError.secret(.empty) }
            if let secretEncoding { return try CredentialSecret.decoded(text, secretEncoding) }
            try CredentialSecret.check(&text)
            return text
        }
    }
}

extension TimeUnit: ExpressibleByArgument {}
extension SignatureEncoding: ExpressibleByArgument {}
