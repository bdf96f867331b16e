import ArgumentParser
import Hardening
import KeyVault
import Keys
import Shell
import Tokens

struct Create: UnlockingCommand, TokenCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a key in the vault and print its public key.",
        discussion: """
            Without --seed, the key is random. With --seed, it is the next key of a seed, at m/44'/194'/0'/0/0, then \
            at m/44'/194'/0'/0/1, and so on. The words of the seed restore it: see `eosvault help seed`. `show` prints \
            the seed and the path.

              eosvault create --label treasury
              eosvault create --seed family --label savings
            """)

    @OptionGroup var unlocking: UnlockOptions
    @OptionGroup var entry: EntryOptions
    @Option(
        help: ArgumentHelp(
            "K1, which every chain and wallet supports, or R1, the curve of phones and most hardware tokens.",
            valueName: "curve"))
    var curve: CurveOption = .k1
    @Option(
        help: ArgumentHelp(
            "Make the key in the PKCS#11 token with this URI, such as pkcs11:token=treasury. It never leaves it.",
            valueName: "uri"))
    var token: ParsedArgument<TokenURI>?
    @OptionGroup var tokens: TokenOptions
    @Option(
        help: ArgumentHelp(
            "Derive the next key of this seed, given by its label or its name.", valueName: "name"),
        completion: .keys)
    var seed: String?
    @OptionGroup var qr: QROptions
    @OptionGroup var sandbox: SandboxOption

    var requiredAccess: FileAccess {
        unlocking.fileAccess + qr.fileAccess + (mayUseTokens ? tokens.pin.fileAccess : .none)
    }
    var mayUseTokens: Bool { token != nil }
    var namedModules: [String] {
        tokens.modules.module + [(try? token?.value)?.modulePath].compactMap(\.self)
    }

    func validate() throws {
        try qr.expectText(entry.json)
        if seed != nil, token != nil || curve == .r1 {
            throw ValidationError("the keys of a seed are K1, and not in a token: omit --curve and --token")
        }
        if !tokens.modules.module.isEmpty, token == nil { throw ValidationError("--module needs --token") }
        try tokens.pin.inputs.refuseSharedInput(with: method.inputs)
    }

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
        if let token {
            let uri = try parsing("--token") { try token.value }
            return try TokenMaking(options: tokens)
                .make(curve.curve, in: uri, label: label, into: file, by: method)
        }
        if let seed { return try derive(from: seed, label, in: file) }
        let unlocked = try method.unlock(file)
        return try unlocked.insert(.generate(curve.curve), label: label, createdAt: Clock.now)
    }

    private func derive(from seed: String, _ label: Label?, in file: Vault) throws -> EntryDescription {
        let name = try SeedArgument(seed).expectKnown(in: file, vault.name())
        return try method.unlock(file).transaction { transaction throws(VaultError) in
            try transaction.deriveKey(from: name, label: label, createdAt: Clock.now)
        }
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
        Messages.note(
            entry.origin.map(Words.derived)
                ?? (entry.tokens.isEmpty ? Words.notBackedUp(1) : Words.onlyInToken))
    }
}

/// --curve
enum CurveOption: String, CaseIterable, ExpressibleByArgument {
    case k1 = "K1"
    case r1 = "R1"

    var curve: Curve { self == .k1 ? .k1 : .r1 }
}
