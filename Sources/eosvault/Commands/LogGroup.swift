import ArgumentParser
import Curves
import JSON
import KeyText
import KeyVault
import Sandbox

struct LogGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Print the audit log, or verify it.", subcommands: [Show.self, Verify.self],
        defaultSubcommand: Show.self)

    struct Show: ConfinedCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the records, one a line: what was done with which key, and when.",
            discussion: """
                The log is verified first: nothing is printed of one that was changed.

                  eosvault log
                  eosvault log --key treasury --json
                """)

        @Option(
            name: .shortAndLong,
            help: ArgumentHelp(
                "Only of this key: a public key, also of one that is gone, or a label.", valueName: "key"))
        var key: String?

        @OptionGroup var vault: VaultOptions
        @OptionGroup var method: UnlockMethodOptions

        @Flag(name: .long, help: "Print JSON, one record a line.")
        var json = false

        @OptionGroup var sandbox: SandboxOption

        var touches: FileAccess { vault.fileAccess(by: method) }

        func run() throws {
            let file = try vault.open(.reading)
            let unlocked = try method.unlock(file)
            let name = try key.map { try Self.name(of: $0, in: unlocked, vault.name()) }
            var text = ""
            try unlocked.log { record in
                guard name == nil || record.event.key == name else { return }
                text += (json ? Printable.json(record.json) : record.text) + "\n"
            }
            try Output.data(text)
        }

        /// A public key that the vault need not have any more, or one that it has by a label.
        private static func name(of text: String, in vault: borrowing UnlockedVault, _ name: String) throws -> String {
            if let key = try? PublicKey(text) { return key.text }
            do { return try vault.status(of: text).entry.name } catch .noSuchKey {
                throw KeyArgument.unknown(text, place: "--key", vault: name)
            }
        }
    }

    struct Verify: ConfinedCommand {
        static let configuration = CommandConfiguration(
            abstract: "Verify each record and the chain they form.",
            discussion: """
                One line for each record that was changed, moved, dropped, added or cut off, and the exit status 1 when there is any. What \
                stands right behind a missing record can't be verified.

                  eosvault log verify
                """)

        @OptionGroup var vault: VaultOptions
        @OptionGroup var method: UnlockMethodOptions

        @OptionGroup var json: JSONOption

        @OptionGroup var sandbox: SandboxOption

        var touches: FileAccess { vault.fileAccess(by: method) }

        func run() throws {
            // What was changed is told record by record; the witness can only say that something
            // was.
            let unlocked = try method.unlock(vault.open(.reading), comparing: false)
            var faults: [AuditFault] = []
            let count = try unlocked.verifyLog { faults.append($0) }
            if faults.isEmpty { try unlocked.compareWithWitness() }
            if json.isOn {
                let report = JSONValue.object([
                    JSONMember("ok", .boolean(faults.isEmpty)), JSONMember("record_count", .number("\(count)")),
                    JSONMember("faults", .array(faults.map(\.json))),
                ])
                try Output.json(report, .pretty)
            } else if faults.isEmpty {
                try Output.data("ok   \(Words.count(count, "record"))\n")
            } else {
                try Output.data(faults.map { "FAIL \($0.text)\n" }.joined())
            }
            if !faults.isEmpty { throw ExitStatus.someFailed }
        }
    }
}
