import ArgumentParser
import Curves
import JSON
import KeyVault
import Sandbox

struct Create: ConfinedCommand {
    static let configuration = CommandConfiguration(abstract: "Make a key in the vault and print its public key.")

    @OptionGroup var vault: VaultOptions
    @OptionGroup var way: WayInOptions
    @OptionGroup var entry: EntryOptions

    @OptionGroup var sandbox: SandboxOption

    var touches: FileAccess { vault.fileAccess(by: way) }

    func run() throws {
        let label = try entry.parsedLabel()
        try entry.print(make(label))
    }

    /// The key and the vault's keys are gone when this returns.
    private func make(_ label: Label?) throws -> EntryDescription {
        let file = try vault.open()
        let unlocked = try way.unlock(file)
        return try unlocked.insert(.generate(.k1), label: label, createdAt: Clock.now)
    }
}

/// What a new entry is called, and how it is printed.
struct EntryOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("A name for the key, unique in the vault, 1 to 64 characters.", valueName: "text"))
    var label: String?

    @OptionGroup var json: JSONOption

    func parsedLabel() throws -> Label? {
        guard let label else { return nil }
        return try placed(at: "--label") { try Label(label) }
    }

    /// Prints the public key, after it was committed.
    func print(_ entry: EntryDescription) throws {
        do { try Output.data((json.isOn ? Printable.json(entry.json) : entry.name) + "\n") } catch {
            throw Placed(place: "\(entry.name) is in the vault, but standard output", error: error)
        }
        Messages.note(Words.notBackedUp(1))
    }
}

extension EntryDescription {
    var json: JSONValue {
        .object([
            JSONMember("public_key", .string(name)),
            JSONMember("label", label.map { .string($0.text) } ?? .null),
            JSONMember("created", .string(Clock.text(createdAt))),
        ])
    }
}
