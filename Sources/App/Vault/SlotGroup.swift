import ArgumentParser
import Hardening
import JSON
import KeyVault
import Shell

struct SlotGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "slot", abstract: "List, add and remove unlock methods.",
        subcommands: [List.self, Add.self, Remove.self])

    struct List: JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Print the slots of the vault, one for each unlock method.",
            discussion: """
                The list is read without a PIN and is not verified. Anyone who can write the file can change it.

                  eosvault slot list
                """)

        @OptionGroup var vault: VaultOptions
        @OptionGroup var common: CommonOptions

        var requiredAccess: FileAccess { vault.lockedAccess }

        func run() throws {
            let file = try vault.open(.reading)
            let (slots, damaged) = try placed(at: vault.name()) { try file.unverifiedSlots() }
            let all =
                (slots.map { ListedSlot(number: $0.number, slot: $0) }
                + damaged.map { ListedSlot(number: $0, slot: nil) })
                .sorted { $0.number < $1.number }
            try json.report(all.map { $0.line + "\n" }.joined(), json: Self.object.json(all))
        }

        static let object = JSONObject<[ListedSlot]>([
            .boolean("unverified", "true: the command needs no PIN") { _ in true },
            .list("slots", of: ListedSlot.object, "the slots, by number") { $0 },
        ])
    }

    struct Add: UnlockingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract:
                "Add an unlock method: a PIN, alone or with a key file or device, or a recovery phrase.",
            discussion: """
                The command first opens the vault with an existing unlock method.

                  eosvault slot add
                  eosvault slot add --new-keyfile stick/second.key
                  eosvault slot add --new-recovery
                  eosvault slot add --new-tpm
                  eosvault slot add --new-fido2

                A slot with a TPM opens the vault on this machine only, and no PIN can be guessed from a copy of the \
                file. A slot with a FIDO2 authenticator needs it each time. A TPM or an authenticator can fail \
                or be lost, so the vault keeps a slot without one.
                """)

        @OptionGroup var unlocking: UnlockOptions
        @OptionGroup var newPIN: NewPINOptions

        @Option(
            name: .customLong("new-keyfile"),
            help: ArgumentHelp(
                "Create a key file to use with the new PIN. Keep it apart from the vault.", valueName: "path"),
            completion: .file())
        var newKeyFile: String?

        @OptionGroup var newDevice: NewDeviceOptions

        @Flag(help: "Create a recovery phrase of 24 words, shown once at the terminal.")
        var newRecovery = false

        @OptionGroup var kdf: KDFOptions
        @OptionGroup var common: CommonOptions

        func validate() throws {
            if newRecovery, newPIN.source != nil || newKeyFile != nil {
                throw ValidationError(
                    "a recovery phrase opens the vault alone: omit the PIN and the key file")
            }
            if newDevice.isGiven, newRecovery || newKeyFile != nil {
                throw ValidationError("one slot has one unlock method: omit --new-keyfile and --new-recovery")
            }
            if newDevice.noNewPin, newPIN.source != nil {
                throw ValidationError("--no-new-pin makes a slot without a PIN: omit the new PIN")
            }
            try method.inputs.refuseSharedInput(with: newPIN.inputs + newDevice.inputs)
        }

        /// True if the new slot has a PIN.
        private var hasPIN: Bool { !newRecovery && !newDevice.noNewPin }

        var requiredAccess: FileAccess {
            unlocking.fileAccess + (hasPIN ? newPIN.fileAccess : .terminal) + newDevice.fileAccess
                + (newKeyFile.map { OutputFile(path: $0).fileAccess } ?? .none)
        }

        func inspectMachine() { DiskTraces.inspect() }

        func run() throws {
            _ = try kdf.given()
            let file = try vault.open()
            let keyFile = try newKeyFile.map { try NewSecretFile(path: $0, vault: vault.path()) }
            if newRecovery { _ = try WordCeremony(for: .newPhrase) } else { DiskTraces.warn() }
            try newDevice.expectEnough(file)
            let number = try addSlot(to: file, keyFile)
            try json.report(slot: number, Words.addedSlot(number))
            if newRecovery { Messages.note(Words.phraseNote) }
            let slots = try file.unverifiedSlots().slots
            if hasPIN, !newDevice.isGiven, keyFile == nil,
                slots.contains(where: { $0.kind == .pinAndKeyFile })
            {
                Messages.note(Words.keyFileNotNeeded)
            }
            if newDevice.isGiven { newDevice.note(slots) }
        }

        /// The new secrets and the vault's keys are wiped when this returns.
        /// - Returns: the number of the new slot.
        private func addSlot(to file: Vault, _ keyFile: NewSecretFile?) throws -> Int {
            let unlocked = try method.unlock(
                file, beforeTyping: hasPIN && newPIN.source == nil ? .newPIN : nil)
            guard !newRecovery else {
                let phrase = try WordCeremony.newPhrase()
                return try add(SlotSecret(of: UnlockMethod.recovery(phrase)), to: unlocked)
            }
            guard hasPIN else {
                let secret = try SlotSecret.deriving(
                    .fido2(newDevice.authenticator(of: method)), .standard)
                return try add(secret, to: unlocked)
            }
            let device = try newDevice.open(by: method)
            let pin = try newPIN.read()
            let cost = try kdf.measured()
            let kind = newDevice.kind ?? (keyFile == nil ? .pin : .pinAndKeyFile)
            Messages.strength(pin.strength, of: cost, with: kind, keyFileBy: "--new-keyfile")
            guard let keyFile else {
                let secret = try SlotSecret.deriving(
                    device.method(pin), cost.cost, registers: newDevice.registers.numbers)
                return try add(secret, to: unlocked)
            }
            let method = UnlockMethod.pinAndKeyFile(pin, try .random())
            let secret = try SlotSecret.deriving(method, cost.cost)
            return try keyFile.write(of: method) { try add(secret, to: unlocked) }
        }

        private func add(_ secret: borrowing SlotSecret, to vault: borrowing UnlockedVault) throws -> Int {
            try vault.transaction { transaction throws(VaultError) in try transaction.addSlot(secret) }
        }
    }

    struct Remove: UnlockingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove an unlock method.",
            discussion: """
                The vault keeps at least one slot that needs no device. Older copies of the file still open with the \
                removed unlock method.

                  eosvault slot remove 1
                """)

        @Argument(help: "The number of the slot, from `eosvault slot list`.")
        var number: Int

        @OptionGroup var unlocking: UnlockOptions
        @OptionGroup var confirmation: ConfirmationOption
        @OptionGroup var common: CommonOptions

        var requiredAccess: FileAccess { unlocking.fileAccess + confirmation.fileAccess }

        func run() throws {
            let file = try vault.open()
            let (slots, damaged) = try placed(at: vault.name()) { try file.unverifiedSlots() }
            let seen = slots.first { $0.number == number }
            guard
                let slot = seen.map(Words.slot)
                    ?? damaged.first(where: { $0 == number }).map(Words.damagedSlot)
            else { throw VaultError.input(.noSuchSlot(number)) }
            try confirmation.ask(Words.removeSlot(slot), for: .slotRemoval, orThrow: CommandError.notRemoved)
            try method.unlock(file).transaction { transaction throws(VaultError) in
                try transaction.removeSlot(number, seen: seen)
            }
            try json.report(slot: number, Words.removedSlot(number))
            Messages.note(Words.oldCopies)
        }
    }
}

extension SlotDescription {
    /// For example `0 unverified pin 2026-12-01T00:00:00 3 passes over 256 MiB`.
    fileprivate var line: String {
        let cost =
            derivation.map { " \(Words.count($0.passes, "pass", "passes")) over \(Words.size($0.memory))" }
            ?? ""
        let damage = condition == .copyDamaged ? " one copy damaged" : ""
        let depends = registers.isEmpty ? "" : " PCR " + registers.map(String.init).joined(separator: ",")
        let place = kind == .pinAndTPM ? " this machine only" : ""
        return "\(number) unverified \(kind.code) \(Clock.text(createdAt))\(cost)\(depends)\(place)\(damage)"
    }
}

struct ListedSlot {
    let number: Int
    /// Nil for a damaged slot.
    let slot: SlotDescription?

    fileprivate var line: String { slot?.line ?? "\(number) unverified damaged" }

    static let object = JSONObject<ListedSlot>([
        .number("slot", "its number") { $0.number },
        .text(orNull: "kind", SlotKind.codes + "; null for a damaged slot") { $0.slot?.kind.code },
        .boolean(
            orNull: "opens_elsewhere", "whether a copy of the vault opens with it on another machine"
        ) { $0.slot?.kind.opensElsewhere },
        .value("tpm_registers", .list(of: .number), "the registers (PCRs) of the TPM that it depends on") {
            .array(($0.slot?.registers ?? []).map { .number(Int64($0)) })
        },
        .text(orNull: "created", "when it was made, in UTC") { $0.slot.map { Clock.text($0.createdAt) } },
        .number(orNull: "kdf_passes", "the passes of Argon2id") { $0.slot?.derivation?.passes },
        .number(orNull: "kdf_memory", "the memory of Argon2id, in bytes") { $0.slot?.derivation?.memory },
        .text("condition", "`sound`, `copy-damaged` (one of its two copies) or `damaged`") {
            $0.slot.map { $0.condition == .sound ? "sound" : "copy-damaged" } ?? "damaged"
        },
    ])
}

extension JSONOption {
    /// Reports a changed slot: as text, or as an object with --json.
    func report(slot: Int, _ words: String) throws {
        guard isOn else { return Output.words(words) }
        try Output.json(Self.changedSlot.json(slot))
    }

    static let changedSlot = JSONObject<Int>([
        .number("slot", "the slot that was added, removed or changed; for `rekey`, the slot that was kept") {
            $0
        }
    ])
}

extension SlotKind {
    /// All codes, for descriptions.
    static let codes = known.map { "`\($0.code)`" }.joined(separator: ", ")

    static let object = JSONObject<SlotKind>([
        .text("kind", codes) { $0.code },
        .boolean("opens_elsewhere", "whether a copy of the vault opens with it on another machine") {
            $0.opensElsewhere
        },
    ])

    /// For programs.
    var code: String {
        switch self {
        case .pin: "pin"
        case .pinAndKeyFile: "pin+keyfile"
        case .recovery: "recovery"
        case .pinAndTPM: "pin+tpm"
        case .pinAndFIDO2: "pin+fido2"
        case .fido2: "fido2"
        case .other(let number): "unknown-\(number)"
        }
    }
}
