import ArgumentParser
import KeyVault
import Shell

/// The label of a new entry, and how the entry is printed.
struct EntryOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A label for the key: unique in the vault, 1 to 64 characters.", valueName: "text"))
    var label: String?

    @OptionGroup var json: JSONOption

    func parsedLabel() throws -> Label? {
        guard let label else { return nil }
        return try placed(at: "--label") { try Label(label) }
    }

    /// Prints the public key of a committed entry.
    func print(_ entry: EntryDescription) throws {
        try placed(at: "\(entry.name) is in the vault, but standard output") { try entry.print(json) }
        Messages.note(Words.notBackedUp(1))
    }
}
