import ArgumentParser
import Files
import Hardening
import JSON
import KeyVault
import Shell

struct LogGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Print the audit log, export it, verify it, or move it to a file.",
        subcommands: [Show.self, Export.self, LogVerify.self, LogArchive.self], defaultSubcommand: Show.self)

    struct Show: ConfinedCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Print the audit log, one record per line: the operation, the key and the time.",
            discussion: """
                The command verifies the log first, and prints nothing if someone changed it.

                  eosvault log
                  eosvault log --key treasury --json
                  eosvault log --since 2026-12-01 --event signed
                  eosvault log --archive log-2026.archive
                """)

        @OptionGroup var log: LogOptions

        @Flag(help: "Print JSON, one record per line.")
        var json = false

        @OptionGroup var sandbox: SandboxOption

        var requiredAccess: FileAccess { log.fileAccess }

        func run() throws {
            let log = try log.verified()
            var lines = LineWriter()
            try log.forEach { record in
                try lines.write(
                    json ? Printable.json(record.json()) : WordWrap.text(record.text, on: .standardOutput))
            }
            try lines.flush()
        }
    }

    struct Export: ConfinedCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Print the audit log for programs: one JSON object per line.",
            discussion: """
                Each record has its number, its time in UTC, its event, and for the event of a key also the key and \
                its current label. A signature has the number of each action of the transaction, for up to 16 \
                different actions, and the number of all others. The command verifies the log first, and prints \
                nothing if someone changed it.

                  eosvault log export -o log.jsonl
                  eosvault log export --since 2026-12-01 --event signed
                  eosvault log export --archive log-2026.archive
                """)

        @OptionGroup var log: LogOptions
        @OptionGroup var output: OutputOption

        @Flag(name: .customLong("json"), help: "Print errors as JSON.")
        var jsonErrors = false

        @OptionGroup var sandbox: SandboxOption

        var requiredAccess: FileAccess { log.fileAccess + output.fileAccess }

        func run() throws {
            let file = try output.prepared()
            let log = try log.verified()
            var labels: [EntryName: String] = [:]
            for entry in try log.vault.entries() { labels[entry.name] = entry.label?.text }
            try delivering(nil, to: output.output) {
                guard let file else {
                    var lines = LineWriter()
                    try Self.write(log, labels, to: &lines)
                    return try lines.flush()
                }
                try file.writeLines { lines in try Self.write(log, labels, to: &lines) }
            }
        }

        private static func write(
            _ log: borrowing VerifiedLog, _ labels: [EntryName: String], to lines: inout LineWriter
        ) throws {
            try log.forEach { record in
                var line = record.json(time: Clock.rfc3339)
                if let key = record.event.key { line = line.adding(["label": .string(labels[key])]) }
                try lines.write(Printable.json(line))
            }
        }
    }
}
