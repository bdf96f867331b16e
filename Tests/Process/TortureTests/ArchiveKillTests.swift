import CFaults
import Glibc
import TestSupport
import Testing

@testable import KeyVault

/// Kills `log archive` at each of its system calls. Each record is in the vault, in the archive, or
/// in both.
struct ArchiveKillTests {
    @Test(arguments: Lack.each)
    func atEverySystemCall(_ lack: Lack) throws {
        let bench = try Workbench(lacking: lack)
        try bench.make(keys: 1...3)
        try bench.save()
        let before = try TrialVault.snapshot(at: bench.vault)
        let path = bench.folder.path + "/log.archive"
        let arguments = ["log", "archive", "log.archive", "--pin-file", "old"]
        let whole = try bench.run(arguments, death: .recorded(naming: path))
        #expect(whole.status == 0 && Self.isAcknowledged(by: whole), "\(whole.error)")
        let (named, naming) = (try #require(whole.named), try #require(whole.naming))
        #expect(naming == lack.union(Lack(of: bench.folder.path)).naming(ofSecret: false))
        // The file is synced, then its folder, before the first change of the vault.
        let sync = Int32(FAULTS_SYSTEM_FSYNC)
        #expect(naming == .inPlace || whole.calls[..<named].contains(sync))
        #expect(whole.calls[named...].contains(sync))
        #expect(try Self.events(in: path, of: bench.vault) == before.events)
        var counts = (kills: 0, both: 0, moved: 0, incomplete: 0, journals: 0)
        for call in KillTests.calls(of: whole, every: 2) {
            try bench.restore()
            unlink(path)
            let run = try bench.run(arguments, death: .before(call))
            counts.kills += run.status == nil ? 1 : 0
            counts.journals += bench.hasJournal ? 1 : 0
            let found = try TrialVault.snapshot(at: bench.vault)
            #expect(found.entries == before.entries, "killed at \(call)")
            if found.events == before.events {
                #expect(!Self.isAcknowledged(by: run), "killed at \(call)")
                guard access(path, F_OK) == 0 else { continue }
                if naming == .inPlace, (try? Self.events(in: path, of: bench.vault)) == nil {
                    counts.incomplete += 1
                } else {
                    #expect(try Self.events(in: path, of: bench.vault) == before.events, "killed at \(call)")
                    counts.both += 1
                }
                // A second attempt with another name succeeds.
                unlink(bench.folder.path + "/second.archive")
                try bench.done(["log", "archive", "second.archive", "--pin-file", "old"])
            } else {
                #expect(found.events.count == 1, "killed at \(call)")
                #expect(try Self.events(in: path, of: bench.vault) == before.events, "killed at \(call)")
                try bench.done(["log", "verify", "log.archive", "--pin-file", "old"])
                counts.moved += 1
            }
        }
        #expect(counts.kills > 0 && counts.both > 0 && counts.moved > 0 && counts.journals > 0)
        #expect((counts.incomplete > 0) == (naming == .inPlace))
        Torture.report(
            "kills at each system call, log archive, \(lack.testDescription): \(counts.kills), \(counts.both) with "
                + "the records in both files, \(counts.moved) with the records moved, \(counts.incomplete) with an "
                + "incomplete archive")
    }

    private static func isAcknowledged(by run: Program.Run) -> Bool { run.error.contains("moved records ") }

    /// The events of the verified records of an archive.
    private static func events(in path: String, of vault: String) throws -> [AuditEvent] {
        let unlocked = try TrialVault.open(vault).unlock(TrialVault.pin(TrialVault.oldPIN))
        var reader = try unlocked.reader(of: AuditArchive(path))
        var events: [AuditEvent] = []
        while let records = try reader.next() { events += records.map(\.event) }
        return events
    }
}
