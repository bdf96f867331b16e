import ArgumentParser
import Codecs
import Hardening
import KeyVault
import Shell

struct Remove: ReleasingCommand, JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Permanently remove a key from the vault.",
        discussion: """
            To confirm, type the label, or the last 8 characters of the public key if there is no label. Without \
            --never-backed-up, the command refuses to remove a key that is in no verified backup. Older copies of the \
            file still contain the key. Its policy stays, and applies again if you import the key. \
            \(ReleaseOptions.requirement)

              eosvault remove 'cold treasury' --yes --never-backed-up --pin-file pin
            """)

    @OptionGroup var key: KeyArgument
    @OptionGroup var release: ReleaseOptions
    @OptionGroup var removal: RemovalOptions
    @OptionGroup var common: CommonOptions

    var requiredAccess: FileAccess { release.fileAccess + removal.fileAccess }

    func run() throws {
        let file = try vault.open()
        let name = try key.expectKnown(in: file, vault.name())
        let policies = try placed(at: vault.name()) { try second.required(for: name, in: file) }
        let removed = try removal.remove(key.key, from: file, by: method, second, for: policies)
        try removed.print(json)
        Messages.note(Words.removed(removed))
    }
}

/// How a key or a credential is removed.
struct RemovalOptions: ParsableArguments {
    @OptionGroup var confirmation: ConfirmationOption

    @Flag(help: "Remove it even if no verified backup contains it; it is then lost.")
    var neverBackedUp = false

    var fileAccess: FileAccess { confirmation.fileAccess }

    /// - Parameters:
    ///   - text: as the user names the entry.
    ///   - second: proves the second unlock method of the policies of a key.
    ///   - policies: the policies that limit the key, not verified.
    func remove(
        _ text: String, from file: Vault, by method: UnlockMethodOptions,
        _ second: SecondMethodOptions? = nil,
        for policies: [StoredPolicy] = []
    ) throws -> EntryDescription {
        let terminal = confirmation.yes ? nil : try Terminal.open(for: .removal)
        let unlocked = try method.unlock(file, beforeTyping: second?.typed(for: policies))
        let status = try unlocked.status(of: text)
        guard !status.isOnlyHere || neverBackedUp else {
            throw VaultError.input(.neverBackedUp(status.entry.kind))
        }
        if let terminal { try Self.confirm(status, at: terminal) }
        let (shown, neverBackedUp) = (status.entry, neverBackedUp)
        let proof = try second?.proveRelease(of: shown.name, in: unlocked)
        try unlocked.transaction { (transaction: inout VaultTransaction) throws(ChangeError) in
            let now = try converting(
                ChangeError.vault, transaction.status(of: transaction.entry(named: shown.name)))
            guard now.entry == shown else { throw .changedMeanwhile(shown.kind) }
            try converting(
                ChangeError.vault, transaction.remove(shown.name, neverBackedUp: neverBackedUp, proof: proof))
        }
        return shown
    }

    /// Shows the entry, and asks the user to type its label or the end of its name.
    private static func confirm(_ status: KeyStatus, at terminal: borrowing Terminal) throws {
        let entry = status.entry
        let (kind, noun) = (entry.kind.noun, entry.isKey ? "public key" : "name")
        let (what, name) =
            entry.label.map { ("its label", $0.text) } ?? (
                "the last 8 characters of its \(noun)", String(entry.name.text.suffix(8))
            )
        let backup =
            entry.kind.isInTokens
            ? "Its tokens keep the private key."
            : status.isInBackup
                ? "It is in a verified backup."
                : status.isBackedUp
                    ? "NO VERIFIED BACKUP HAS IT: only the words or the shares of its seed restore it."
                    : "IT IS IN NO VERIFIED BACKUP: removing it destroys the \(kind)."
        terminal.write(
            """
            \(noun.padded(to: 13))  \(entry.name)
            label          \(entry.label?.text ?? "none")
            created        \(Clock.text(entry.createdAt))
            \(backup)

            """)
        guard
            try terminal.decide("To remove the \(kind), type \(what): ", limit: 1_024).utf8.elementsEqual(
                name.utf8)
        else {
            throw CommandError.notRemoved
        }
    }
}
