import ArgumentParser
import Hardening
import KeyVault
import Shell

struct PINGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin", abstract: "Change the PIN.", subcommands: [Change.self])

    struct Change: UnlockingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "change", abstract: "Replace the PIN that opens the vault.",
            discussion: """
                Only the slot of the PIN is written again, so older copies of the file still open with the old PIN. \
                A key file or a device that belongs to the PIN stays in use. With the recovery phrase, the new PIN \
                replaces the vault's only PIN, and needs no key file; a slot with a device is refused.

                  eosvault pin change
                  eosvault pin change --recovery
                """)

        @OptionGroup var unlocking: UnlockOptions
        @OptionGroup var newPIN: NewPINOptions
        @OptionGroup var kdf: KDFOptions
        @OptionGroup var common: CommonOptions

        func validate() throws { try method.inputs.refuseSharedInput(with: newPIN.inputs) }

        var requiredAccess: FileAccess { unlocking.fileAccess + newPIN.fileAccess }

        func inspectMachine() { DiskTraces.inspect() }

        func run() throws {
            _ = try kdf.given()
            let file = try vault.open()
            DiskTraces.warn()
            let changed = try change(file)
            try json.report(
                slot: changed.number, Words.changedPIN(from: changed.replaced.number, to: changed.number))
            Messages.note(Words.oldPIN)
            if changed.replaced.kind != changed.kind { Messages.note(Words.keyFileGone) }
        }

        private struct Changed {
            let replaced: SlotDescription
            let number: Int
            let kind: SlotKind
        }

        /// The unlock secrets and the vault's keys are wiped when this returns.
        private func change(_ file: Vault) throws -> Changed {
            let opened = try method.open(file, beforeTyping: newPIN.source == nil ? .newPIN : nil)
            let slot = opened.vault.slot
            let replaced = slot.kind.hasPIN ? slot : try lostPINSlot(of: file, opened: slot.kind)
            let pin = try newPIN.read()
            // Do not keep a cost that this machine can't run.
            let cost = try kdf.measured(orElse: try? replaced.cost())
            let strength = pin.strength
            let unlocked = opened.vault
            let new = opened.method.withPIN(pin)
            let kind = new.kind
            Messages.strength(
                strength, of: cost, with: kind,
                keyFileBy: "`eosvault slot add --new-keyfile`")
            let secret = try SlotSecret.deriving(new, cost.cost, registers: slot.registers)
            let number = try unlocked.transaction {
                (transaction: inout VaultTransaction) throws(VaultError) -> Int in
                if replaced.number == slot.number {
                    try transaction.replaceOpenedSlot(by: secret)
                    return slot.number
                }
                try transaction.removeSlot(replaced.number, seen: replaced)
                // The new slot gets the first free number.
                return try transaction.addSlot(secret)
            }
            return Changed(replaced: replaced, number: number, kind: kind)
        }

        /// The only slot with a PIN. If there are several, it is unknown which PIN was lost. A slot
        /// with a device is not replaced by a PIN alone, which could be guessed.
        private func lostPINSlot(of file: Vault, opened kind: SlotKind) throws -> SlotDescription {
            guard kind == .recovery else { throw CommandError.noPINToChange }
            let slots = try placed(at: vault.name()) { try file.unverifiedSlots().slots }.filter {
                $0.kind.hasPIN
            }
            guard let only = slots.first, slots.count == 1 else {
                throw CommandError.whichPIN(slots.map(\.number))
            }
            guard only.kind.mayBeOnly else { throw CommandError.pinOfDevice(only.number) }
            return only
        }
    }
}
