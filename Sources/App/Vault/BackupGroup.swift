import ArgumentParser
import Hardening
import JSON
import KeyVault
import Shell

struct BackupGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Make a backup of the vault, or verify backups.",
        subcommands: [Make.self, Verify.self], defaultSubcommand: Make.self)

    struct Make: UnlockingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "make", abstract: "Write a verified copy of the vault to a new file.",
            discussion: """
                Other processes can use the vault during the backup. The copy is read back from the disk and \
                verified. It opens with the current PIN of the vault. Bytes of the file that the vault does not use \
                are not copied; a warning reports rows that someone put there.

                  eosvault backup vault-copy.db
                """)

        @Argument(help: "The file to create. An existing file is never overwritten.", completion: .file())
        var file: String

        @OptionGroup var unlocking: UnlockOptions
        @OptionGroup var common: CommonOptions

        func validate() throws {
            try OutputFile.expectFile(file)
            if MeantCommand(file, in: NamedCommand(["backup"])).isKnown {
                throw ValidationError(
                    "there is no command `backup \(file)`; for a backup in a file of this name, give ./\(file)"
                )
            }
        }

        var requiredAccess: FileAccess { unlocking.fileAccess + .changing(in: OutputFile(path: file).folder) }

        func run() throws {
            let opened = try vault.open(.reading)
            try placed(at: file, as: VaultFileUse.newBackup) { try VaultLocation.verifyAbsent(file) }
            let unlocked = try method.unlock(opened)
            let backup = try placed(at: file, as: VaultFileUse.newBackup) {
                try Progress.counting("verifying entries") { progress in
                    try unlocked.backup(to: file, progress: progress)
                }
            }
            if !backup.isRecorded { Messages.warning(Words.backupNotRecorded) }
            if let note = Words.unsupported(backup.unsupported) { Messages.note(note) }
            if backup.unusedRowCount > 0 {
                Messages.warning(Words.unusedRows(backup.unusedRowCount, of: "vault"))
            }
            let inTokens = try unlocked.entries().count { !$0.tokens.isEmpty }
            if inTokens > 0 { Messages.note(Words.keysInTokens(inTokens)) }
            if let note = Words.opensElsewhere(with: backup.slots) { Messages.note(note) }
            if json.isOn {
                try Output.json(MadeCopy.backup.json(MadeCopy(path: file, copy: backup)))
            } else {
                Output.words(Words.madeCopy("backup", file, backup))
            }
        }
    }

    struct Verify: JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify", abstract: "Verify that each key and credential in a backup opens.",
            discussion: """
                The command verifies the whole file and prints what it contains. It also lists the keys and \
                credentials of your vault that the backup lacks, according to the locked vault. A backup opens with \
                the PIN or the recovery phrase that the vault had when it was made. It can have any file mode, \
                because USB sticks have no modes. If only you can write it, failed unlocks are counted in it. The \
                exit status is 1 if a backup is damaged, or with --require-all if it lacks a key or credential, and \
                77 if the PIN or the phrase is wrong.

                  eosvault backup verify vault-copy.db
                  eosvault backup verify vault-copy.db --require-all
                """)

        @Argument(help: ArgumentHelp("The backup files.", valueName: "file"), completion: .file())
        var files: [String]

        @Option(
            help: ArgumentHelp(
                "The vault to compare the backups with (default: yours, if it exists).", valueName: "path"),
            completion: .file())
        var vault: String?

        @Flag(help: "Fail if a backup lacks a key or a credential of the vault.")
        var requireAll = false

        @OptionGroup var method: UnlockMethodOptions
        @OptionGroup var common: CommonOptions

        var requiredAccess: FileAccess {
            files.reduce(VaultOptions(locked: vault).lockedAccess + method.fileAccess) { $0 + .unlocking($1) }
        }

        func run() throws {
            let entries = try entries()
            // Before the PIN is read, a mistyped name is reported.
            for file in files {
                try placed(at: file, as: VaultFileUse.verifiedBackup) { try VaultImage.verifyReadable(file) }
            }
            let outcome = try method.opening { secret, hidden in
                try verify(by: secret, hiding: hidden, comparedWith: entries)
            }
            let results = outcome.results
            for result in results {
                if let note = Words.unsupported(result.report.unsupported) { Messages.note(note) }
            }
            try json.report(results.map(\.text).joined(), json: Self.object.json(results))
            guard results.allSatisfy({ $0.report.faults.isEmpty && !(requireAll && $0.lacksEntries) }) else {
                throw ExitStatus.failed
            }
            if let refusal = outcome.refusal { throw refusal }
        }

        /// The keys of the vault, not verified; nil if no vault was given and there is none.
        private func entries() throws -> [EntryDescription]? {
            let options = VaultOptions(locked: vault)
            guard vault != nil || requireAll || options.isThere else { return nil }
            let vault = try options.open(.reading)
            return try placed(at: options.name()) { try vault.unverifiedEntries() }
        }

        private struct Outcome {
            /// Of the backups that open.
            var results: [VerifiedBackup] = []
            var errors: [Placed] = []

            var refusal: ExitStatus? { errors.first.map { ExitStatus(after: $0.words.code) } }
        }

        /// Verifies the backups. The error of each backup that does not open is printed. The first
        /// one decides the exit status.
        /// - Throws: at a terminal, the first error if the secret opens none of the backups: it was
        ///   probably mistyped.
        private func verify(
            by secret: consuming UnlockMethod, hiding hidden: HiddenInput?,
            comparedWith entries: [EntryDescription]?
        ) throws -> Outcome {
            var outcome = Outcome()
            for file in files {
                do {
                    let report = try placed(at: file, as: VaultFileUse.verifiedBackup) {
                        let image = try VaultImage(contentsOf: file)
                        return try Progress.counting("verifying entries", hiding: hidden) { progress in
                            try image.check(secret, clock: .withNotes(hiding: hidden), progress: progress)
                        }
                    }
                    outcome.results.append(VerifiedBackup(path: file, report: report, entries: entries))
                } catch let error as Placed {
                    outcome.errors.append(error)
                    guard (error.error as? VaultError)?.isOfDevice == true else { continue }
                    if file != files.last { Messages.note(Words.othersNotTried) }
                    break
                }
            }
            if let error = outcome.errors.first, method.asks, outcome.results.isEmpty,
                outcome.errors.allSatisfy({ WrongSecret($0) != nil })
            {
                throw error
            }
            for error in outcome.errors { Messages.error(error.words) }
            return outcome
        }
    }
}

extension Words {
    fileprivate static let othersNotTried =
        "the backups after this one were not tried, because the device counts each try"
}

extension BackupGroup.Verify {
    static let object = JSONObject<[VerifiedBackup]>([
        .list("backups", of: VerifiedBackup.object, "the backups that opened") { $0 }
    ])
}

/// The result of `backup verify` for one file.
struct VerifiedBackup: JSONDescribed {
    let path: String
    let report: CheckReport
    /// The entries of the vault that the backup lacks; nil if there is no vault.
    let missing: [EntryDescription]?

    init(path: String, report: CheckReport, entries: [EntryDescription]?) {
        (self.path, self.report) = (path, report)
        missing = entries?.filter { !report.names.contains($0.name) }
    }

    var text: String {
        let name = Printable.line(path)
        let lines =
            report.faults.isEmpty
            ? ["ok   \(name): \(Words.backupContents(report))"]
            : report.faults.map { "FAIL \(name): \($0.words.text)" }
        return (lines + missingLines).map { $0 + "\n" }.joined()
    }

    var lacksEntries: Bool { missing.map { !$0.isEmpty } ?? false }

    private var missingLines: [String] {
        guard let missing, lacksEntries else { return [] }
        let entries = Words.entries(EntryCounts(missing.map(\.kind)))
        return ["     lacks \(entries.joined(separator: " and ")) of the vault:"]
            + missing.map { "     " + $0.line() }
    }

    static let object = JSONObject<VerifiedBackup>([.text("file", "its path") { $0.path }])
        .adding(CheckReport.countsObject) { $0.report }.adding([
            .text(orNull: "last_change", "when the vault was last changed, in UTC") {
                $0.report.lastChange.map(Clock.text)
            }
        ]).adding(CheckReport.damage) { $0.report }.adding([
            .list(
                orNull: "missing_keys", of: EntryDescription.object,
                "the keys of your vault that it lacks; null without one"
            ) { $0.missing?.filter(\.isListedAsKey) },
            .list(
                orNull: "missing_credentials", of: EntryDescription.object,
                "the credentials of your vault that it lacks; null without one"
            ) { $0.missing?.filter { $0.kind == .credential } },
            .list(
                orNull: "missing_seeds", of: EntryDescription.object,
                "the seeds of your vault that it lacks; null without one"
            ) { $0.missing?.filter { $0.kind == .seed } },
        ])
}

/// A backup or a restored vault, and the path of its file.
struct MadeCopy {
    let path: String
    let copy: BackupDescription

    /// - Parameter what: The member with the path.
    private static func object(_ what: String) -> JSONObject<MadeCopy> {
        JSONObject([
            .text(what, "the path of the new file") { $0.path },
            .number("key_count", "its keys") { $0.copy.counts.keys },
            .number("credential_count", "its credentials") { $0.copy.counts.credentials },
            .number("seed_count", "its seeds") { $0.copy.counts.seeds },
            .number("generation", "the number of changes of the vault") { $0.copy.generation },
            .number("bytes", "the size of the file") { $0.copy.size },
            .list("slots", of: SlotKind.object, "its unlock methods") { $0.copy.slots },
            .number(
                "unused_rows",
                "the rows in unused bytes of the source that its vault did not write; they were not copied"
            ) { $0.copy.unusedRowCount },
        ])
    }

    static let backup = object("backup")
    static let restored = object("vault").adding([
        .number("limits_used_up", "how many keys have blocked rolling limits") {
            $0.copy.usedUp?.keyCount ?? 0
        }
    ])
}
