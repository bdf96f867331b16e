import ArgumentParser
import JSON
import KeyVault
import Sandbox

struct List: ConfinedCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the public keys of the vault.",
        discussion: """
            Without --verify, no PIN is needed and nothing is verified: anyone who can write the file can change the \
            list.

              eosvault list
              eosvault list --verify
            """)

    @OptionGroup var vault: VaultOptions
    @OptionGroup var method: UnlockMethodOptions
    @OptionGroup var verification: VerifyOption

    @OptionGroup var json: JSONOption

    @OptionGroup var sandbox: SandboxOption

    var requiredAccess: FileAccess { verification.verify ? vault.fileAccess(by: method) : vault.lockedAccess }

    func run() throws {
        let file = try vault.open(.reading)
        let entries =
            try verification.verify
            ? method.unlock(file).entries() : placed(at: vault.name()) { try file.unverifiedEntries() }
        Messages.warn(of: entries.labelFlags)
        if json.isOn {
            let list: JSONValue = ["unverified": .boolean(!verification.verify), "keys": .array(entries.map(\.json))]
            try Output.json(list, .pretty)
        } else {
            let doubt = verification.verify ? [] : ["unverified"]
            let lines = entries.map { entry in
                ([entry.name.text] + doubt + [entry.label?.text].compactMap(\.self)).joined(separator: " ") + "\n"
            }
            try Output.data(lines.joined())
        }
    }
}
