import Codecs
import SecureMemory
import Testing

@testable import KeyVault

/// The chain of the audit log: each edit is reported once, with the number of its record.
struct AuditVerifierTests {
    static let vaultID = [UInt8](0..<16)

    /// Five records at `AuditRecordTests.time`.
    static func events() throws -> [AuditEvent] {
        let key = try AuditRecordTests.key()
        return [
            .made, .created(key: key),
            .signed(
                key: key, chain: [UInt8](repeating: 0xaa, count: 32),
                transaction: [UInt8](repeating: 0xbb, count: 32)),
            .renamed(key: key, from: nil, to: try Label("Zo\u{eb}")),
            .failedUnlocks(count: 3, first: AuditRecordTests.time - 9, last: AuditRecordTests.time - 1),
        ]
    }

    static let keyHex =
        "35454f53364d5279416a51713875643768564e5963666e56504a7163567073634e35536f384268744875475971455435474457354356"
    static let bodies = [
        "010100f1536500000000",
        "010200f1536500000000" + keyHex,
        "011300f1536500000000" + keyHex + String(repeating: "aa", count: 32)
            + String(repeating: "bb", count: 32)
            + "0000000000",
        "010700f1536500000000" + keyHex + "000104005a6fc3ab",
        "010c00f15365000000000300000000000000f7f0536500000000fff0536500000000",
    ]

    /// Computed with Python, for the master key 00, 01 … 1f and the vault id 00 … 0f:
    /// ```
    /// key = blake2b(key=master, salt=pack('<Q', 1) + bytes(8), person=b'eosvaudi' + bytes(8),
    ///               digest_size=32).digest()
    /// mac = bytes(32)
    /// for i, body in enumerate(bodies, 1):
    ///     mac = blake2b(b'eosvault.audit.1' + vault_id + mac + pack('<Q', i) + body,
    ///                   key=key, digest_size=32).digest()
    /// ```
    private static let macs = [
        "91ca9c66b4628deba1c93be199e58b7063cf1ad95724ba96aba858655f36ef0f",
        "bf24359fefa99388b8fbafa5e78a0e889e6b74a4db9626f93abe785e661c4982",
        "4c1b54aff4461f0a388b220b00c8fc91c181aeb6931fec19664f49afa58d8835",
        "5e80ba01c8e6f13d1e1f575c236ccf4227e4d7ce04b60b9ac83c9220aedcfe4f",
        "bd0c10a2090672b7acf6f20e693a38e9b8ec29a9348cbbb8d94b36a5c8be4abb",
    ]

    private struct Row {
        var sequence: Int64
        var body: [UInt8]?
        var mac: [UInt8]?
    }

    private static func rows() throws -> [Row] {
        try zip(bodies, macs).enumerated().map { index, row in
            try Row(sequence: Int64(index + 1), body: Hex.decode(row.0), mac: Hex.decode(row.1))
        }
    }

    private static func keys(_ first: UInt8 = 0) throws -> VaultKeys {
        try Sodium.start()
        return try VaultKeys(master: SecureBytes(copyingPublic: first..<(first + 32)))
    }

    /// The faults of these rows, and the numbers of the intact records.
    private func walk(
        _ rows: [Row], head: AuditHead? = nil, earlier: [AuditSegment] = [], vaultID: [UInt8] = vaultID
    ) throws -> (faults: [AuditFault], good: [Int64]) {
        let head = try head ?? AuditHead(sequence: 5, mac: Hex.decode(Self.macs[4]))
        var verifier = try AuditVerifier(
            vaultID: vaultID, keys: AuditKeys(earlier: earlier, current: Self.keys()), head: head)
        var result: (faults: [AuditFault], good: [Int64]) = ([], [])
        let report = { (fault: AuditFault) throws(VaultError) in result.faults.append(fault) }
        for row in rows where try verifier.visit(row.sequence, body: row.body, mac: row.mac, report) {
            result.good.append(row.sequence)
        }
        try verifier.finish(report)
        return result
    }

    private func faults(_ change: (inout [Row]) throws -> Void) throws -> [AuditFault] {
        var rows = try Self.rows()
        try change(&rows)
        return try walk(rows).faults
    }

    @Test func macsOfAnotherImplementation() throws {
        let result = try walk(Self.rows())
        #expect(result.faults.isEmpty)
        #expect(result.good == [1, 2, 3, 4, 5])
    }

    @Test func anEmptyLogIsIntact() throws {
        #expect(try walk([], head: .empty).faults.isEmpty)
        #expect(try walk([Self.rows()[0]], head: .empty).faults == [.extra(sequence: 1)])
    }

    /// Every bit of every body and mac.
    @Test(arguments: 0..<5) func edited(index: Int) throws {
        for offset in 0..<(Self.bodies[index].utf8.count / 2) {
            #expect(try faults { $0[index].body?[offset] ^= 0x10 } == [.changed(sequence: Int64(index + 1))])
        }
        for offset in 0..<32 {
            #expect(try faults { $0[index].mac?[offset] ^= 0x01 } == [.changed(sequence: Int64(index + 1))])
        }
        #expect(try faults { $0[index].mac = [] } == [.changed(sequence: Int64(index + 1))])
        #expect(try faults { $0[index].mac = nil } == [.changed(sequence: Int64(index + 1))])
        #expect(try faults { $0[index].body = nil } == [.changed(sequence: Int64(index + 1))])
    }

    /// Two edited records in a row are two faults.
    @Test func severalEdited() throws {
        let found = try faults { rows in for index in 1...3 { rows[index].body?[2] ^= 1 } }
        #expect(found == [.changed(sequence: 2), .changed(sequence: 3), .changed(sequence: 4)])
    }

    @Test(arguments: 0..<4) func dropped(index: Int) throws {
        #expect(try faults { $0.remove(at: index) } == [.missing(sequence: Int64(index + 1))])
    }

    /// The record after a missing one can't be verified, so it is not returned as intact.
    @Test func theRecordAfterAMissingOneIsNotVerified() throws {
        var rows = try Self.rows()
        rows.remove(at: 1)
        #expect(try walk(rows).good == [1, 4, 5])
    }

    @Test func cut() throws {
        #expect(try faults { $0.removeLast() } == [.cut(last: 4, expected: 5)])
        #expect(try faults { $0.removeLast(3) } == [.cut(last: 2, expected: 5)])
        #expect(try faults { $0.removeAll() } == [.cut(last: 0, expected: 5)])
    }

    /// Two records exchanged: both are reported, and also the record whose mac must follow from
    /// them.
    @Test func reordered() throws {
        let found = try faults { rows in
            (rows[1].body, rows[2].body) = (rows[2].body, rows[1].body)
            (rows[1].mac, rows[2].mac) = (rows[2].mac, rows[1].mac)
        }
        #expect(found == [.changed(sequence: 2), .changed(sequence: 3), .changed(sequence: 4)])
        let moved = try faults { rows in
            rows.remove(at: 1)
            for index in 1...3 { rows[index].sequence -= 1 }
        }
        #expect(
            moved == [
                .changed(sequence: 2), .changed(sequence: 3), .changed(sequence: 4),
                .cut(last: 4, expected: 5),
            ])
    }

    @Test func added() throws {
        #expect(
            try faults { $0.append(Row(sequence: 6, body: $0[0].body, mac: $0[4].mac)) } == [
                .extra(sequence: 6)
            ])
        #expect(
            try faults { $0.insert(Row(sequence: 0, body: $0[0].body, mac: $0[0].mac), at: 0) } == [
                .extra(sequence: 0)
            ]
        )
        #expect(
            try faults { $0.insert(Row(sequence: .min, body: nil, mac: nil), at: 0) } == [
                .extra(sequence: .min)
            ])
        #expect(
            try faults { $0.append(Row(sequence: .max, body: nil, mac: nil)) } == [.extra(sequence: .max)])
    }

    @Test func returnedTwice() throws {
        #expect(
            vaultError { _ = try faults { $0.insert($0[1], at: 2) } } == .integrity(.damaged(.row(.audit))))
        #expect(vaultError { _ = try faults { $0.swapAt(1, 2) } } != nil)
    }

    /// An older state of the log matches its own head, but not this head.
    @Test func anotherHead() throws {
        let other = try AuditHead(sequence: 5, mac: Hex.decode(Self.macs[3]))
        #expect(try walk(Self.rows(), head: other).faults == [.changed(sequence: 5)])
        #expect(
            try walk(Self.rows(), vaultID: [UInt8](repeating: 9, count: 16)).faults
                == (1...5).map { .changed(sequence: $0) })
    }

    /// After a new master key, the old records stay chained with the old key.
    @Test func segments() throws {
        var rows = try Self.rows()
        let old = try Self.keys(100)
        var before = AuditChain.start
        for index in rows.indices {
            let body = try #require(rows[index].body)
            let (sequence, current) = (Int64(index + 1), try Self.keys())
            before = try (index < 2 ? old : current).audit.lend { key throws(VaultError) in
                AuditChain.mac(
                    of: body, sequence: sequence, after: before, vaultID: Self.vaultID, key: key)
            }
            rows[index].mac = before
        }
        let head = AuditHead(sequence: 5, mac: before)
        func segment(_ last: Int64) throws -> AuditSegment {
            // The vault keeps the audit key of an old master key. Here it is derived again.
            let key = try Sodium.subkey(.audit, of: SecureBytes(copyingPublic: UInt8(100)..<132))
            return AuditSegment(last: last, key: try HeldSecret(key, in: KeyCustody()))
        }
        #expect(try walk(rows, head: head, earlier: [segment(2)]).faults.isEmpty)
        #expect(try walk(rows, head: head, earlier: [segment(0), segment(2)]).good == [1, 2, 3, 4, 5])
        #expect(try walk(rows, head: head).faults == [.changed(sequence: 1), .changed(sequence: 2)])
        #expect(try walk(rows, head: head, earlier: [segment(3)]).faults == [.changed(sequence: 3)])
        rows[1].body?[3] ^= 1
        #expect(try walk(rows, head: head, earlier: [segment(2)]).faults == [.changed(sequence: 2)])
    }
}
