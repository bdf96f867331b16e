import ArgumentParser
import Files
import Hardening
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
