import ArgumentParser
import Hardening
import JSON
import KeyVault
import Shell

struct Init: ConfinedCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Create a vault.",
        discussion: """
            A missing folder is created with mode 700. A key file protects a weak PIN against a thief who has only \
            the vault. A recovery phrase opens the vault if the PIN or the key file is lost. At a terminal, the \
            command offers to make both.

            --random-pin is for services, where nobody types the PIN. A random PIN can't be guessed, so the command \
            chooses the cheapest key derivation: an unlock takes a tenth of a second.

              eosvault init
              eosvault init --keyfile stick/vault.key --recovery
              eosvault init --random-pin vault.pin
              eosvault init --tpm --recovery

            With a TPM, nobody can guess the PIN from a copy of the file. The vault then also needs a recovery \
            phrase, because a TPM can fail.
            """)

    @OptionGroup var vault: VaultOptions
    @OptionGroup var pin: PINOptions

    @Option(
        name: .customLong("keyfile"),
        help: ArgumentHelp(
            "Create a key file to use with the PIN. Keep it apart from the vault.", valueName: "path"),
        completion: .file())
    var keyFile: String?

    @Option(
        defaultAsFlag: DeviceName.firstTPM, parsing: .next,
        help: ArgumentHelp(
            "Seal a secret in this TPM, to use with the PIN: a path, or fd:N for an open descriptor.",
            valueName: "device"))
    var tpm: DeviceName?

    @OptionGroup var registers: RegisterOptions

    @Option(
        help: ArgumentHelp("Make a random PIN, and write it to a new file.", valueName: "path"),
        completion: .file())
    var randomPin: String?

    @Flag(help: "Create a recovery phrase of 24 words, shown once at the terminal.")
    var recovery = false

    @OptionGroup var kdf: KDFOptions

    @Flag(help: "Print the properties of the new vault as JSON.")
    var json = false

    @OptionGroup var sandbox: SandboxOption

    func validate() throws {
        if randomPin != nil, pin.source != nil || keyFile != nil || tpm != nil {
            throw ValidationError(
                "--random-pin makes the unlock method: omit the PIN, the key file and the TPM")
        }
        try tpm?.validate("--tpm")
        if tpm != nil, keyFile != nil { throw ValidationError("give --tpm or --keyfile, not both") }
        if registers.isGiven, tpm == nil { throw ValidationError("--tpm-registers needs --tpm") }
    }

    var requiredAccess: FileAccess {
        // The path of an offered key file is unknown until the user types it.
        requiredAccess(
            newFile: (keyFile ?? randomPin).map { OutputFile(path: $0).fileAccess }
                ?? (isOffered ? .making(in: "/") : .none))
    }

    private func requiredAccess(newFile: FileAccess) -> FileAccess {
        let pin = randomPin == nil ? pin.fileAccess : .none
        return vault.newAccess + pin + (recovery ? .terminal : .none) + newFile
            + ((tpm ?? offeredTPM)?.fileAccess ?? .none)
    }

    func inspectMachine() { DiskTraces.inspect() }

    func run() throws {
        let path = try vault.path()
        _ = try kdf.given()
        // Check the witness folder first. `BeforeSecrets` warns if this machine has none.
        _ = try VaultOptions.witness(of: path)
        try placed(at: path, as: VaultFileUse.newVault) { try VaultLocation.verifyPlace(path) }
        var newFile = try (keyFile ?? randomPin).map { try NewSecretFile(path: $0, vault: path) }
        // Fail before the first question if there is no terminal to show the phrase.
        if recovery { _ = try WordCeremony(for: .newPhrase) }
        if tpm != nil, !recovery, !isOffered { throw CommandError.phraseNeeded }
        DiskTraces.warn()
        // Ask for the path before the PIN: until it is known, the sandbox allows new files in every
        // folder.
        let tpm = try newTPM(unless: newFile != nil)
        if newFile == nil, tpm == nil, isOffered { newFile = try offeredKeyFile(vault: path) }
        let (cost, kinds) = try NewVaultFolder.createFolders(
            for: path, in: sandbox, allowing: { requiredAccess(newFile: newFile?.fileAccess ?? .none) }
        ) { try make(at: path, newFile, tpm) }
        tpm?.noteNewSlot()
        try report(path, cost, kinds)
    }

    /// The unlock secrets are wiped when this returns.
    /// - Parameter file: For the key file or the random PIN.
    private func make(
        at path: String, _ file: NewSecretFile?, _ tpm: DeviceName?
    ) throws -> (KDFCost, [SlotKind]) {
        // A device is opened before a PIN is typed.
        let device = try tpm.map { NewDevice.tpm(try $0.openTPM()) } ?? .none
        let cost: KDFCost
        let pin: PIN
        if randomPin == nil {
            pin = try self.pin.readNew()
            let measured = try kdf.measured()
            let kind: SlotKind = tpm != nil ? .pinAndTPM : file != nil ? .pinAndKeyFile : .pin
            Messages.strength(pin.strength, of: measured, with: kind, keyFileBy: "--keyfile")
            cost = measured.cost
        } else {
            pin = try .random()
            cost = try kdf.given() ?? .leastSecure
        }
        let recovery = try newRecovery(isNeeded: tpm != nil)
        let method: UnlockMethod
        if file == nil || randomPin != nil {
            method = device.method(pin)
        } else {
            method = .pinAndKeyFile(pin, try .random())
        }
        let secret = try SlotSecret.deriving(method, cost, registers: registers.numbers)
        let kinds = [method.kind] + (recovery == nil ? [] : [.recovery])
        guard let file else {
            try make(at: path, secret, recovery)
            return (cost, kinds)
        }
        try file.write(of: method) { try make(at: path, secret, recovery) }
        return (cost, kinds)
    }

    private func newRecovery(isNeeded: Bool) throws -> SlotSecret? {
        try isNeeded || wantsPhrase()
            ? SlotSecret(of: UnlockMethod.recovery(WordCeremony.newPhrase())) : nil
    }

    // MARK: offers at the terminal

    private var isOffered: Bool { pin.source == nil && randomPin == nil }

    /// The first TPM of the machine, which is offered if it answers.
    private var offeredTPM: DeviceName? {
        isOffered && keyFile == nil && DeviceName.firstTPM.isThere ? .firstTPM : nil
    }

    /// - Parameter hasFile: true if the unlock method is chosen already.
    private func newTPM(unless hasFile: Bool) throws -> DeviceName? {
        if let tpm { return tpm }
        guard !hasFile, let offered = offeredTPM, (try? offered.openTPM()) != nil else { return nil }
        return try Terminal.open(for: .pin).confirm(Words.offerTPM) ? offered : nil
    }

    private func offeredKeyFile(vault: String) throws -> NewSecretFile? {
        let terminal = try Terminal.open(for: .pin)
        guard try terminal.confirm(Words.offerKeyFile) else { return nil }
        return try NewSecretFile(
            path: terminal.ask("path of the key file: ", limit: OutputFile.longestPath), vault: vault)
    }

    private func wantsPhrase() throws -> Bool {
        guard !recovery, isOffered else { return recovery }
        return try Terminal.open(for: .pin).confirm(Words.offerPhrase)
    }

    // MARK: the vault

    private func make(at path: String, _ method: borrowing SlotSecret, _ recovery: borrowing SlotSecret?)
        throws
    {
        try placed(at: path, as: VaultFileUse.newVault) {
            try Vault.create(at: path, method: method, recovery: recovery, createdAt: Clock.now)
        }
    }

    private func report(_ path: String, _ cost: KDFCost, _ kinds: [SlotKind]) throws {
        if kinds.contains(.recovery) { Messages.note(Words.phraseNote) }
        if registers.isGiven { Messages.note(Words.registers(registers.numbers)) }
        if let randomPin { Messages.note(Words.randomPIN(Printable.line(randomPin))) }
        guard json else {
            Output.words(Words.madeVault(path))
            if isOffered { Messages.note(Words.nextSteps) }
            return
        }
        try Output.json(Self.object.json((path, cost, kinds)))
    }

    static let object = JSONObject<(path: String, cost: KDFCost, kinds: [SlotKind])>([
        .text("vault", "the path of the new vault") { $0.path },
        .number("kdf_passes", "the passes of Argon2id") { $0.cost.passes },
        .number("kdf_memory", "the memory of Argon2id, in bytes") { $0.cost.memory },
        .list("slots", of: slot, "the unlock methods") {
            $0.kinds.enumerated().map { ($0.offset, $0.element) }
        },
    ])

    private static let slot = JSONObject<(number: Int, kind: SlotKind)>([
        .number("slot", "its number") { $0.number },
        .text("kind", SlotKind.codes) { $0.kind.code },
    ])
}
