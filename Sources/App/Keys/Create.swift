import ArgumentParser
import Hardening
import KeyVault
import Keys
import Shell

struct Create: UnlockingCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a key in the vault and print its public key.")

    @OptionGroup var unlocking: UnlockOptions
    @OptionGroup var entry: EntryOptions
    @OptionGroup var qr: QROptions

    @OptionGroup var sandbox: SandboxOption

    var requiredAccess: FileAccess { unlocking.fileAccess + qr.fileAccess }

    func validate() throws { try qr.expectText(entry.json) }

    func run() throws {
        let label = try entry.parsedLabel()
        let codes = try qr.prepared(for: .oneKey())
        let made = try make(label)
        try entry.print(made)
        try codes.deliver([made])
    }

    /// The new key and the vault's keys are wiped when this returns.
    private func make(_ label: Label?) throws -> EntryDescription {
        let file = try vault.open()
        let unlocked = try method.unlock(file)
        return try unlocked.insert(.generate(.k1), label: label, createdAt: Clock.now)
    }
}
