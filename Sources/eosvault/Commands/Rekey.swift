import ArgumentParser
import KeyVault
import Sandbox

struct Rekey: ConfinedCommand {
    static let configuration = CommandConfiguration(
        abstract: "Give the vault a new master key, and seal everything anew.",
        discussion: """
            After a PIN, a key file or a phrase may have been seen with a copy of the vault, this keeps new keys from whoever has it; the keys \
            that the copy holds it can't take back. Only the slot that opens the vault is carried over: other slots wrap the old master \
            key, and go with --drop-other-slots. Add them again after it.

              eosvault rekey
              eosvault rekey --drop-other-slots
            """)

    @OptionGroup var vault: VaultOptions
    @OptionGroup var method: UnlockMethodOptions

    @Flag(name: .long, help: "Remove all slots but the one that opens the vault.")
    var dropOtherSlots = false

    @OptionGroup var json: JSONOption

    @OptionGroup var sandbox: SandboxOption

    var touches: FileAccess { vault.fileAccess(by: method) }

    func run() throws {
        let file = try vault.open()
        let method = try method.read()
        let unlocked = try UnlockMethodOptions.unlock(file, by: method)
        let secret = try SlotSecret.deriving(method, unlocked.slot.cost() ?? .standard)
        try Progress.counting("sealing the keys anew") { progress in
            try unlocked.transaction { (transaction: inout VaultTransaction) throws(VaultError) in
                try transaction.rekey(under: secret, droppingOtherSlots: dropOtherSlots, progress: progress)
            }
        }
        try json.report(slot: unlocked.slot.number, Words.rekeyed)
        Messages.note(Words.oldCopies)
    }
}
