import ArgumentParser
import Hardening
import JSON
import KeyVault
import Shell

struct LogVerify: UnlockingCommand, JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Verify each record of the audit log, and the chain of records.",
        discussion: """
            Prints one line for each record that someone changed, moved, removed, added or cut off; the exit status \
            is then 1. A record directly after a missing one can't be verified.

            Give all archives, in any order, to verify every record since the vault was made. If archives have \
            earlier records and are not given, the command fails; with --recent, it verifies only the records in the \
            vault.

              eosvault log verify log-2026.archive
              eosvault log verify --recent
            """)

    @Argument(
        help: ArgumentHelp("The archives to verify together with the vault.", valueName: "archive"),
        completion: .file())
    var archives: [String] = []

    @Flag(help: "Verify only the records in the vault, not the archived ones.")
    var recent = false

    @OptionGroup var unlocking: UnlockOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard recent, !archives.isEmpty else { return }
        throw ValidationError("--recent verifies no archive: omit one of them")
    }

    var requiredAccess: FileAccess { archives.reduce(unlocking.fileAccess) { $0 + .reading($1) } }

    func run() throws {
        // Before the PIN is read, a mistyped name is reported.
        let archives = try archives.map(AuditArchive.opened)
        // Report the changed records before the comparison with the witness, which detects a
        // change but not the changed record.
        let unlocked = try method.unlock(vault.open(.reading), comparing: false)
        var faults: [AuditFault] = []
        let count = try unlocked.verifyLog { faults.append($0) }
        if faults.isEmpty { try unlocked.compareWithWitness() }
        let expected = try unlocked.archives()
        let report = archives.isEmpty ? nil : try unlocked.verify(archives)
        let unchecked = archives.isEmpty && !recent ? expected.map(\.notVerified) : []
        let isOK = faults.isEmpty && unchecked.isEmpty && report?.isOK ?? true
        let all = (report?.faults ?? []) + faults.map(\.words) + unchecked
        let records = faults.isEmpty ? "ok   \(Words.count(count, "record"))\n" : ""
        let failed = (faults.map(\.words) + unchecked).map { "FAIL \($0.text)\n" }.joined()
        try json.report(
            (report?.text ?? "") + records + failed + (recent ? expected.listing : ""),
            json: Self.object.json((isOK, count, all, expected, report?.intact ?? [])))
        if !isOK { throw ExitStatus.failed }
    }
}

extension LogVerify {
    typealias Verified = (
        isOK: Bool, count: Int64, faults: [FaultWords], expected: [ArchiveDescription],
        intact: [ArchiveReport.File]
    )

    static let object = JSONObject<Verified>([
        .boolean("ok", "whether nothing is damaged or missing") { $0.isOK },
        .number("record_count", "the verified records in the vault") { $0.count },
        .list("faults", of: FaultWords.object, "what is damaged or missing") { $0.faults },
        .list("archives", of: ArchiveDescription.object, "the archives that the vault refers to") {
            $0.expected
        },
        .list("verified", of: ArchiveReport.File.object, "the given archives that are intact") { $0.intact },
    ])
}
