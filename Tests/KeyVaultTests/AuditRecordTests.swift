import Codecs
import Testing

@testable import KeyVault

/// The body of a record has exactly one encoding; no other bytes are accepted.
struct AuditRecordTests {
    static let time: Int64 = 1_700_000_000
    static func key() throws -> EntryName {
        try #require(EntryName("EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"))
    }

    static func events() throws -> [AuditEvent] {
        let (key, other) = (try key(), try #require(EntryName("hmac:device_1")))
        let hash = [UInt8](repeating: 0xaa, count: 32)
        let longest = try Label(String(repeating: "\u{1f511}", count: 64))
        return [
            .made, .created(key: key), .imported(key: other),
            .signed(key: key, chain: hash, transaction: hash.map { ~$0 }), .exported(key: key), .removed(key: key),
            .renamed(key: key, from: nil, to: longest), .renamed(key: key, from: longest, to: nil),
            .slotAdded(number: 0, .pin), .slotRemoved(number: 7, .pinAndKeyFile), .slotChanged(number: 3, .recovery),
            .slotAdded(number: 1, .other(200)), .rekeyed, .failedUnlocks(count: 3, first: time - 9, last: time - 1),
            .backedUp(generation: 12), .restored(generation: 0), .migrated(from: 1), .rescued(count: 100_000),
            .abiPinned(try PinnedABITests.contract(), hash: hash),
            .abiUnpinned(try PinnedABITests.contract("abcdefghijklj"), hash: hash),
        ]
    }

    @Test func readsBackWhatWasWritten() throws {
        for event in try Self.events() {
            let record = AuditRecord(sequence: 5, time: Self.time, event: event)
            #expect(try AuditRecord(sequence: 5, body: record.body()) == record)
        }
        #expect(Set(try Self.events().map(\.kind)).count == 18)
    }

    /// The bytes from the format document, made independently of this code with Python: `bytes([1,
    /// kind]) + struct.pack('<q', time) + payload`.
    @Test(arguments: AuditVerifierTests.bodies.indices)
    func encodesAsTheFormatDefines(index: Int) throws {
        let record = AuditRecord(sequence: 1, time: Self.time, event: try AuditVerifierTests.events()[index])
        #expect(try Hex.encode(record.body()) == AuditVerifierTests.bodies[index])
    }

    /// Python: `bytes([1, 17]) + pack('<q', time) + bytes([0xaa] * 32) + b'\x0beosio.token' +
    /// bytes([0xbb] * 32)`.
    @Test func encodesPinsAsTheFormatDefines() throws {
        let event = AuditEvent.abiPinned(try PinnedABITests.contract(), hash: [UInt8](repeating: 0xbb, count: 32))
        let record = AuditRecord(sequence: 1, time: Self.time, event: event)
        #expect(
            try Hex.encode(record.body())
                == "011100f1536500000000" + String(repeating: "aa", count: 32) + "0b656f73696f2e746f6b656e"
                + String(repeating: "bb", count: 32))
    }

    /// A record of a later version is kept, and its payload is not interpreted.
    @Test func keepsRecordsOfLaterKinds() throws {
        let body: [UInt8] = [1, 19, 0, 241, 83, 101, 0, 0, 0, 0, 1, 2, 3]
        #expect(
            try AuditRecord(sequence: 1, body: body)
                == AuditRecord(sequence: 1, time: Self.time, event: .other(kind: 19)))
        // Kind 4 belongs to this version: `other` can't be used with another payload for it.
        #expect(throws: VaultError.integrity(.damaged(.row(.audit)))) {
            try AuditRecord(sequence: 1, time: Self.time, event: .other(kind: 4)).body()
        }
    }

    @Test func refusesCutAndPaddedBodies() throws {
        for event in try Self.events() {
            let body = try AuditRecord(sequence: 1, time: Self.time, event: event).body()
            for count in body.indices {
                #expect(throws: VaultError.integrity(.damaged(.row(.audit)))) {
                    try AuditRecord(sequence: 1, body: Array(body[..<count]))
                }
            }
            #expect(throws: VaultError.integrity(.damaged(.row(.audit)))) {
                try AuditRecord(sequence: 1, body: body + [0])
            }
        }
    }

    @Test(arguments: [
        ("another version", "020100f1536500000000"),
        ("a time before 1970", "0101ffffffffffffffff"),
        ("a time after 9999", "01010020cb8f3b000000"),
        ("a key without a name", "010200f153650000000000"),
        ("a name that moves a cursor", "010200f1536500000000021b41"),
        ("a name that is no ASCII", "010200f153650000000002c3ab"),
        ("a label whose presence byte is neither 0 nor 1", "010700f1536500000000014102010041" + "00"),
        ("a label of no bytes", "010700f15365000000000141000100" + "00"),
        ("a label that turns text around", "010700f1536500000000014100010300e280ae"),
        ("a label that is no UTF-8", "010700f1536500000000014100010100ff"),
        ("slot 8", "010800f15365000000000801"),
        ("no tries", "010c00f1536500000000" + "0000000000000000" + "0000000000000000" + "0000000000000000"),
        ("fewer than none", "011000f1536500000000ffffffffffffffff"),
    ])
    func refused(crime: String, hex: String) throws {
        let body = try Hex.decode(hex)
        #expect(throws: VaultError.integrity(.damaged(.row(.audit))), "\(crime)") {
            try AuditRecord(sequence: 1, body: body)
        }
    }

    @Test func refusesToWriteUnreadableEvents() throws {
        for event: AuditEvent in [
            .signed(key: try Self.key(), chain: [1], transaction: []), .slotAdded(number: 8, .pin),
            .slotAdded(number: 256, .pin),
            .failedUnlocks(count: 0, first: 0, last: 0), .backedUp(generation: -1), .slotRemoved(number: 0, .other(1)),
        ] {
            #expect(throws: VaultError.integrity(.damaged(.row(.audit))), "\(event)") {
                try AuditRecord(sequence: 1, time: Self.time, event: event).body()
            }
        }
        #expect(throws: VaultError.machine(.timeOutOfRange)) {
            try AuditRecord(sequence: 1, time: -1, event: .made).body()
        }
    }
}
