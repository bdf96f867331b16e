import Codecs
import Glibc
import Keys
import SecureMemory
import TestSupport
import Testing

@testable import KeyVault

/// Damage of every kind, everywhere. The result is the correct signature or a typed error. It is
/// never another key, a trap, a hang or a key that is silently missing. A rescue recovers every key
/// whose row was not damaged.
struct DamageTortureTests {
    let fixture: VaultFixture
    let whole: [UInt8]
    let entries: [EntryDescription]
    let digest = SigningDigest(sha256: [UInt8](repeating: 7, count: 32))
    let signatures: [Signature]

    init() throws {
        fixture = try VaultFixture()
        try fixture.createFilled(3)
        // An older state of the same vault. Each of its tables has a row that was changed since.
        try fixture.change { transaction in try transaction.remember(BackupMark(generation: 1, time: 1)) }
        _ = try fixture.copy("older.db")
        let method = try VaultFixture.secret()
        try fixture.change { transaction in
            try transaction.rename(VaultFixture.publicKey(3), to: Label("key three"))
            try transaction.replaceOpenedSlot(by: method)
            try transaction.remember(BackupMark(generation: 4, time: 2))
        }
        whole = try VaultFixture.bytes(of: fixture.path)
        let vault = try fixture.unlock()
        entries = try vault.entries()
        var signatures: [Signature] = []
        for number in UInt8(1)...3 { signatures.append(try Self.sign(number, vault, digest)) }
        self.signatures = signatures
    }

    private static func sign(_ number: UInt8, _ vault: borrowing UnlockedVault, _ digest: SigningDigest)
        throws
        -> Signature
    {
        let signed = try vault.withKey(VaultFixture.publicKey(number)) { key throws(VaultError) in
            try? key.sign(digest)
        }
        return try #require(signed).signature
    }

    /// Counts the results: unchanged, the whole vault refused, or some keys opened and an error
    /// for others.
    private struct Outcome {
        var whole = 0
        var refused = 0
        var inPart = 0

        /// The number of changed results.
        var changed: Int { refused + inPart }

        var text: String {
            "\(whole + refused + inPart): \(refused) refused, \(inPart) in part, \(whole) without effect"
        }
    }

    /// Unlocks the current file, and signs with each of the keys.
    private func examine(_ outcome: inout Outcome, _ what: @autoclosure () -> String) throws {
        do {
            let vault = try fixture.unlock()
            var refused = 0
            for number in UInt8(1)...3 {
                do {
                    #expect(try Self.sign(number, vault, digest) == signatures[Int(number) - 1], "\(what())")
                } catch let error as VaultError {
                    #expect(error != .input(.noSuchKey), "\(what())")
                    refused += 1
                }
            }
            do {
                #expect(try vault.entries() == entries, "\(what())")
            } catch {
                refused += 1
            }
            if refused == 0 { outcome.whole += 1 } else { outcome.inPart += 1 }
        } catch is VaultError {
            outcome.refused += 1
        }
    }

    // MARK: bytes

    /// Offsets of used bytes and their neighbours. A flip in the zeros between them changes nothing
    /// and can't be detected.
    private var usedOffsets: [Int] {
        whole.indices.filter { offset in
            whole[max(0, offset - 4)..<min(whole.count, offset + 4)].contains { $0 != 0 }
        }
    }

    @Test func flippedBits() throws {
        // Most bytes of a small vault are digests, which all lead to the same error. Half of the
        // flips go to other bytes.
        let digests = try fixture.digestPages()
        let used = usedOffsets
        for offsets in [used, used.filter { !digests.contains($0 / 4_096) }] { try flipBits(of: offsets) }
    }

    private func flipBits(of used: [Int]) throws {
        let count = Torture.pick(short: 500, long: 12_000)
        var outcome = Outcome()
        var random = SplitMix(seed: UInt64(used.count))
        for index in 0..<count {
            // Evenly distributed over the file, and the same in each run.
            let offset = used[index * used.count / count]
            var changed = whole
            changed[offset] ^= 1 << UInt8.random(in: 0...7, using: &random)
            try VaultFixture.write(changed, to: fixture.path)
            try examine(&outcome, "\(offset): \(whole[offset]) became \(changed[offset])")
        }
        Torture.report("flipped bits \(outcome.text)")
        #expect(outcome.refused > 0 && outcome.inPart > 0 && outcome.whole > 0)
    }

    @Test func everyBitOfTheHeader() throws {
        var outcome = Outcome()
        for offset in 0..<VaultHeader.count {
            for bit in Torture.pick(short: [UInt8(offset % 8)], long: Array(0...7)) {
                var changed = whole
                changed[offset] ^= 1 << bit
                try VaultFixture.write(changed, to: fixture.path)
                try examine(&outcome, "header \(offset), bit \(bit)")
            }
        }
        Torture.report("flipped bits of the header \(outcome.text)")
        #expect(outcome.refused > 0 && outcome.inPart == 0)
    }

    @Test func everyLength() throws {
        var outcome = Outcome()
        for length in stride(from: whole.count - 1, through: 0, by: -Torture.pick(short: 499, long: 1)) {
            #expect(truncate(fixture.path, length) == 0)
            try examine(&outcome, "cut at \(length)")
        }
        Torture.report("cut at every length \(outcome.text)")
        #expect(outcome.whole == 0 && outcome.inPart == 0)
    }

    // MARK: rows

    private struct Table {
        let name: String
        let key: [String]
        let columns: [(name: String, type: String)]
        let rowCount: Int

        var others: [String] { columns.map(\.name).filter { !key.contains($0) } }
        /// An SQL condition that is true for one row.
        func row(_ index: Int, of schema: String = "main") -> String {
            let key = key.joined(separator: ", ")
            return "(\(key)) = (SELECT \(key) FROM \(schema).\(name) ORDER BY \(key) LIMIT 1 OFFSET \(index))"
        }
    }

    /// The tables whose changes a signature detects. It reads no record of the log.
    private static let authenticated: Set<String> = [
        "vault", "manifest", "slots", "slot_copies", "entries", "labels", "audit_head", "settings",
    ]

    /// The tables that have rows.
    private func tables() throws -> [Table] {
        let connection = try fixture.open().connection
        var tables: [Table] = []
        for item in VaultTable.all {
            var columns: [(String, String)] = []
            var key: [String] = []
            try connection.query("PRAGMA table_info(\(item.name))") { row throws(VaultError) in
                columns.append((row.text(1) ?? "", row.text(2) ?? ""))
                if let place = row.integer(5), place > 0 { key.append(row.text(1) ?? "") }
            }
            let count = Int(try connection.integer("SELECT count(*) FROM \(item.name)") ?? 0)
            if count > 0 {
                tables.append(Table(name: item.name, key: key, columns: columns, rowCount: count))
            }
        }
        return tables
    }

    /// SQL values for a column of this type. A blob gets other bytes at its start, the same in each
    /// run.
    private static func changes(of column: String, _ type: String, _ dice: inout SplitMix) -> [String] {
        let noise = Hex.encode((0..<32).map { _ in UInt8.random(in: 0...255, using: &dice) })
        return switch type {
        case "INTEGER": ["\(column) + 1", "\(column) + 256", "-1", "9223372036854775807"]
        case "TEXT": ["\(column) || 'x'", "''", "'key X'", "char(27) || \(column)", "NULL"]
        default:
            [
                "CAST(substr(x'\(noise)', 1, length(\(column))) || substr(\(column), 33) AS BLOB)", "x''",
                "zeroblob(length(\(column)) + 1)",
                "zeroblob(1000000)",
            ]
        }
    }

    /// Changes the vault, examines it, and rescues its keys.
    /// - Parameter lost: the keys that a rescue can't recover.
    private func change(_ sql: String, losing lost: [String] = [], _ outcome: inout Outcome) throws {
        do {
            try fixture.tamper("PRAGMA synchronous = OFF; PRAGMA secure_delete = ON; " + sql)
        } catch VaultError.machine(.sqlite(let code)) {
            // SQL can't set NULL in a NOT NULL column, or use a key that exists.
            #expect(code == 19, "\(sql)")
            return
        }
        let damaged = try VaultFixture.bytes(of: fixture.path)
        // The new value equals the old one.
        guard damaged != whole else { return }
        try examine(&outcome, sql)
        try VaultFixture.write(damaged, to: fixture.path)
        let report = try fixture.rescue()
        let expected = entries.filter { !lost.contains($0.name.text) }
        #expect(report.rescued.map(\.name) == expected.map(\.name), "\(sql)")
        #expect(
            try fixture.unlock(fixture.folder + "/rescued.db").entries().map(\.name) == expected.map(\.name),
            "\(sql)")
        #expect(lost.isEmpty || !report.isComplete, "\(sql)")
        unlink(fixture.folder + "/rescued.db")
        try VaultFixture.write(whole, to: fixture.path)
    }

    @Test func everyRowOfEveryTable() throws {
        var outcome = Outcome()
        var random = SplitMix(seed: 5)
        let tables = try tables()
        #expect(
            tables.map(\.name) == [
                "vault", "manifest", "slots", "slot_copies", "entries", "labels", "settings", "audit_head",
                "audit",
            ])
        var noticed: Set<String> = []
        for table in tables {
            let names = table.name == "entries" ? try self.names(of: table) : []
            for index in 0..<table.rowCount {
                let before = outcome.changed
                let row = table.row(index)
                let lost = names.isEmpty ? [] : [names[index]]
                let all = table.columns.flatMap { column in
                    Self.changes(of: column.name, column.type, &random).map {
                        (
                            column.name,
                            "UPDATE \(table.name) SET \(column.name) = \($0) WHERE \(row) AND "
                                + "\(column.name) IS NOT \($0)"
                        )
                    }
                }
                for (column, sql) in Torture.isLong
                    ? all : [all.randomElement(using: &random)].compactMap(\.self)
                {
                    // The bucket follows from the name, and a rescue does not need it.
                    try change(sql, losing: column == "bucket" ? [] : lost, &outcome)
                }
                try change("DELETE FROM \(table.name) WHERE \(row)", losing: lost, &outcome)
                if outcome.changed > before { noticed.insert(table.name) }
            }
        }
        // A slot has a second copy.
        #expect(noticed == Self.authenticated.subtracting(["slots", "slot_copies"]))
        Torture.report("changed and deleted rows \(outcome.text)")
    }

    private func names(of table: Table) throws -> [String] {
        var names: [String] = []
        try fixture.open().connection.query(
            "SELECT name FROM \(table.name) ORDER BY \(table.key.joined(separator: ", "))"
        ) {
            row throws(VaultError) in names.append(row.text(0) ?? "")
        }
        return names
    }

    /// Exchanges everything except the keys between two rows of a table.
    @Test func swappedRows() throws {
        var outcome = Outcome()
        var noticed: Set<String> = []
        for table in try tables() where table.rowCount > 1 && !table.others.isEmpty {
            let before = outcome.changed
            let names = table.name == "entries" ? try self.names(of: table) : []
            let others = table.others.joined(separator: ", ")
            for (one, two) in [(0, 1), (0, table.rowCount - 1)] {
                let (first, second) = (table.row(one), table.row(two))
                try change(
                    """
                    CREATE TEMP TABLE held AS SELECT * FROM \(table.name);
                    UPDATE \(table.name) SET (\(others)) = (SELECT \(others) FROM held WHERE \(second)) WHERE \(first);
                    UPDATE \(table.name) SET (\(others)) = (SELECT \(others) FROM held WHERE \(first)) WHERE \(second);
                    """, losing: names.isEmpty ? [] : [names[one], names[two]], &outcome)
            }
            if outcome.changed > before { noticed.insert(table.name) }
        }
        #expect(noticed == ["manifest", "entries", "labels"])
        Torture.report("swapped rows \(outcome.text)")
    }

    /// Replaces each row by its older version.
    @Test func rolledBackRows() throws {
        var outcome = Outcome()
        var noticed: Set<String> = []
        for table in try tables() {
            for index in 0..<table.rowCount {
                let before = outcome.changed
                try change(
                    "ATTACH '\(fixture.folder)/older.db' AS older; REPLACE INTO \(table.name) SELECT * "
                        + "FROM older.\(table.name) WHERE "
                        + table.row(index, of: "older"), &outcome)
                if outcome.changed > before { noticed.insert(table.name) }
            }
        }
        #expect(noticed == Self.authenticated)
        try fixture.tamper(
            "ATTACH '\(fixture.folder)/older.db' AS older; REPLACE INTO settings SELECT * FROM older.settings"
        )
        #expect(try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).faults == [.rows(.settings)])
        #expect(
            vaultError {
                try fixture.change { transaction in _ = try transaction.isBackedUp(VaultFixture.publicKey(1))
                }
            }
                == .integrity(.manifestMismatch(.bucket(.settings, 0))))
        Torture.report("rows rolled back \(outcome.text)")
    }

    /// Rows of another vault with the same PIN, replacing rows of this vault and added to it.
    @Test func graftedRows() throws {
        let other = fixture.folder + "/other.db"
        try fixture.createFilled(4, path: other)
        var outcome = Outcome()
        var noticed: Set<String> = []
        for table in try tables() {
            let before = outcome.changed
            defer { if outcome.changed > before { noticed.insert(table.name) } }
            let lost = table.name == "entries" ? entries.map(\.name) : []
            try change(
                "ATTACH '\(other)' AS other; INSERT OR IGNORE INTO \(table.name) SELECT * FROM other.\(table.name)",
                &outcome)
            guard lost.isEmpty else { continue }
            try change(
                "ATTACH '\(other)' AS other; REPLACE INTO \(table.name) SELECT * FROM other.\(table.name)",
                &outcome)
            try change(
                "ATTACH '\(other)' AS other; DELETE FROM \(table.name); INSERT INTO \(table.name) "
                    + "SELECT * FROM other.\(table.name)",
                &outcome)
        }
        #expect(noticed == Self.authenticated)
        Torture.report("grafted rows \(outcome.text)")
    }
}
