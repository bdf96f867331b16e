import ArgumentParser
import HTTPSigning
import Hardening
import JSON
import KeyVault
import Shell

struct CredentialGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credential",
        abstract: "Store API keys, and sign HTTP requests with them.",
        subcommands: [
            Sign.self, Add.self, List.self, Show.self, Rename.self, Rotate.self, Remove.self, Export.self,
        ])

    struct List: ListingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Print the credentials of the vault.",
            discussion: """
                Each line has the id, `unverified` without --verify, the profile, the key id and the label. \
                \(ListingOptions.doubt)

                  eosvault credential list
                """)

        @OptionGroup var listing: ListingOptions
        @OptionGroup var common: CommonOptions

        func run() throws {
            let all = try statuses().filter { $0.entry.kind == .credential }
            let lines = all.map(\.entry).map { entry in
                let credential = entry.credential
                let remarks = [
                    isVerified ? nil : "unverified", credential?.profile.name, credential?.keyID.text,
                ]
                return entry.line(remarks.compactMap(\.self).joined(separator: " ")) + "\n"
            }
            try json.report(lines.joined(), json: Self.object.json((isVerified, all)))
        }

        static let object = JSONObject<(isVerified: Bool, statuses: [KeyStatus])>([
            .boolean("unverified", "false with --verify") { !$0.isVerified },
            .value("credentials", .list(of: KeyStatus.shownCredential), "the credentials, by creation time") {
                .array($0.statuses.map(\.details))
            },
        ])
    }

    struct Show: ListingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Print the details of one credential, without its secret.",
            discussion: """
                Prints the profile and its parameters, the key id, the URL prefix, the last nonce, the creation time, \
                and whether a verified backup contains the credential. \(ListingOptions.doubt)

                  eosvault credential show exchange
                """)

        @OptionGroup var credential: CredentialArgument
        @OptionGroup var listing: ListingOptions
        @OptionGroup var common: CommonOptions

        func run() throws {
            let file = try vault.open(.reading)
            var status = try credential.unverified(in: file, vault.name())
            if isVerified { status = try method.unlock(file).status(of: credential.name) }
            try json.report(status.text(isVerified: isVerified), json: status.json(isVerified: isVerified))
        }
    }

    struct Rename: UnlockingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "rename", abstract: "Change the label of a credential.",
            discussion: """
                A label has 1 to 64 characters, and its letters are of one script. No other key or credential can \
                have the same label.

                  eosvault credential rename exchange 'old exchange'
                """)

        @OptionGroup var credential: CredentialArgument

        @Argument(help: ArgumentHelp("The new label.", valueName: "label"))
        var newName: String

        @OptionGroup var unlocking: UnlockOptions
        @OptionGroup var common: CommonOptions

        func run() throws {
            let label = try parsing("the new label") { try Label(newName) }
            let file = try vault.open()
            let name = try credential.unverified(in: file, vault.name()).entry.name
            let renamed = try method.unlock(file).transaction { transaction throws(VaultError) in
                try transaction.rename(name, to: label)
            }
            try renamed.print(json)
        }
    }

    struct Remove: UnlockingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Permanently remove a credential from the vault.",
            discussion: """
                To confirm, type the label. Without --never-backed-up, the command refuses to remove a credential \
                that is in no verified backup. Older copies of the file still contain it: revoke the API key at the \
                service.

                  eosvault credential remove 'old exchange' --yes --never-backed-up --pin-file pin
                """)

        @OptionGroup var credential: CredentialArgument
        @OptionGroup var unlocking: UnlockOptions
        @OptionGroup var removal: RemovalOptions
        @OptionGroup var common: CommonOptions

        var requiredAccess: FileAccess { unlocking.fileAccess + removal.fileAccess }

        func run() throws {
            let file = try vault.open()
            _ = try credential.unverified(in: file, vault.name())
            let removed = try removal.remove(credential.name, from: file, by: method)
            try removed.print(json)
            Messages.note(Words.removed(removed))
        }
    }
}

/// A credential of the vault, given by its label or its id.
struct CredentialArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The label of a credential, or its id.", valueName: "credential"),
        completion: .credentials)
    var name: String

    init() {}

    init(name: String) { self.name = name }

    /// The credential in the file, before the PIN is read. The file is verified later.
    /// - Throws: `unknownCredential`, also for a key.
    func unverified(in vault: Vault, _ vaultName: String) throws -> KeyStatus {
        guard let status = try placed(at: vaultName, { try vault.unverifiedStatus(of: name) }),
            status.entry.kind == .credential
        else { throw CommandError.unknownCredential(name, vault: vaultName) }
        return status
    }
}
