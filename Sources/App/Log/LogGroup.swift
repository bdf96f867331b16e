import ArgumentParser
import Files
import Hardening
import JSON
import KeyVault
import Shell

struct LogGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Print the audit log, export it, verify it, or move it to a file.",
        subcommands: [Show.self, LogExport.self, LogVerify.self, LogArchive.self],
        defaultSubcommand: Show.self)

    struct Show: UnlockingCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Print the audit log, one record per line: the operation, the key and the time.",
            discussion: """
                The log is verified first. If it was changed, nothing is printed. Records that were moved to an \
                archive are printed with --archive.

                  eosvault log
                  eosvault log --key treasury --json
                  eosvault log --since 2026-12-01 --event signed
                  eosvault log --archive log-2026.archive
                """)

        @OptionGroup var filter: LogFilterOptions
        @OptionGroup var archives: ArchiveOptions
        @OptionGroup var unlocking: UnlockOptions

        @Flag(help: "Print JSON, one record per line.")
        var json = false

        @OptionGroup var sandbox: SandboxOption

        var requiredAccess: FileAccess { unlocking.fileAccess + archives.fileAccess }

        func run() throws {
            let since = try filter.start()
            let archives = try archives.open()
            let unlocked = try method.unlock(vault.open(.reading))
            let filter = try filter.filter(since: since, in: unlocked, vault.name())
            try unlocked.verifyRecords(of: archives)
            var lines = LineWriter()
            try unlocked.forEachRecord(of: archives, in: filter) { record in
                try lines.write(
                    json ? Printable.json(record.json()) : WordWrap.text(record.text, on: .standardOutput))
            }
            try lines.flush()
        }
    }
}

struct LogExport: UnlockingCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print the audit log for programs: one JSON object per line.",
        discussion: """
            Each record has its number, its time in UTC, its event, and for an event of a key also the key and its \
            label, if it is in the vault now. A signature has the actions of the transaction and how many of each: \
            at most 16 different ones, and the number of the others. The log is verified first. If it was changed, \
            nothing is printed. Records that were moved to an archive are printed with --archive.

              eosvault log export -o log.jsonl
              eosvault log export --since 2026-12-01 --event signed
              eosvault log export --archive log-2026.archive
            """)

    @OptionGroup var filter: LogFilterOptions
    @OptionGroup var archives: ArchiveOptions

    @OptionGroup var output: OutputOption

    @OptionGroup var unlocking: UnlockOptions

    @Flag(name: .customLong("json"), help: "Print errors as JSON.")
    var jsonErrors = false

    @OptionGroup var sandbox: SandboxOption

    var requiredAccess: FileAccess { unlocking.fileAccess + archives.fileAccess + output.fileAccess }

    func run() throws {
        let since = try filter.start()
        let file = try output.prepared()
        let archives = try archives.open()
        let unlocked = try method.unlock(vault.open(.reading))
        let filter = try filter.filter(since: since, in: unlocked, vault.name())
        var labels: [EntryName: String] = [:]
        for entry in try unlocked.entries() { labels[entry.name] = entry.label?.text }
        try unlocked.verifyRecords(of: archives)
        try delivering(nil, to: output.output) {
            guard let file else {
                var lines = LineWriter()
                try Self.write(unlocked, archives, filter, labels, to: &lines)
                return try lines.flush()
            }
            try file.writeLines { lines in try Self.write(unlocked, archives, filter, labels, to: &lines) }
        }
    }

    private static func write(
        _ vault: borrowing UnlockedVault, _ archives: [AuditArchive], _ filter: LogFilter,
        _ labels: [EntryName: String], to lines: inout LineWriter
    ) throws {
        try vault.forEachRecord(of: archives, in: filter) { record in
            var line = record.json(time: Clock.rfc3339)
            if let key = record.event.key { line = line.adding(["label": .string(labels[key])]) }
            try lines.write(Printable.json(line))
        }
    }
}
