import ArgumentParser
import JSON
import KeyVault

struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a vault.",
        discussion: """
            Its folder is made with mode 0700 where it is missing.

              eosvault init
            """)

    @OptionGroup var vault: VaultOptions
    @OptionGroup var pin: PINOptions

    @Option(name: .customLong("kdf-passes"), help: ArgumentHelp("Passes of Argon2id (default: 3).", valueName: "number"))
    var passes: UInt32?

    @Option(
        name: .customLong("kdf-memory"),
        help: ArgumentHelp("Memory of Argon2id, in bytes, KiB, MiB or GiB (default: 256MiB).", valueName: "size"))
    var memory: MemorySize?

    @Flag(name: .customLong("insecure-kdf"), help: "Allow a derivation cheaper than 2 passes and 64 MiB, for tests.")
    var insecure = false

    @Flag(name: .long, help: "Print what was made as JSON.")
    var json = false

    func run() throws {
        let path = try vault.path()
        let cost = try KDFCost(
            passes: passes ?? KDFCost.standard.passes, memory: memory?.bytes ?? KDFCost.standard.memory, insecure: insecure)
        try placed(at: path) { try VaultLocation.verifyPlace(path) }
        let pin = try pin.readNew()
        let isDigitsOnly = pin.isDigitsOnly
        let way = WayIn.pin(pin)
        if isDigitsOnly {
            Messages.warning("a PIN of digits alone falls in days to whoever takes the file; a passphrase of several words does not")
        }
        try placed(at: path) {
            try VaultLocation.createFolder(for: path)
            try Progress.during("making the vault") {
                try Vault.create(at: path, way: SlotSecret(of: way, cost: cost), createdAt: Clock.now)
            }
        }
        if json {
            let made = JSONValue.object([
                JSONMember("vault", .string(path)), JSONMember("kdf_passes", .number("\(cost.passes)")),
                JSONMember("kdf_memory", .number("\(cost.memory)")),
            ])
            try Output.data(made.text() + "\n")
        } else {
            Output.words("made the vault \(Printable.line(path))")
        }
    }
}

/// `64MiB`, `8KiB`, `1GiB`, or bytes.
struct MemorySize: ExpressibleByArgument {
    let bytes: UInt64

    init?(argument: String) {
        let units: [(String, UInt64)] = [
            ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30),
        ]
        let unit = units.first { argument.hasSuffix($0.0) }
        let digits = argument.dropLast(unit?.0.utf8.count ?? 0)
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let number = UInt64(digits) else {
            return nil
        }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: unit?.1 ?? 1)
        guard !overflow else { return nil }
        self.bytes = bytes
    }
}
