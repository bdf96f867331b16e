import ArgumentParser
import KeyVault
import Shell

struct Rename: UnlockingCommand, JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Change or remove the label of a key.",
        discussion: """
            A label has 1 to 64 characters, and its letters are of one script. It must not look like a key, a system \
            account or another label in the vault.

              eosvault rename treasury 'cold treasury'
            """)

    @OptionGroup var key: KeyArgument

    @Argument(help: "The new label.")
    var label: String?

    @Flag(name: .customLong("no-label"), help: "Remove the label.")
    var none = false

    @OptionGroup var unlocking: UnlockOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (label == nil) == none else { throw ValidationError("give a new label, or --no-label") }
    }

    func run() throws {
        let label = try label.map { text in try parsing("the new label") { try Label(text) } }
        let file = try vault.open()
        try key.expectKnown(in: file, vault.name())
        let text = key.key
        let renamed = try method.unlock(file).transaction { transaction throws(VaultError) in
            try transaction.rename(transaction.entry(text).description.name, to: label)
        }
        try renamed.print(json)
    }
}
