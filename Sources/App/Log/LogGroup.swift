import ArgumentParser
import Files
import Hardening
import JSON
import KeyVault
import Shell
import Transactions

struct LogGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Print the audit log, export it, verify it, or move it to a file.",
        subcommands: [Show.self, Export.self, LogVerify.self, LogArchive.self], defaultSubcommand: Show.self)

    struct Show: ConfinedCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Print the audit log, one record per line.",
            discussion: """
                Each line has the number of the record, the time in UTC, the event, the label of the key now, and \
                what happened: for a signature who pays whom, the chain, and the beginning of the transaction id. \
                Without options, the command prints the last \(defaultCount) records and verifies only these. With \
                --all, --key, --event or --since, it verifies the whole log first. If someone changed a record, it \
                prints nothing.

                  eosvault log
                  eosvault log --since 24h
                  eosvault log --key treasury --event signed --verbose
                  eosvault log --all --json
                  eosvault log --archive log-2026.archive
                """)

        static let defaultCount = 100

        @OptionGroup var log: LogOptions

        @Option(help: ArgumentHelp("Print only this many records, the last ones.", valueName: "count"))
        var last: Int?

        @Flag(help: "Print all records in the vault.")
        var all = false

        @Flag(help: "Print public keys, transaction ids and hashes.")
        var verbose = false

        @Flag(help: "Print JSON, one record per line.")
        var json = false

        @OptionGroup var sandbox: SandboxOption

        var requiredAccess: FileAccess { log.fileAccess }

        func validate() throws {
            if let last, !(1...1_000_000).contains(last) {
                throw ValidationError("--last needs a number from 1 to 1000000")
            }
            if last != nil, all || log.isFiltered {
                throw ValidationError("--last excludes --all and the options that choose records")
            }
        }

        func run() throws {
            let isShort = last == nil && !all && !json && !log.isFiltered
            let log = try log.verified(last: isShort ? Self.defaultCount : last)
            let labels = verbose || json ? [:] : try log.labels()
            let names = json ? .builtIn : try log.chainNames()
            var lines = LineWriter()
            var first: Int64?
            try log.forEach { record in
                first = first ?? record.sequence
                try lines.write(json ? Printable.json(record.json()) : text(of: record, labels, names))
            }
            try lines.flush()
            if isShort, let first, first > 1 { Messages.note(Words.earlierRecords(first - 1)) }
        }

        private func text(
            of record: AuditRecord, _ labels: [EntryName: String], _ names: ChainNames
        ) -> String {
            verbose
                ? WordWrap.text(record.text(names), on: .standardOutput)
                : WordWrap.text(record.row(labels, names), on: .standardOutput, indent: AuditRecord.indent)
        }
    }

    struct Export: ConfinedCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Print the audit log for programs: one JSON object per line.",
            discussion: """
                Each record has its number, its time in UTC, its event, and for the event of a key also the key and \
                its current label. A signature has the number of each action of the transaction, for up to 16 \
                different actions, and up to 256 payments with payer, recipient, amount and memo. If someone \
                changed a record, the command prints nothing. It verifies the whole log, with --after only the \
                records after that one.

                With --csv, each payment has a line, and each other record too. If a transaction has more than 256 \
                payments, a line `other-payments` states how many are missing. A text that a spreadsheet would run \
                as a formula begins with an apostrophe, and control characters are escaped.

                  eosvault log export -o log.jsonl
                  eosvault log export --after 2
                  eosvault log export --since 2026-12-01 --event signed --csv -o payments.csv
                  eosvault log export --archive log-2026.archive
                """)

        @OptionGroup var log: LogOptions
        @OptionGroup var output: OutputOption

        @Flag(help: "Print comma-separated values: a line for each payment.")
        var csv = false

        @Flag(name: .customLong("json"), help: "Print errors as JSON.")
        var jsonErrors = false

        @OptionGroup var sandbox: SandboxOption

        var requiredAccess: FileAccess { log.fileAccess + output.fileAccess }

        func run() throws {
            let file = try output.prepared()
            let log = try log.verified()
            let labels = try log.labels()
            try delivering(nil, to: output.output) {
                guard let file else {
                    var lines = LineWriter()
                    try write(log, labels, to: &lines)
                    return try lines.flush()
                }
                try file.writeLines { lines in try write(log, labels, to: &lines) }
            }
        }

        private func write(
            _ log: borrowing VerifiedLog, _ labels: [EntryName: String], to lines: inout LineWriter
        ) throws {
            if csv { try lines.write(AuditRecord.csvHeader) }
            let names = csv ? try log.chainNames() : .builtIn
            try log.forEach { record in
                if csv {
                    let rows = record.csv(label: record.event.key.flatMap { labels[$0] }, names)
                    return try rows.forEach { row in try lines.write(row) }
                }
                var line = record.json(time: Clock.rfc3339)
                if let key = record.event.key { line = line.adding(["label": .string(labels[key])]) }
                try lines.write(Printable.json(line))
            }
        }
    }
}
