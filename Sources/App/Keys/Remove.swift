import ArgumentParser
import Codecs
import Hardening
import KeyVault
import Shell

struct Remove: UnlockingCommand, JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Permanently remove a key from the vault.",
        discussion: """
            At the terminal, type the label to confirm, or the last 8 characters of the public key if there is no \
            label. A key that is in no verified backup is removed only with --never-backed-up. Older copies of the \
            file still contain the key. If a policy limits the key, its second unlock method is required too; the \
            policy stays, and applies again if the key is imported. If two policies do, its own and that of all keys, \
            the second unlock method of each is required; if they differ, use a terminal.

              eosvault remove 'cold treasury' --yes --never-backed-up --pin-file pin
            """)

    @OptionGroup var key: KeyArgument
    @OptionGroup var unlocking: UnlockOptions
    @OptionGroup var second: SecondMethodOptions

    @Flag(help: "Remove without confirmation, for scripts.")
    var yes = false

    @Flag(help: "Remove the key even if it is in no verified backup: it is then lost.")
    var neverBackedUp = false

    @OptionGroup var common: CommonOptions

    func validate() throws { try method.inputs.refuseSharedInput(with: second.inputs) }

    var requiredAccess: FileAccess { unlocking.fileAccess + second.fileAccess + (yes ? .none : .terminal) }

    func run() throws {
        let file = try vault.open()
        let name = try key.expectKnown(in: file, vault.name())
        let policies = try placed(at: vault.name()) { try second.required(for: name, in: file) }
        try Removal(yes: yes, neverBackedUp: neverBackedUp, json: json)
            .remove(key.key, from: file, by: method, second, for: policies)
    }
}

/// The removal of a key or a credential.
struct Removal {
    let yes: Bool
    let neverBackedUp: Bool
    let json: JSONOption

    /// - Parameters:
    ///   - text: as the user names the entry.
    ///   - second: proves the second unlock method of the policies of a key.
    ///   - policies: those of the key, not verified.
    func remove(
        _ text: String, from file: Vault, by method: UnlockMethodOptions, _ second: SecondMethodOptions? = nil,
        for policies: [StoredPolicy] = []
    ) throws {
        let terminal = yes ? nil : try Terminal.open(for: .removal)
        let unlocked = try method.unlock(file, beforeTyping: second?.typed(for: policies))
        let status = try unlocked.status(of: text)
        guard status.isBackedUp || neverBackedUp else { throw VaultError.input(.neverBackedUp(status.entry.kind)) }
        if let terminal { try Self.confirm(status, at: terminal) }
        let (shown, neverBackedUp) = (status.entry, neverBackedUp)
        let proof = try second?.proveRelease(of: shown.name, in: unlocked)
        try unlocked.transaction { (transaction: inout VaultTransaction) throws(ChangeError) in
            let now = try converting(ChangeError.vault, transaction.status(of: transaction.entry(named: shown.name)))
            guard now.entry == shown else { throw .changedMeanwhile(shown.kind) }
            try converting(
                ChangeError.vault, transaction.remove(shown.name, neverBackedUp: neverBackedUp, proof: proof))
        }
        try shown.print(json)
        Messages.note(Words.removed(shown))
    }

    /// Shows the key, and asks the user to type its label or the end of its public key.
    private static func confirm(_ status: KeyStatus, at terminal: borrowing Terminal) throws {
        let entry = status.entry
        let (kind, noun) = (entry.kind.noun, entry.isKey ? "public key" : "name")
        let (what, name) =
            entry.label.map { ("its label", $0.text) } ?? (
                "the last 8 characters of its \(noun)", String(entry.name.text.suffix(8))
            )
        let backup =
            status.isBackedUp
            ? "It is in a verified backup." : "IT IS IN NO VERIFIED BACKUP: removing it destroys the \(kind)."
        terminal.write(
            """
            \(noun.padded(to: 13))  \(entry.name)
            label          \(entry.label?.text ?? "none")
            created        \(Clock.text(entry.createdAt))
            \(backup)

            """)
        guard try terminal.decide("To remove the \(kind), type \(what): ", limit: 1_024).utf8.elementsEqual(name.utf8)
        else {
            throw CommandError.notRemoved
        }
    }
}
