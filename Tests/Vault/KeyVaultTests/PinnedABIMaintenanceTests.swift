import Testing

@testable import KeyVault

/// Backup, restore, rekey, check and rescue cover pinned ABIs.
struct PinnedABIMaintenanceTests {
    private let fixture: VaultFixture
    private let abis: [PinnedABI]

    init() throws {
        // The second one is longer than a page and than every other row.
        let long = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        abis = [
            try PinnedABITests.abi(), try PinnedABITests.abi("mytoken", long),
            try PinnedABITests.abi("mytoken", [5], PinnedABITests.otherChain),
        ]
        fixture = try PinnedABITests.fixture(abis)
    }

    private func pinned(_ path: String? = nil) throws -> Set<[UInt8]> {
        let abis = try fixture.unlock(path).withoutRecord {
            (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.pinnedABIs()
        }
        return Set(abis.map { Array($0.rowName.utf8) + $0.value })
    }

    private var expected: Set<[UInt8]> { Set(abis.map { Array($0.rowName.utf8) + $0.value }) }

    @Test func survivesANewMasterKey() throws {
        let secret = try VaultFixture.secret()
        try fixture.change { try $0.rekey(under: secret) }
        #expect(try pinned() == expected)
        #expect(try check().faults.isEmpty)
    }

    @Test func isInABackupAndARestoredVault() throws {
        let (copy, restored) = (fixture.folder + "/copy.db", fixture.folder + "/restored.db")
        _ = try fixture.unlock().backup(to: copy)
        #expect(try pinned(copy) == expected)
        _ = try Vault.restore(
            VaultImage(contentsOf: copy), to: restored, method: UnlockMethod.pin(VaultFixture.pin()),
            clock: VaultFixture.clock)
        #expect(try pinned(restored) == expected)
    }

    // MARK: check

    private func check() throws -> CheckReport {
        try fixture.open().check(UnlockMethod.pin(VaultFixture.pin()))
    }

    @Test(arguments: [
        "DELETE FROM abis WHERE length(value) > 100", "UPDATE abis SET value = x'0100f153650000000008'",
        "INSERT INTO abis VALUES (0, 'rule', x'07')", "UPDATE abis SET bucket = 256",
    ])
    func aCheckFindsAChange(sql: String) throws {
        #expect(try check().faults.isEmpty)
        try fixture.tamper(sql)
        let faults = try check().faults
        #expect(faults.contains(.rows(.abis)) || faults.contains(.row(.abis)))
        #expect(try check().counts.keys == 1)
    }

    /// A row that no writer makes is a fault, even if the manifest covers it.
    @Test func aCheckFindsAMalformedRow() throws {
        let name = try PinnedABITests.contract("bad").rowName
        try fixture.change { transaction in
            let leaf = Manifest.Leaf(of: name, in: .abis)
            try transaction.buckets.load(leaf)
            try transaction.write { (transaction: inout VaultTransaction) throws(VaultError) in
                try transaction.connection.run(
                    "INSERT INTO abis VALUES (?1, ?2, x'02')", [.integer(Int64(leaf.bucket)), .text(name)])
                try transaction.add(name, leaf) { encoder in
                    encoder.beginRow(columnCount: 3)
                    encoder.append(integer: Int64(leaf.bucket))
                    encoder.append(text: name.utf8)
                    encoder.append(blob: [2])
                }
            }
        }
        #expect(try check().faults == [.row(.abis)])
        #expect(vaultError { _ = try pinned() } == .integrity(.damaged(.row(.abis))))
    }

    // MARK: rescue

    private var rescued: String { fixture.folder + "/rescued.db" }

    @Test func aRescueTakesProvedABIs() throws {
        let report = try fixture.rescue()
        #expect(Set(report.pinnedABIs) == Set(abis.map(\.contract)))
        #expect(report.isComplete && !report.lacksPinnedABIs)
        #expect(try pinned(rescued) == expected)
        #expect(try fixture.open(rescued).check(UnlockMethod.pin(VaultFixture.pin())).faults.isEmpty)
    }

    /// A changed row is not rescued: no digest proves what was pinned. Its bucket is the only one
    /// that is lost.
    @Test func aRescueLeavesOutChangedABIs() throws {
        try fixture.tamper("UPDATE abis SET value = x'0100f153650000000009' WHERE length(value) > 100")
        let report = try fixture.rescue()
        #expect(Set(report.pinnedABIs) == [abis[0].contract, abis[2].contract])
        #expect(report.lacksPinnedABIs && !report.isComplete && report.rescued.count == 1)
        #expect(try pinned(rescued) == Set([abis[0], abis[2]].map { Array($0.rowName.utf8) + $0.value }))
    }

    /// A removed row leaves its bucket unproved.
    @Test func aRescueReportsRemovedABIs() throws {
        try fixture.tamper("DELETE FROM abis")
        let report = try fixture.rescue()
        #expect(report.pinnedABIs.isEmpty && report.lacksPinnedABIs && !report.isComplete)
    }

    /// Without a verified manifest nothing proves a pinned ABI.
    @Test func aRescueWithoutAManifestTakesNone() throws {
        try fixture.tamper("UPDATE vault SET root = zeroblob(32)")
        let report = try fixture.rescue()
        #expect(report.pinnedABIs.isEmpty && !report.isVerified && report.rescued.count == 1)
        #expect(try pinned(rescued).isEmpty)
    }

    /// A row that this version does not interpret is not copied, and the report states it.
    @Test func aRescueReportsOtherRows() throws {
        try PinnedABITests.addOtherRow(to: fixture)
        let report = try fixture.rescue()
        #expect(Set(report.pinnedABIs) == Set(abis.map(\.contract)))
        #expect(report.lacksPinnedABIs && !report.isComplete)
    }
}
