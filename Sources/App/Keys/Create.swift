import ArgumentParser
import Hardening
import KeyVault
import Keys
import Shell

struct Create: UnlockingCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a key in the vault and print its public key.")

    @OptionGroup var unlocking: UnlockOptions
    @OptionGroup var entry: EntryOptions
    @Option(
        help: ArgumentHelp(
            "K1, which every chain and wallet supports, or R1, the curve of phones and most hardware tokens.",
            valueName: "curve"))
    var curve: CurveOption = .k1
    @OptionGroup var qr: QROptions
    @OptionGroup var sandbox: SandboxOption

    var requiredAccess: FileAccess { unlocking.fileAccess + qr.fileAccess }

    func validate() throws { try qr.expectText(entry.json) }

    func run() throws {
        let label = try entry.parsedLabel()
        let codes = try qr.prepared()
        try codes.expectRoom(for: .oneKey())
        let made = try make(label)
        try entry.print(made)
        try codes.deliver(QRContent(keys: [made]))
    }

    /// The new key and the vault's keys are wiped when this returns.
    private func make(_ label: Label?) throws -> EntryDescription {
        let file = try vault.open()
        let unlocked = try method.unlock(file)
        return try unlocked.insert(.generate(curve.curve), label: label, createdAt: Clock.now)
    }
}

/// The label of a new entry, and how the entry is printed.
struct EntryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("A label for the key: unique in the vault, 1 to 64 characters.", valueName: "text")
    )
    var label: String?

    @OptionGroup var json: JSONOption

    func parsedLabel() throws -> Label? {
        guard let label else { return nil }
        return try parsing("--label") { try Label(label) }
    }

    /// Prints the public key of a committed entry.
    func print(_ entry: EntryDescription) throws {
        try placed(at: "\(entry.name) is in the vault, but standard output") { try entry.print(json) }
        Messages.note(Words.notBackedUp(1))
    }
}

/// --curve
enum CurveOption: String, CaseIterable, ExpressibleByArgument {
    case k1 = "K1"
    case r1 = "R1"

    var curve: Curve { self == .k1 ? .k1 : .r1 }
}
