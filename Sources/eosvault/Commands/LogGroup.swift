import ArgumentParser
import JSON
import KeyVault
import Sandbox

struct LogGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Print the audit log, export it, or verify it.",
        subcommands: [Show.self, LogExport.self, Verify.self],
        defaultSubcommand: Show.self)

    struct Show: ConfinedCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the audit log, one record per line: the operation, the key and the time.",
            discussion: """
                The log is verified first. If it was changed, nothing is printed.

                  eosvault log
                  eosvault log --key treasury --json
                  eosvault log --since 2026-12-01 --event signed
                """)

        @OptionGroup var filter: LogFilterOptions
        @OptionGroup var vault: VaultOptions
        @OptionGroup var method: UnlockMethodOptions

        @Flag(name: .long, help: "Print JSON, one record per line.")
        var json = false

        @OptionGroup var sandbox: SandboxOption

        var requiredAccess: FileAccess { vault.fileAccess(by: method) }

        func run() throws {
            let since = try filter.start()
            let unlocked = try method.unlock(vault.open(.reading))
            let filter = try filter.filter(since: since, in: unlocked, vault.name())
            try unlocked.verifyWholeLog()
            var lines = LineWriter()
            try unlocked.forEachRecord(in: filter) { record in
                try lines.write(json ? Printable.json(record.json()) : record.text)
            }
            try lines.flush()
        }
    }

    struct Verify: ConfinedCommand {
        static let configuration = CommandConfiguration(
            abstract: "Verify each record of the audit log, and the chain of records.",
            discussion: """
                Prints one line for each record that was changed, moved, removed, added or cut off. The exit status \
                is 1 if there is such a record. A record directly after a missing record can't be verified.

                  eosvault log verify
                """)

        @OptionGroup var vault: VaultOptions
        @OptionGroup var method: UnlockMethodOptions

        @OptionGroup var json: JSONOption

        @OptionGroup var sandbox: SandboxOption

        var requiredAccess: FileAccess { vault.fileAccess(by: method) }

        func run() throws {
            // Report the changed records before the comparison with the witness, which detects a
            // change but not the changed record.
            let unlocked = try method.unlock(vault.open(.reading), comparing: false)
            var faults: [AuditFault] = []
            let count = try unlocked.verifyLog { faults.append($0) }
            if faults.isEmpty { try unlocked.compareWithWitness() }
            if json.isOn {
                let report: JSONValue = [
                    "ok": .boolean(faults.isEmpty), "record_count": .number(count),
                    "faults": .array(faults.map(\.words.json)),
                ]
                try Output.json(report)
            } else if faults.isEmpty {
                try Output.data("ok   \(Words.count(count, "record"))\n")
            } else {
                try Output.data(faults.map { "FAIL \($0.words.text)\n" }.joined())
            }
            if !faults.isEmpty { throw ExitStatus.failed }
        }
    }
}
