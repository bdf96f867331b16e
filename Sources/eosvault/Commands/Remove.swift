import ArgumentParser
import Curves
import JSON
import KeyText
import KeyVault
import Sandbox

struct Remove: ConfinedCommand {
    static let configuration = CommandConfiguration(
        abstract: "Remove a key from the vault, for good.",
        discussion: """
            At the terminal its label is to be typed, or the last 8 characters of its public key where it has none. A key that no verified backup holds \
            is kept, unless you say otherwise. Older copies of the file still hold it.

              eosvault remove 'cold treasury' --yes --never-backed-up --pin-file pin
            """)

    @OptionGroup var key: KeyArgument
    @OptionGroup var vault: VaultOptions
    @OptionGroup var method: UnlockMethodOptions

    @Flag(name: .long, help: "Remove without asking, for programs.")
    var yes = false

    @Flag(
        name: .customLong("never-backed-up"), help: "Remove it although no verified backup holds it: it is lost then.")
    var neverBackedUp = false

    @OptionGroup var json: JSONOption

    @OptionGroup var sandbox: SandboxOption

    var touches: FileAccess { vault.fileAccess(by: method) + (yes ? .none : .terminal) }

    func run() throws {
        let file = try vault.open()
        try key.expectKnown(in: file, vault.name())
        let terminal = yes ? nil : try Terminal.open(for: Terminal.removal)
        let unlocked = try method.unlock(file)
        let status = try unlocked.status(of: key.key)
        guard status.isBackedUp || neverBackedUp else { throw VaultError.neverBackedUp }
        if let terminal { try Self.confirm(status, at: terminal) }
        let publicKey = try PublicKey(status.entry.name)
        let (shown, neverBackedUp) = (status.entry, neverBackedUp)
        try unlocked.transaction { (transaction: inout VaultTransaction) throws(ChangeError) in
            let now = try ChangeError.lifting { () throws(VaultError) in try transaction.entry(publicKey) }
            guard now == shown else { throw .changedMeanwhile }
            try ChangeError.lifting { () throws(VaultError) in
                try transaction.remove(publicKey, neverBackedUp: neverBackedUp)
            }
        }
        try Output.data((json.isOn ? Printable.json(shown.json) : shown.name) + "\n")
    }

    /// Shows what is removed, and has its name typed.
    private static func confirm(_ status: KeyStatus, at terminal: borrowing Terminal) throws {
        let entry = status.entry
        let (what, name) =
            entry.label.map { ("its label", $0.text) } ?? (
                "the last 8 characters of its public key", String(entry.name.suffix(8))
            )
        terminal.write(
            """
            public key     \(entry.name)
            label          \(entry.label?.text ?? "none")
            created        \(Clock.text(entry.createdAt))
            \(status.isBackedUp ? "A verified backup holds it." : "NO VERIFIED BACKUP HOLDS IT: removing it destroys it.")

            """)
        guard try terminal.ask("To remove it, type \(what): ", limit: 1_024).utf8.elementsEqual(name.utf8) else {
            throw CommandError.notRemoved
        }
    }
}
