import ArgumentParser
import Hardening
import KeyVault
import Shell

struct Rekey: UnlockingCommand, JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "rekey", abstract: "Replace the master key of the vault, and encrypt everything again.",
        discussion: """
            Use this command if someone may have a copy of the vault and its PIN, key file or recovery phrase. It \
            protects keys that you add later. It can't protect the keys in the copy: replace them in your accounts \
            with `eosvault build updateauth`. Only the slot that opens the vault is kept. The others contain the old \
            master key, so the command needs --drop-other-slots; add new ones afterwards.

              eosvault rekey
              eosvault rekey --drop-other-slots
            """)

    @OptionGroup var unlocking: UnlockOptions

    @Flag(help: "Remove all slots except the slot that opens the vault.")
    var dropOtherSlots = false

    @OptionGroup var common: CommonOptions

    func run() throws {
        try json.report(slot: rekey(vault.open()), Words.rekeyed)
        Messages.note(Words.oldCopies)
    }

    /// The unlock secrets and the vault's keys are wiped when this returns.
    /// - Returns: the number of the slot that is kept.
    private func rekey(_ file: Vault) throws -> Int {
        guard method.kind(in: file).mayBeOnly else { throw CommandError.deviceRekey }
        let opened = try method.open(file)
        let secret = try SlotSecret.deriving(opened.method, opened.vault.slot.cost() ?? .standard)
        let unlocked = opened.wipingMethod()
        try Progress.counting("encrypting the keys again") { progress in
            try unlocked.transaction { transaction throws(VaultError) in
                try transaction.rekey(under: secret, droppingOtherSlots: dropOtherSlots, progress: progress)
            }
        }
        return unlocked.slot.number
    }
}
