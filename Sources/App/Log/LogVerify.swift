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

            Without archives, the command verifies the records in the vault and lists the archives with earlier \
            records. Give all archives, in any order, to verify every record since the vault was made.

              eosvault log verify
              eosvault log verify log-2026.archive
            """)

    @Argument(
        help: ArgumentHelp("The archives to verify together with the vault.", valueName: "archive"),
        completion: .file())
    var archives: [String] = []

    @OptionGroup var unlocking: UnlockOptions
    @OptionGroup var common: CommonOptions

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
        let isOK = faults.isEmpty && report?.isOK ?? true
        let all = (report?.faults ?? []) + faults.map(\.words)
        let records =
            faults.isEmpty
            ? "ok   \(Words.count(count, "record"))\n" : faults.map { "FAIL \($0.words.text)\n" }.joined()
        try json.report(
            (report?.text ?? "") + records + (report == nil ? expected.listing : ""),
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
