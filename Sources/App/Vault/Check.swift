import ArgumentParser
import JSON
import KeyVault
import Shell

struct Check: UnlockingCommand, JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Verify the whole vault: every key, credential and label, the slots and the audit log.",
        discussion: """
            Policies and what keys used of their limits are verified too. Each fault is reported with the entry \
            that it affects. Rows that someone wrote into unused bytes of the file are a fault too. \
            The exit status is 1 if there is a fault. Archives \
            of the audit log are listed: `eosvault log verify ARCHIVE` verifies them.

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
        if json.isOn { try Output.json(report.json(space)) } else { try Output.report(report.text) }
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
        guard !faults.isEmpty else { return "ok   \(entries), \(records) in the audit log\n\(archives.listing)" }
        return faults.map { "FAIL \($0.words.text)\n" }.joined()
            + "\(Words.count(faults.count, "fault")); \(entries) and \(records) are intact\n\(archives.listing)"
    }

    fileprivate func json(_ space: VaultSpace) -> JSONValue {
        [
            "ok": .boolean(faults.isEmpty), "key_count": .number(keyCount),
            "credential_count": .number(credentialCount), "policy_count": .number(policyCount),
            "record_count": .number(recordCount),
            "generation": .number(generation), "used_percent": .number(space.percent),
            "faults": .array(faults.map(\.words.json)), "unused_rows": .number(unusedRowCount),
            "archives": .array(archives.map(\.json)),
        ]
    }
}
