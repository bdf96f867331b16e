import ArgumentParser
import KeyVault
import Sandbox

struct PINGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin", abstract: "Change the PIN.", subcommands: [Change.self])

    struct Change: ConfinedCommand {
        static let configuration = CommandConfiguration(
            abstract: "Put a new PIN in the place of the one that opens the vault.",
            discussion: """
                One slot is written anew, and no key: old copies of the file still open with the old PIN. The key file of the PIN stays. \
                With the recovery phrase the vault's only slot with a PIN is replaced by one of the new PIN alone.

                  eosvault pin change
                  eosvault pin change --recovery
                """)

        @OptionGroup var vault: VaultOptions
        @OptionGroup var method: UnlockMethodOptions
        @OptionGroup var newPIN: NewPINOptions
        @OptionGroup var kdf: KDFOptions
        @OptionGroup var json: JSONOption

        @OptionGroup var sandbox: SandboxOption

        func validate() throws {
            try method.inputs.refuseSharedInput(with: [newPIN.source].compactMap(\.self))
        }

        var touches: FileAccess { vault.fileAccess(by: method) + newPIN.fileAccess }

        func lookAround() { DiskTraces.look() }

        func run() throws {
            _ = try kdf.given()
            let file = try vault.open()
            DiskTraces.warn()
            let old = try method.read()
            let unlocked = try UnlockMethodOptions.unlock(file, by: old)
            let slot = unlocked.slot
            let replaced = slot.kind == .recovery ? try onlyPINSlot(of: file) : slot
            let pin = try newPIN.read()
            // A cost that this machine can't run is not kept.
            let cost = try kdf.measured(orElse: try? replaced.cost())
            let strength = pin.strength
            let new = old.withPIN(pin)
            let kind = new.kind
            Messages.strength(
                strength, of: cost, withKeyFile: kind == .pinAndKeyFile, keyFileBy: "`eosvault slot add --new-keyfile`")
            let secret = try SlotSecret.deriving(new, cost.cost)
            let number = try unlocked.transaction { (transaction: inout VaultTransaction) throws(VaultError) -> Int in
                if replaced.number == slot.number {
                    try transaction.replaceOpenedSlot(by: secret)
                    return slot.number
                }
                try transaction.removeSlot(replaced.number, seen: replaced)
                // It takes the first free number.
                return try transaction.addSlot(secret)
            }
            try json.report(slot: number, Words.changedPIN(of: replaced.number, nowIn: number))
            Messages.note(Words.oldPIN)
            if replaced.kind != kind { Messages.note(Words.keyFileGone) }
        }

        /// The slot whose PIN was lost: there is no telling which, when there are several.
        private func onlyPINSlot(of file: Vault) throws -> SlotDescription {
            let slots = try placed(at: vault.name()) { try file.unverifiedSlots().slots }.filter {
                [.pin, .pinAndKeyFile].contains($0.kind)
            }
            guard let only = slots.first, slots.count == 1 else { throw CommandError.whichPIN(slots.map(\.number)) }
            return only
        }
    }
}
