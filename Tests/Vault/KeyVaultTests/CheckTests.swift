import Keys
import SecureMemory
import Testing

@testable import KeyVault

/// A check names each fault by its key, and continues after it.
struct CheckTests {
    let fixture: VaultFixture

    init() throws {
        fixture = try VaultFixture()
        try fixture.createFilled(3)
    }

    private func check() throws -> CheckReport {
        try fixture.open().check(UnlockMethod.pin(VaultFixture.pin()))
    }

    private func faults(after sql: String) throws -> [VaultFault] {
        try fixture.tamper(sql)
        return try check().faults
    }

    private static func name(_ number: UInt8) throws -> EntryName { try VaultFixture.name(number) }

    @Test func soundVaultHasNoFaults() throws {
        var steps: [Int64] = []
        let report = try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())) { done, total in
            steps.append(done)
            #expect(total == 3)
        }
        #expect(
            report.faults == [] && report.counts.keys == 3 && report.recordCount == 4
                && report.generation == 4)
        #expect(steps.last == 3)
        #expect(
            vaultError { _ = try fixture.open().check(UnlockMethod.pin(VaultFixture.pin("wrong one"))) }
                == .input(.wrongUnlockMethod(.pin, damagedSlots: [])))
    }

    @Test func namesTheKeyWithABrokenSeal() throws {
        let faults = try faults(
            after: "UPDATE entries SET sealed = zeroblob(48) WHERE label IN ('key 1', 'key 3')")
        #expect(try Set(faults.compactMap(\.name)) == [Self.name(1), Self.name(3)])
        #expect(faults.contains(.rows(.entries)))
        #expect(try check().counts.keys == 1)
    }

    @Test func namesTheKeyWithAnEditedLabel() throws {
        let faults = try faults(after: "UPDATE entries SET label = 'key 9' WHERE label = 'key 2'")
        #expect(
            try faults.contains(.key(name: Self.name(2), .seal))
                && faults.contains(.label(name: Self.name(2))))
    }

    @Test func findsAMissingRow() throws {
        let faults = try faults(after: "DELETE FROM entries WHERE label = 'key 2'")
        #expect(faults.contains(.count(expected: 3, found: 2)) && faults.contains(.rows(.entries)))
        #expect(try faults.contains(.label(name: Self.name(2))))
    }

    @Test func findsARemovedLabel() throws {
        let faults = try faults(after: "DELETE FROM labels WHERE label = 'key 2'")
        #expect(try faults == [.rows(.labels), .label(name: Self.name(2))])
    }

    @Test(arguments: [
        ("UPDATE slot_copies SET checksum = x'00'", VaultFault.slotCopy(0)),
        (
            "INSERT INTO slots VALUES (3, x'00', x'00'); INSERT INTO slot_copies VALUES (3, x'00', x'00')",
            .slot(3)
        ),
        ("INSERT INTO slots VALUES (77, x'00', x'00')", .row(.slots)),
        ("INSERT INTO settings VALUES ('x', x'01')", .rows(.settings)),
        ("INSERT INTO abis VALUES (0, 'x', x'01')", .rows(.abis)),
        ("INSERT INTO policies VALUES ('x', x'01')", .rows(.policies)),
        ("INSERT INTO counters VALUES (9, 'x', x'01')", .rows(.counters)),
        ("DELETE FROM audit WHERE sequence = 2", .audit(.missing(sequence: 2))),
        ("DELETE FROM audit WHERE sequence = 4", .audit(.cut(last: 3, expected: 4))),
        ("UPDATE audit_head SET mac = zeroblob(32)", .rows(.audit)),
        ("UPDATE manifest SET leaves = zeroblob(length(leaves)) WHERE section = 6", .manifest),
        ("UPDATE vault SET generation = 9", .manifest),
        ("UPDATE vault SET root = x'00'", .manifest),
    ])
    func findsWhatWasEdited(_ sql: String, _ fault: VaultFault) throws {
        #expect(try faults(after: sql) == [fault])
        #expect(try check().counts.keys == 3)
    }

    @Test func findsAnEmptyManifest() throws {
        #expect(try faults(after: "DELETE FROM vault; DELETE FROM manifest") == [.manifest])
        #expect(try check().counts.keys == 3)
    }

    /// Two tables that share pages: no digest shows it, but SQLite's own check does.
    @Test func findsMalformedPagesWithoutRows() throws {
        // The free block list of a page with rows.
        let root = try #require(
            try fixture.open().connection.integer(
                "SELECT rootpage FROM sqlite_schema WHERE name = 'policies'"))
        try fixture.patch(Int(root - 1) * 4_096 + 1, [0x0f, 0xff])
        #expect(try check().faults.contains(.pages(nil)))
        #expect(try check().counts.keys == 3)
    }
}

extension VaultFault {
    fileprivate var name: EntryName? {
        if case .key(let name, _) = self { name } else { nil }
    }
}
