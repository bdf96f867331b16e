import ArgumentParser
import HTTPSigning
import Hardening
import JSON
import KeyVault
import Shell

struct CredentialGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credential",
        abstract: "Store API keys and their secrets, and sign HTTP requests with them.",
        subcommands: [
            Sign.self, Add.self, List.self, Show.self, Rename.self, Rotate.self, Remove.self, Export.self,
        ])

    struct List: ListingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Print the credentials of the vault.",
            discussion: """
                One line for each credential: its id, `unverified` without --verify, its profile, its key id and its \
                label. Without --verify, no PIN is needed and nothing is verified: anyone who can write the file can \
                change the list.

                  eosvault credential list
                """)

        @OptionGroup var listing: ListingOptions

        @OptionGroup var common: CommonOptions

        func run() throws {
            let all = try statuses().filter { $0.entry.kind == .credential }
            guard !json.isOn else {
                return try Output.json(Self.object.json((isVerified, all)))
            }
            let lines = all.map(\.entry).map { entry in
                let credential = entry.credential
                let words = [
                    entry.name.text, isVerified ? nil : "unverified", credential?.profile.name, credential?.keyID.text,
                    entry.label?.text,
                ]
                return words.compactMap(\.self).joined(separator: " ") + "\n"
            }
            try Output.report(lines.joined())
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
            commandName: "show",
            abstract: "Print the details of one credential, without its secret.",
            discussion: """
                Prints the profile and its parameters, the key id, the URL prefix, the last nonce, the creation time, \
                and whether the credential is in a verified backup. Without --verify, no PIN is needed and nothing is \
                verified: anyone who can write the file can change the output.

                  eosvault credential show exchange
                """)

        @OptionGroup var credential: CredentialArgument
        @OptionGroup var listing: ListingOptions

        @OptionGroup var common: CommonOptions

        func run() throws {
            let file = try vault.open(.reading)
            var status = try credential.unverified(in: file, vault.name())
            if isVerified { status = try method.unlock(file).status(of: credential.name) }
            guard !json.isOn else { return try Output.json(status.json(isVerified: isVerified)) }
            try Output.report(status.text(isVerified: isVerified))
        }
    }

    struct Rename: UnlockingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "rename",
            abstract: "Change the label of a credential.",
            discussion: """
                The rules are those for labels of keys: 1 to 64 characters, with letters of one script, and no other \
                key or credential with this label.

                  eosvault credential rename exchange 'old exchange'
                """)

        @OptionGroup var credential: CredentialArgument

        @Argument(help: ArgumentHelp("The new label.", valueName: "label"))
        var newName: String

        @OptionGroup var unlocking: UnlockOptions

        @OptionGroup var common: CommonOptions

        func run() throws {
            let label = try placed(at: "the new label") { try Label(newName) }
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
            commandName: "remove",
            abstract: "Permanently remove a credential from the vault.",
            discussion: """
                At the terminal, type the label to confirm. A credential that is in no verified backup is removed only \
                with --never-backed-up. Older copies of the file still contain it: revoke the API key at the service.

                  eosvault credential remove 'old exchange' --yes --never-backed-up --pin-file pin
                """)

        @OptionGroup var credential: CredentialArgument
        @OptionGroup var unlocking: UnlockOptions

        @Flag(help: "Remove without confirmation, for scripts.")
        var yes = false

        @Flag(help: "Remove the credential even if it is in no verified backup: it is then lost.")
        var neverBackedUp = false

        @OptionGroup var common: CommonOptions

        var requiredAccess: FileAccess { unlocking.fileAccess + (yes ? .none : .terminal) }

        func run() throws {
            let file = try vault.open()
            _ = try credential.unverified(in: file, vault.name())
            try Removal(yes: yes, neverBackedUp: neverBackedUp, json: json)
                .remove(credential.name, from: file, by: method)
        }
    }
}

/// A credential of the vault, given by its label or its id.
struct CredentialArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The label of a credential, or its id.", valueName: "credential"), completion: .credentials)
    var name: String

    /// The credential in the file, before the PIN is read. The file is verified later.
    /// - Throws: `unknownCredential`, also for a key.
    func unverified(in vault: Vault, _ vaultName: String) throws -> KeyStatus {
        guard let status = try placed(at: vaultName, { try vault.unverifiedStatus(of: name) }),
            status.entry.kind == .credential
        else { throw CommandError.unknownCredential(vault: vaultName) }
        return status
    }
}

extension EntryDescription {
    /// Prints the id of a committed credential.
    func print(_ option: JSONOption) throws { try option.print(name.text, json: json) }
}
