import ArgumentParser
import JSON
import KeyVault
import Shell

struct Check: UnlockingCommand, JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Verify the whole vault: keys, credentials, labels, policies, slots and the audit log.",
        discussion: """
            Each fault is reported with the entry that it affects. Rows that someone wrote into unused bytes of the \
            file are a fault too. The exit status is 1 if there is a fault. Archives of the audit log are listed; \
            `eosvault log verify ARCHIVE` verifies them.

              eosvault check
            """)

    @OptionGroup var unlocking: UnlockOptions

    @Flag(help: "Restore damaged copies of slots from their intact copies.")
    var repair = false

    @OptionGroup var common: CommonOptions

    func run() throws {
        let (report, space) = try report()
        Messages.warn(of: report.labelFlags)
        if let note = Words.unsupported(report.unsupported) { Messages.note(note) }
        try json.report(report.text, json: Self.object.json((report, space)))
        if !report.faults.isEmpty { throw ExitStatus.failed }
    }

    /// The unlock secret is wiped when this returns.
    private func report() throws -> (CheckReport, VaultSpace) {
        let file = try vault.open(repair ? .writing : .reading)
        if !repair { VaultOptions.warnIfNearlyFull(file) }
        return try method.opening(file) { method, hidden in
            if repair {
                let repaired = try UnlockMethodOptions.unlock(file, by: method, hiding: hidden).transaction {
                    transaction throws(VaultError) in try transaction.repairSlotCopies()
                }
                for number in repaired { Messages.note(Words.repairedSlot(number)) }
            }
            let report = try Progress.counting("checking entries", hiding: hidden) { progress in
                try file.check(method, progress: progress)
            }
            return (report, file.space)
        }
    }
}

extension CheckReport {
    fileprivate var text: String {
        let entries = entries.joined(separator: ", ")
        let records = Words.count(recordCount, "record")
        guard !faults.isEmpty else {
            return "ok   \(entries), \(records) in the audit log\n\(archives.listing)"
        }
        return faults.map { "FAIL \($0.words.text)\n" }.joined()
            + "\(Words.count(faults.count, "fault")); \(entries) and \(records) are intact\n\(archives.listing)"
    }

    static let countsObject = JSONObject<CheckReport>([
        .boolean("ok", "whether no fault was found") { $0.faults.isEmpty },
        .number("key_count", "the keys that open") { $0.counts.keys },
        .number("credential_count", "the credentials that open") { $0.counts.credentials },
        .number("seed_count", "the seeds that open") { $0.counts.seeds },
        .number("policy_count", "the policies") { $0.policyCount },
        .number("record_count", "the records of the audit log") { $0.recordCount },
        .number("generation", "the number of changes of the vault") { $0.generation },
    ])

    static let damage = JSONObject<CheckReport>([
        .list("faults", of: FaultWords.object, "what is damaged") { $0.faults.map(\.words) },
        .number(
            "unused_rows", "the rows in unused bytes of the file, also those that SQLite may have left there"
        ) { $0.unusedRowCount },
    ])
}

extension Check {
    static let object = JSONObject<(report: CheckReport, space: VaultSpace)>([])
        .adding(CheckReport.countsObject) { $0.report }.adding([
            .number("used_percent", "how much of its maximum size, 1 GiB, the vault uses") {
                $0.space.percent
            }
        ]).adding(CheckReport.damage) { $0.report }.adding([
            .list("archives", of: ArchiveDescription.object, "the archives that the vault refers to") {
                $0.report.archives
            }
        ])
}
