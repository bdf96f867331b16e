import Keys
import TestSupport
import Testing

@testable import KeyVault

/// Imports many keys at once, looks one up and signs with it.
struct ScaleTests {
    /// How many steps of SQLite a signature may take: some for each key in one bucket of 256, and
    /// none for the other keys. That is twice what it takes; a statement that visits every key
    /// takes several for each.
    private static func allowedSteps(keys: Int) -> Int { 2_500 + keys / 4 }

    @Test func manyKeysStayFast() throws {
        let most = Torture.pick(short: 300, long: 100_000, variable: "KEYS")
        for count in [1, 1_000, 100_000].filter({ $0 < most }) + [most] {
            let bench = try Workbench()
            try bench.done(["init", "--pin-file", "old"] + Workbench.smallestCost)
            try Self.importKeys(count, bench)
            let sign = Command.arguments(signingWith: "number \(count)", pin: "old")
            _ = try bench.run(sign)
            let signature = try bench.run(sign)
            #expect(signature.status == 0 && signature.output.hasPrefix("SIG_K1_"), "\(signature.error)")
            let list = try bench.run(["list"])
            #expect(list.output.split(separator: "\n").count == count)
            let lookup = try bench.run([
                "sign", "transfer.json", "--chain", "eos", "--key", "no such label", "--yes", "--pin-file",
                "old",
            ])
            #expect(lookup.status == 1)
            Torture.report(
                "scale, \(Words.keys(count)): sign \(Words.time(signature)), list \(Words.time(list)), "
                    + "unknown label \(Words.time(lookup))"
            )
            let steps = try TrialVault.stepsOfASignature(at: bench.vault, label: "number \(count)")
            #expect(steps < Self.allowedSteps(keys: count))
            Torture.report("scale, \(Words.keys(count)): sign \(steps) steps of SQLite")
        }
    }

    private static func importKeys(_ count: Int, _ bench: Workbench) throws {
        let path = bench.folder.path + "/keys"
        try Files.write(
            Array((1...count).map { "\(Workbench.text(of: $0)) number \($0)\n" }.joined().utf8), to: path)
        let before = try Files.read(bench.vault).count
        let start = ContinuousClock.now
        let run = try bench.program.run(
            path: Program.path, ["import", "--lines", "-", "--pin-file", "old", "--vault", "data/vault.db"],
            input: .file(path))
        let seconds = start.duration(to: .now) / .seconds(1)
        #expect(run.status == 0, "\(run.error)")
        #expect(run.output.split(separator: "\n").count == count)
        let size = try Files.read(bench.vault).count
        Torture.report(
            "scale, \(Words.keys(count)): imported in \(Words.rounded(seconds)) s, "
                + "\(Int(Double(count) / seconds)) per second, processor time \(Words.time(run))")
        Torture.report(
            "scale, \(Words.keys(count)): the file has \(size) bytes, \((size - before) / count) per key")
        // The vault has every key, and the log has one import record for each.
        let snapshot = try TrialVault.count(at: bench.vault)
        #expect(snapshot.entries == count && snapshot.imported == count)
    }

    private enum Words {
        static func keys(_ count: Int) -> String { count == 1 ? "1 key" : "\(count) keys" }
        static func time(_ run: Program.Run) -> String { "\(Int((run.processorTime * 1_000).rounded())) ms" }
        static func rounded(_ seconds: Double) -> Double { (seconds * 10).rounded() / 10 }
    }
}

extension TrialVault {
    /// The steps of SQLite that finding a key by its label, lending it and recording a signature
    /// take.
    static func stepsOfASignature(at path: String, label: String) throws -> Int {
        let vault = try open(path)
        let steps = try SQLiteSteps(of: vault.connection)
        #expect(try vault.unverifiedEntry(label) != nil)
        try vault.unlock(pin(oldPIN)).transaction { transaction throws(VaultError) in
            let entry = try transaction.entry(label)
            try transaction.withKey(entry) { _ throws(VaultError) in }
            let digest = [UInt8](repeating: 0, count: 32)
            try transaction.record(.signed(key: entry.description.name, chain: digest, transaction: digest))
        }
        return steps.count
    }

    /// The number of verified entries, and of verified imports in the log.
    static func count(at path: String) throws -> (entries: Int, imported: Int) {
        let unlocked = try open(path).unlock(pin(oldPIN))
        let entries = try unlocked.entries().count
        var imported = 0
        try unlocked.withoutRecord { transaction throws(VaultError) in
            let log = try AuditLog(in: transaction.connection, transaction.manifest, transaction.auditKeys())
            try log.walk { record throws(VaultError) in if case .imported = record.event { imported += 1 } }
        }
        return (entries, imported)
    }
}
