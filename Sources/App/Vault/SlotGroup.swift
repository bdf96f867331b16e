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
            abstract: "Add an unlock method: another PIN, a PIN with a key file, or a recovery phrase.",
            discussion: """
                The command first opens the vault with an existing unlock method.

                  eosvault slot add
                  eosvault slot add --new-keyfile stick/second.key
                  eosvault slot add --new-recovery
                """)

        @OptionGroup var unlocking: UnlockOptions
        @OptionGroup var newPIN: NewPINOptions

        @Option(
            name: .customLong("new-keyfile"),
            help: ArgumentHelp(
                "Create a key file to use with the new PIN. Keep it apart from the vault.", valueName: "path"),
            completion: .file())
        var newKeyFile: String?

        @Flag(help: "Create a recovery phrase of 24 words, shown once at the terminal.")
        var newRecovery = false

        @OptionGroup var kdf: KDFOptions
        @OptionGroup var common: CommonOptions

        func validate() throws {
            if newRecovery, newPIN.source != nil || newKeyFile != nil {
                throw ValidationError(
                    "a recovery phrase opens the vault alone: omit the PIN and the key file")
            }
            try method.inputs.refuseSharedInput(with: newPIN.inputs)
        }

        var requiredAccess: FileAccess {
            unlocking.fileAccess + (newRecovery ? .terminal : newPIN.fileAccess)
                + (newKeyFile.map { OutputFile(path: $0).fileAccess } ?? .none)
        }

        func inspectMachine() { DiskTraces.inspect() }

        func run() throws {
            _ = try kdf.given()
            let file = try vault.open()
            let keyFile = try newKeyFile.map { try NewSecretFile(path: $0, vault: vault.path()) }
            if newRecovery { _ = try RecoveryCeremony() } else { DiskTraces.warn() }
            let number = try addSlot(to: file, keyFile)
            try json.report(slot: number, Words.addedSlot(number))
            if newRecovery { Messages.note(Words.phraseNote) }
            let slots = try file.unverifiedSlots().slots
            if !newRecovery, keyFile == nil, slots.contains(where: { $0.kind == .pinAndKeyFile }) {
                Messages.note(Words.keyFileNotNeeded)
            }
        }

        /// The new secrets and the vault's keys are wiped when this returns.
        /// - Returns: the number of the new slot.
        private func addSlot(to file: Vault, _ keyFile: NewSecretFile?) throws -> Int {
            let unlocked = try method.unlock(
                file, beforeTyping: newRecovery || newPIN.source != nil ? nil : .newPIN)
            guard !newRecovery else {
                let phrase = try RecoveryCeremony().newPhrase()
                return try add(SlotSecret(of: UnlockMethod.recovery(phrase)), to: unlocked)
            }
            let pin = try newPIN.read()
            let cost = try kdf.measured()
            Messages.strength(pin.strength, of: cost, withKeyFile: keyFile != nil, keyFileBy: "--new-keyfile")
            guard let keyFile else { return try add(.deriving(.pin(pin), cost.cost), to: unlocked) }
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
                The vault keeps at least one slot. Older copies of the file still open with the removed unlock method.

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
        return "\(number) unverified \(kind.code) \(Clock.text(createdAt))\(cost)\(damage)"
    }

}

struct ListedSlot {
    let number: Int
    /// Nil for a damaged slot.
    let slot: SlotDescription?

    fileprivate var line: String { slot?.line ?? "\(number) unverified damaged" }

    static let object = JSONObject<ListedSlot>([
        .number("slot", "its number") { $0.number },
        .text(orNull: "kind", "`pin`, `pin+keyfile` or `recovery`; null for a damaged slot") {
            $0.slot?.kind.code
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
    /// For programs.
    var code: String {
        switch self {
        case .pin: "pin"
        case .pinAndKeyFile: "pin+keyfile"
        case .recovery: "recovery"
        case .other(let number): "unknown-\(number)"
        }
    }
}
