import ArgumentParser
import JSON
import KeyVault
import Sandbox

struct Init: ConfinedCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a vault.",
        discussion: """
            Its folder is made with mode 0700 where it is missing. A key file makes a weak PIN strong against whoever takes the vault \
            alone; a recovery phrase opens the vault when PIN or key file are lost. At a terminal both are offered.

              eosvault init
              eosvault init --keyfile stick/vault.key --recovery
            """)

    @OptionGroup var vault: VaultOptions
    @OptionGroup var pin: PINOptions

    @Option(
        name: .customLong("keyfile"),
        help: ArgumentHelp(
            "Make a key file, which is needed beside the PIN; keep it elsewhere than the vault.", valueName: "path"))
    var keyFile: String?

    @Flag(name: .long, help: "Make a recovery phrase of 24 words, shown once at the terminal.")
    var recovery = false

    @OptionGroup var kdf: KDFOptions

    @Flag(name: .long, help: "Print what was made as JSON.")
    var json = false

    @OptionGroup var sandbox: SandboxOption

    var touches: FileAccess {
        // Where a key file goes that is offered is not known before it was asked for.
        touches(newKeyFile: keyFile.map { OutputFile(path: $0).fileAccess } ?? (isOffered ? .making(in: "/") : .none))
    }

    private func touches(newKeyFile: FileAccess) -> FileAccess {
        vault.newAccess + pin.fileAccess + (recovery ? .terminal : .none) + newKeyFile
    }

    func lookAround() { DiskTraces.look() }

    func run() throws {
        let path = try vault.path()
        _ = try kdf.given()
        // A vault whose state could not be remembered is reported when it is made.
        _ = try VaultOptions.witness()
        try placed(at: path, as: .newVault) { try VaultLocation.verifyPlace(path) }
        var newKeyFile = try keyFile.map { try NewKeyFile(path: $0, vault: path) }
        // Said before anything is asked when there is no terminal for it.
        if recovery { _ = try RecoveryCeremony() }
        DiskTraces.warn()
        // Asked before the PIN is: until it is known where it goes, files can be made everywhere.
        if newKeyFile == nil, isOffered { newKeyFile = try offeredKeyFile(vault: path) }
        let (cost, kinds) = try NewVaultFolder.keptUnlessFailing(
            for: path, in: sandbox, keepingTo: { touches(newKeyFile: newKeyFile?.fileAccess ?? .none) }
        ) { try make(at: path, newKeyFile) }
        try report(path, cost, kinds)
    }

    /// What opens the vault is gone when this returns.
    private func make(at path: String, _ newKeyFile: NewKeyFile?) throws -> (KDFCost, [SlotKind]) {
        let pin = try pin.readNew()
        let cost = try kdf.measured()
        Messages.strength(pin.strength, of: cost, withKeyFile: newKeyFile != nil, keyFileBy: "--keyfile")
        let recovery = try wantsPhrase() ? SlotSecret(of: .recovery(RecoveryCeremony().newPhrase())) : nil
        let kinds: [SlotKind] = [newKeyFile == nil ? .pin : .pinAndKeyFile] + (recovery == nil ? [] : [.recovery])

        if let newKeyFile {
            let method = UnlockMethod.pinAndKeyFile(pin, try .random())
            let secret = try SlotSecret.deriving(method, cost.cost)
            try newKeyFile.write(of: method) { try make(at: path, secret, recovery) }
        } else {
            try make(at: path, SlotSecret.deriving(.pin(pin), cost.cost), recovery)
        }
        return (cost.cost, kinds)
    }

    // MARK: what is offered at the terminal

    private var isOffered: Bool { pin.source == nil }

    private func offeredKeyFile(vault: String) throws -> NewKeyFile? {
        let terminal = try Terminal.open(for: Terminal.pin)
        guard try terminal.confirm(Words.offerKeyFile) else { return nil }
        return try NewKeyFile(path: terminal.ask("path of the key file: ", limit: OutputFile.longestPath), vault: vault)
    }

    private func wantsPhrase() throws -> Bool {
        guard !recovery, isOffered else { return recovery }
        return try Terminal.open(for: Terminal.pin).confirm(Words.offerPhrase)
    }

    // MARK: the vault

    private func make(at path: String, _ method: borrowing SlotSecret, _ recovery: borrowing SlotSecret?) throws {
        do { try Vault.create(at: path, method: method, recovery: recovery, createdAt: Clock.now) } catch {
            throw Placed(place: Printable.line(path), error: error, use: .newVault)
        }
    }

    private func report(_ path: String, _ cost: KDFCost, _ kinds: [SlotKind]) throws {
        if kinds.contains(.recovery) { Messages.note(Words.phraseNote) }
        guard json else { return Output.words(Words.madeVault(path)) }
        let slots = kinds.enumerated().map { number, kind in
            JSONValue.object([JSONMember("slot", .number("\(number)")), JSONMember("kind", .string(kind.code))])
        }
        let made = JSONValue.object([
            JSONMember("vault", .string(path)), JSONMember("kdf_passes", .number("\(cost.passes)")),
            JSONMember("kdf_memory", .number("\(cost.memory)")), JSONMember("slots", .array(slots)),
        ])
        try Output.json(made)
    }
}
