import Signing
import Testing

@testable import KeyVault

/// The declarations of the tables, which schema, manifest, check, rescue and fuzzing read.
struct DeclaredTableTests {
    let fixture: VaultFixture

    init() throws {
        fixture = try VaultFixture()
        try fixture.createFilled(2)
    }

    @Test func eachTableIsDeclaredOnce() {
        let tables = VaultTable.all
        #expect(
            Set(tables.map(\.number)).count == tables.count && Set(tables.map(\.name)).count == tables.count)
        #expect(VaultTable.inManifest.map(\.number) == [2, 3, 4, 5, 6, 7, 8, 9, 13])
        // A table without contents would be neither checked nor rescued.
        #expect(VaultTable.inManifest.filter { $0.key != nil }.allSatisfy { !$0.contents.isEmpty })
    }

    /// Every row of a vault is read as its table declares it, and is written as it was read.
    @Test func rowsAreReadAndWritten() throws {
        let name = try VaultFixture.name(1)
        try fixture.change { transaction in
            try transaction.store(
                [PolicyUses.Part(number: 7, content: [1])], PolicyUses.Times(last: 5), of: name)
            try transaction.set("rule", to: [1, 2])
        }
        let found = ScanSummary(of: try VaultFixture.bytes(of: fixture.path))
        // Two entries, two labels, two uses; a record with two columns may also be a setting.
        #expect(found.rowCount >= 7)
        #expect(found.inexactTables.isEmpty)
    }

    /// Rows that the manifest proves, and that no writer of this version produces.
    @Test(arguments: ["paid:00:00000000", "made:07:00000000", "used:EOS6:00000000"])
    func aCheckReadsEachCounter(name: String) throws {
        let leaf = Manifest.Leaf(of: name, in: .counters)
        try fixture.change { transaction in
            try transaction.buckets.load(leaf)
            try transaction.write { transaction throws(VaultError) in
                let values: [SQLiteValue] = [.integer(Int64(leaf.bucket)), .text(name), .blob([1, 2])]
                try transaction.connection.run("INSERT INTO counters VALUES (?1, ?2, ?3)", values)
                try transaction.add(name, leaf) { $0.append(row: values) }
            }
        }
        #expect(try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).faults == [.row(.counters)])
    }
}
