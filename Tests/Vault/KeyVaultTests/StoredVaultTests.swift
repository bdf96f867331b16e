import Files
import Glibc
import Keys
import SecureMemory
import TestSupport
import Testing

@testable import KeyVault

/// Vaults that the first version made, and that each later version opens.
struct StoredVaultTests {
    let fixture: VaultFixture
    private var copy: String { fixture.folder + "/copy.db" }
    private static let isWriting = unsafe getenv("EOSVAULT_WRITE_VAULTS") != nil

    init() throws { fixture = try VaultFixture() }

    enum Slot: CaseIterable { case pin, pinAndKeyFile, recovery }

    private func method(_ slot: Slot = .pin) throws -> UnlockMethod {
        switch slot {
        case .pin: try StoredVaults.method()
        case .pinAndKeyFile:
            .pinAndKeyFile(
                try VaultFixture.pin(StoredVaults.otherPIN),
                try KeyFile(SecureBytes(copyingPublic: repositoryFile(StoredVaults.folder + "version-1.key")))
            )
        case .recovery: .recovery(try StoredVaults.recovery())
        }
    }

    private func use(_ name: String) throws {
        try VaultFixture.write(repositoryFile(StoredVaults.folder + name + ".db"), to: fixture.path)
    }

    private func unlock(_ path: String? = nil, _ slot: Slot = .pin) throws -> UnlockedVault {
        try fixture.open(path).unlock(method(slot))
    }

    private func check(_ path: String? = nil, _ slot: Slot = .pin) throws -> CheckReport {
        try fixture.open(path).check(method(slot))
    }

    private func backUpAndRestore() throws -> String {
        _ = try unlock().backup(to: copy)
        let restored = fixture.folder + "/restored.db"
        _ = try Vault.restore(
            VaultImage(contentsOf: copy), to: restored, method: method(), clock: VaultFixture.clock)
        return restored
    }

    private func rescue() throws -> RescueReport {
        try Vault.rescue(
            fixture.path, to: fixture.folder + "/rescued.db", with: method(), clock: VaultFixture.clock)
    }

    private static let labels: [String: String?] = [
        "EOS5p78kHbL33Rn3JWkTWRE2B9uz6gy4r1KbfAKLNQGE3ovMBS5bu": "first"
    ]

    /// Makes the files with `EOSVAULT_WRITE_VAULTS=1`. Files that are there are not replaced.
    @Test func areMadeOnlyOnce() throws {
        let folder = fixture.folder + "/made"
        mkdir(folder, 0o700)
        try StoredVaults.make(in: folder)
        for name in Files.names(in: folder) {
            let stored = repositoryRoot + "/" + StoredVaults.folder + name
            if Self.isWriting, access(stored, F_OK) != 0 {
                try Files.write(Files.read(folder + "/" + name), to: stored)
                Issue.record("\(name) was written: run the test again without EOSVAULT_WRITE_VAULTS")
            }
            #expect(access(stored, F_OK) == 0, "\(name)")
        }
    }

    // MARK: version 1

    private func expectAll(_ vault: borrowing UnlockedVault) throws {
        let entries = try vault.entries()
        #expect(entries.map(\.label?.text) == ["first", "limited", nil, "exchange", "after the backup"])
        #expect(entries.filter(\.isKey).map(\.name) == (try [1, 2, 3, 5].map { try VaultFixture.name($0) }))
        let digest = try SigningDigest([UInt8](repeating: 7, count: 32))
        try vault.withoutRecord { (transaction: inout VaultTransaction) throws(VaultError) in
            for entry in entries where entry.isKey {
                let signed = try transaction.signature(of: digest, by: transaction.entry(named: entry.name))
                let recovered = try? signed.get().signature.recover(digest)
                #expect(recovered == entry.name.publicKey)
            }
            let secret = try transaction.withSecret(of: transaction.entry(named: entries[3].name)) {
                secret throws(VaultError) in
                secret.withBytes { bytes in (0..<bytes.byteCount).map { bytes[byte: $0] } }
            }
            #expect(secret == StoredVaults.apiSecret)
            let policies = try transaction.policies()
            #expect(policies.map(\.document) == [StoredVaults.policy])
            let abis = try transaction.pinnedABIs(of: nil)
            #expect(abis.map(\.raw) == [StoredVaults.abi])
        }
    }

    @Test(arguments: Slot.allCases)
    func opensByEachSlot(slot: Slot) throws {
        try use("version-1")
        let before = try VaultFixture.bytes(of: fixture.path)
        let report = try check(nil, slot)
        #expect(
            report.faults == [] && report.counts.keys == 4 && report.counts.credentials == 1
                && report.policyCount == 1)
        #expect(report.recordCount == 2 && report.archives.map(\.last) == [14] && report.unsupported.isEmpty)
        let vault = try unlock(nil, slot)
        try expectAll(vault)
        #expect(try VaultFixture.bytes(of: fixture.path) == before)
    }

    @Test func hasItsLog() throws {
        try use("version-1")
        let vault = try unlock()
        var events: [AuditEvent] = []
        try vault.log { events.append($0.event) }
        let archive = try AuditArchive(repositoryRoot + "/" + StoredVaults.folder + "version-1.archive")
        #expect(
            try events == [
                .archived(first: 1, last: 14, hash: archive.hash), .created(key: VaultFixture.name(5)),
            ])
        #expect(try vault.verify([archive]).isOK)
        let reader = try vault.reader(of: archive)
        #expect(try Self.events(of: reader).first == .made)
    }

    private static func events(of reader: consuming ArchiveReader) throws -> [AuditEvent] {
        var events: [AuditEvent] = []
        while let records = try reader.next() { events += records.map(\.event) }
        return events
    }

    @Test func isBackedUpAndRestored() throws {
        try use("version-1")
        let restored = try backUpAndRestore()
        for slot in Slot.allCases {
            #expect(try check(restored, slot).faults == [])
            try expectAll(unlock(restored, slot))
        }
    }

    @Test func isRescued() throws {
        try use("version-1")
        let report = try rescue()
        #expect(report.isComplete && report.archives.map(\.last) == [14])
        try expectAll(unlock(fixture.folder + "/rescued.db"))
    }

    @Test func theSecondMethodOfThePolicyIsNeeded() throws {
        try use("version-1")
        let release = vaultError {
            try VaultFixture.change(unlock()) { transaction in
                try transaction.remove(VaultFixture.publicKey(2))
            }
        }
        #expect(release == .input(.secondMethodNeeded(.pin)))
        let vault = try unlock()
        let policies = try vault.withoutRecord { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.policies()
        }
        let proof = try vault.proveSecond(StoredVaults.method(StoredVaults.policyPIN), of: policies)
        try VaultFixture.change(unlock()) { transaction in
            try transaction.remove(VaultFixture.name(2), neverBackedUp: true, proof: proof)
        }
    }

    // MARK: unknown kinds

    /// Every row of a table.
    private func rows(_ table: String, in path: String? = nil) throws -> [[SQLiteValue]] {
        var rows: [[SQLiteValue]] = []
        try fixture.open(path).connection.query("SELECT * FROM \(table)") { row throws(VaultError) in
            rows.append(row.values ?? [])
        }
        return rows
    }

    @Test func anUnknownSlotIsKept() throws {
        try use("unknown-slot")
        let listed = try fixture.open().unverifiedSlots().slots
        #expect(listed.map(\.kind) == [.pin, .other(200)])
        #expect(try check().faults == [])
        #expect(try check().unsupported == UnsupportedRows(slots: 1))
        let slots = try rows("slots")
        let restored = try backUpAndRestore()
        for path in [fixture.path, copy, restored] {
            #expect(try rows("slots", in: path) == slots && rows("slot_copies", in: path) == slots)
        }
        // A program that has the kind opens the vault by it.
        #expect(try fixture.open(restored).unlock(UnknownMethod()).entries().count == 1)
        let report = try rescue()
        #expect(report.isComplete && report.unsupported == UnsupportedRows(slots: 1))
    }

    @Test func anUnknownEntryIsKept() throws {
        try use("unknown-entry")
        let entry = try #require(try unlock().entries().first { !$0.isKey })
        #expect(entry.name.text == "device:one" && entry.facts.map(\.value) == ["device:one", "200"])
        #expect(try fixture.open().unverifiedEntries().contains(entry))
        #expect(try check().faults == [] && check().entryCount == 2 && check().counts.keys == 1)
        #expect(try check().unsupported == UnsupportedRows(entries: 1))
        #expect(
            vaultError {
                try VaultFixture.change(unlock()) { transaction in
                    try transaction.withKey(transaction.entry("device:one")) { _ throws(VaultError) in }
                }
            } == .input(.unsupportedKind(200)))
        let entries = try rows("entries")
        let restored = try backUpAndRestore()
        for path in [copy, restored] { #expect(try rows("entries", in: path) == entries) }
        try VaultFixture.change(unlock()) { transaction in
            try transaction.rename(entry.name, to: Label("kept"))
        }
        try VaultFixture.change(unlock()) { transaction in
            try transaction.rekey(under: VaultFixture.secret(StoredVaults.pin))
        }
        #expect(try opened() == StoredVaults.unknownSecret)
    }

    /// The manifest proves the entry; without the manifest, its seal does.
    @Test(arguments: [false, true])
    func anUnknownEntryIsRescued(withoutManifest: Bool) throws {
        try use("unknown-entry")
        if withoutManifest { try fixture.tamper("UPDATE vault SET root = zeroblob(32)") }
        let report = try rescue()
        #expect(report.isComplete == !withoutManifest && report.losses == [] && report.rescued.count == 2)
        #expect(report.unsupported == UnsupportedRows(entries: 1))
        #expect(try opened(in: fixture.folder + "/rescued.db") == StoredVaults.unknownSecret)
        #expect(
            try unlock(fixture.folder + "/rescued.db").entries().contains {
                $0.details == StoredVaults.unknownBytes
            })
    }

    private func opened(in path: String? = nil) throws -> [UInt8] {
        var secret: [UInt8] = []
        try VaultFixture.change(unlock(path)) { transaction in
            secret = try transaction.entry("device:one").row.open(transaction.sealContext).withBytes {
                bytes in
                (0..<bytes.byteCount).map { bytes[byte: $0] }
            }
        }
        return secret
    }

    @Test func anUnknownRecordIsKept() throws {
        try use("unknown-record")
        let report = try check()
        #expect(
            report.faults == [] && report.recordCount == 5
                && report.unsupported == UnsupportedRows(records: 1))
        var events: [AuditEvent] = []
        try unlock().log { events.append($0.event) }
        #expect(events[3] == .other(kind: 200))
        let records = try rows("audit")
        let restored = try backUpAndRestore()
        for path in [fixture.path, copy, restored] {
            #expect(try Array(rows("audit", in: path).prefix(5)) == records)
            #expect(try check(path).unsupported == UnsupportedRows(records: 1))
        }
        // An archive keeps its bytes too.
        let path = fixture.folder + "/log.archive"
        let archive = try unlock().archiveLog(to: NewFile(path, holding: .publicData))
        let vault = try unlock()
        #expect(try vault.verify([archive]).isOK)
        let reader = try vault.reader(of: archive)
        #expect(try Self.events(of: reader)[3] == .other(kind: 200))
        #expect(try rescue().isComplete)
    }
}
