import ArgumentParser
import Hardening
import JSON
import KeyVault
import Shell

struct LogVerify: UnlockingCommand, JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Verify each record of the audit log, and the chain of records.",
        discussion: """
            Prints one line for each record that was changed, moved, removed, added or cut off. The exit status \
            is 1 if there is such a record. A record directly after a missing record can't be verified.

            With archives, in any order, it also verifies each of them, and that none is missing: then \
            the status 0 means that no record since the vault was made is missing or changed. Without an \
            archive, it verifies only the records in the vault, and lists the archives of the others.

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
        let archives = try archives.map { path in
            try placed(at: path, as: VaultFileUse.archive) { try AuditArchive(path) }
        }
        // Report the changed records before the comparison with the witness, which detects a
        // change but not the changed record.
        let unlocked = try method.unlock(vault.open(.reading), comparing: false)
        var faults: [AuditFault] = []
        let count = try unlocked.verifyLog { faults.append($0) }
        if faults.isEmpty { try unlocked.compareWithWitness() }
        let expected = try unlocked.archives()
        let report = archives.isEmpty ? nil : try unlocked.verify(archives)
        let isOK = faults.isEmpty && report?.isOK ?? true
        if json.isOn {
            let all = (report?.faults ?? []) + faults.map(\.words)
            try Output.json(Self.object.json((isOK, count, all, expected, report?.intact ?? [])))
        } else {
            let records =
                faults.isEmpty
                ? "ok   \(Words.count(count, "record"))\n" : faults.map { "FAIL \($0.words.text)\n" }.joined()
            try Output.report((report?.text ?? "") + records + (report == nil ? expected.listing : ""))
        }
        if !isOK { throw ExitStatus.failed }
    }
}

extension LogVerify {
    typealias Verified = (
        isOK: Bool, count: Int64, faults: [FaultWords], expected: [ArchiveDescription], intact: [ArchiveReport.File]
    )

    static let object = JSONObject<Verified>([
        .boolean("ok", "whether nothing is damaged or missing") { $0.isOK },
        .number("record_count", "the verified records in the vault") { $0.count },
        .list("faults", of: FaultWords.object, "what is damaged or missing") { $0.faults },
        .list("archives", of: ArchiveDescription.object, "the archives that the vault refers to") { $0.expected },
        .list("verified", of: ArchiveReport.File.object, "the given archives that are intact") { $0.intact },
    ])
}
