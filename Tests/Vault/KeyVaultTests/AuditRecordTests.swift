import ABICodec
import Codecs
import HTTPSigning
import Signing
import Testing
import Transactions

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
            .signed(key: key, chain: hash, transaction: hash.map { ~$0 }), .exported(key: key),
            .removed(key: key),
            .signed(key: key, chain: hash, transaction: hash, actions: SignedActions([])),
            .signed(key: key, chain: hash, transaction: hash, actions: kinds(20)),
            .signed(key: key, chain: hash, transaction: hash, actions: try paying(1)),
            .signed(key: key, chain: hash, transaction: hash, actions: try paying(300)),
            .renamed(key: key, from: nil, to: longest), .renamed(key: key, from: longest, to: nil),
            .slotAdded(number: 0, .pin), .slotRemoved(number: 7, .pinAndKeyFile),
            .slotChanged(number: 3, .recovery),
            .slotAdded(number: 1, .other(200)), .rekeyed,
            .failedUnlocks(count: 3, first: time - 9, last: time - 1),
            .backedUp(generation: 12), .restored(generation: 0), .rescued(count: 100_000),
            .abiPinned(try PinnedABITests.contract(), hash: hash),
            .abiUnpinned(try PinnedABITests.contract("abcdefghijklj"), hash: hash),
            .archived(first: 1, last: 1, hash: hash), .archived(first: 8, last: .max, hash: hash),
            .requestSigned(key: other, try request()), .rotated(key: other),
            .digestSigned(key: key, digest: hash),
            .chainNamed(hash, try ChainName("a")),
            .chainUnnamed(hash, try ChainName(String(repeating: "z", count: 32))),
        ]
    }

    private static func request(_ path: String = "/v1/x?secret=1") throws -> RequestRecord {
        try RequestRecord(
            profile: SigningProfile(name: "basic"), method: HTTPMethod("GET"),
            url: RequestURL("https://example.com:8443\(path)"))
    }

    /// Twice as many actions as kinds: 1, 1, 2, 2, …
    private static func kinds(_ count: UInt64) -> SignedActions {
        SignedActions((2..<2 * count + 2).map { SignedActions.Kind(contract: 7, action: $0 / 2) })
    }

    private static func paying(_ count: Int, memo: String = "hello") throws -> SignedActions {
        let payment = SignedPayment(
            kind: .transfer, contract: try Name("eosio.token"), payer: try Name("alice"),
            recipient: try Name("bob"), quantity: try Asset("1.0000 EOS"), memo: memo)
        return SignedActions(
            [SignedActions.Kind(contract: 7, action: 8)], payments: Array(repeating: payment, count: count))
    }

    /// Payments as Python's `struct` packs them: `pack('<H', 1) + b'\x08transfer' + pack('<QQQqQ',
    /// eosio.token, alice, bob, 10000, 4 | EOS) + pack('<H', 5) + b'hello' + pack('<I', 0)`.
    private static let payment =
        "087472616e7366657200a6823403ea30550000000000855c340000000000000e3d"
        + "102700000000000004454f53000000000500" + "68656c6c6f"

    @Test func encodesPaymentsAsTheFormatDefines() throws {
        let event = AuditEvent.signed(
            key: try Self.key(), chain: [UInt8](repeating: 0xaa, count: 32),
            transaction: [UInt8](repeating: 0xbb, count: 32), actions: try Self.paying(1))
        let record = AuditRecord(sequence: 1, time: Self.time, event: event)
        #expect(
            try Hex.encode(record.body())
                == "011b00f1536500000000" + AuditVerifierTests.keyHex + String(repeating: "aa", count: 32)
                + String(repeating: "bb", count: 32) + "01" + "07000000000000000800000000000000" + "01000000"
                + "00000000" + "0100" + Self.payment + "00000000")
        #expect(record.event.kind == .signed)
    }

    /// A memo of eosio.token is stored whole. A longer one is cut between two characters.
    @Test(arguments: [(256, "a"), (257, "a"), (200, "é")])
    func cutsMemos(count: Int, character: String) throws {
        let memo = String(repeating: character, count: count)
        let kept = try #require(try Self.paying(1, memo: memo).payments.first).memo
        #expect(kept.utf8.count <= 256)
        #expect(
            memo.utf8.count <= 256 ? kept == memo : kept.hasSuffix("…") && memo.hasPrefix(kept.dropLast()))
        #expect(memo.utf8.count <= 256 || kept.utf8.count > 253)
    }

    @Test(arguments: [
        ("no payments", "0000", ""), ("257 payments", "0101", ""),
        ("others without 256 payments", "0100", "+"),
        ("an empty kind", "0874", "0074"), ("a kind with a space", "0874", "0820"),
        ("a token without a code", "04454f53", "04000000"), ("19 decimals", "04454f53", "13454f53"),
        ("a memo that is not UTF-8", "68656c", "ff656c"), ("a memo of 6 bytes", "0500", "0600"),
    ])
    func refusedPayments(crime: String, text: String, changed: String) throws {
        let start =
            Self.signed.replacing("0113", with: "011b", maxReplacements: 1) + "01" + Self.kind(1, 1)
            + "00000000"
        let intact = "0100" + Self.payment + "00000000"
        var payments = intact
        switch changed {
        case "": payments = text + intact.dropFirst(4)
        case "+": payments = intact.dropLast(8) + "01000000"
        default: payments = intact.replacing(text, with: changed)
        }
        #expect(payments != intact)
        let body = try Hex.decode(start + payments)
        #expect(throws: VaultError.integrity(.damaged(.row(.audit))), "\(crime)") {
            try AuditRecord(sequence: 1, body: body)
        }
        let whole = try Hex.decode(start + intact)
        #expect(throws: Never.self) { try AuditRecord(sequence: 1, body: whole) }
    }

    @Test func readsBackWhatWasWritten() throws {
        for event in try Self.events() {
            let record = AuditRecord(sequence: 5, time: Self.time, event: event)
            #expect(try AuditRecord(sequence: 5, body: record.body()) == record)
        }
        #expect(Set(try Self.events().map(\.kind)).count == 23)
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
        let event = AuditEvent.abiPinned(
            try PinnedABITests.contract(), hash: [UInt8](repeating: 0xbb, count: 32))
        let record = AuditRecord(sequence: 1, time: Self.time, event: event)
        #expect(
            try Hex.encode(record.body())
                == "011100f1536500000000" + String(repeating: "aa", count: 32) + "0b656f73696f2e746f6b656e"
                + String(repeating: "bb", count: 32))
    }

    /// Python: `bytes([1, 21]) + pack('<q', time) + name + b''.join(pack('<H', len(t)) + t for t in
    /// texts) + sha256(b'/v1/x').digest()`. The query is not recorded.
    @Test func encodesRequestsAsTheFormatDefines() throws {
        let event = AuditEvent.requestSigned(key: try #require(EntryName("credential:1")), try Self.request())
        let record = AuditRecord(sequence: 1, time: Self.time, event: event)
        #expect(
            try Hex.encode(record.body())
                == "011500f1536500000000" + "0c63726564656e7469616c3a31" + "05006261736963" + "0300474554"
                + "10006578616d706c652e636f6d3a38343433" + "05002f76312f78"
                + "24f8ea6ab084efab6ea1afbe877d7eb2fc3d4c86866a811d22e22376c5bc4b6b")
    }

    /// Python: `bytes([2, 2]) + pack('<qI', time, 1000) + b'\x05cleos' + b'\x01A'`; kind 200 has a
    /// payload that is not interpreted.
    @Test func encodesRequestersAsTheFormatDefines() throws {
        let requester = try #require(Requester(uid: 1000, program: "cleos"))
        let event = AuditEvent.created(key: try #require(EntryName("A")))
        let record = AuditRecord(sequence: 1, time: Self.time, event: event, requester: requester)
        #expect(
            try Hex.encode(record.body()) == "020200f1536500000000" + "e8030000" + "05636c656f73" + "0141")
        let later = try AuditRecord(
            sequence: 1, body: Hex.decode("02c800f1536500000000" + "e8030000" + "05636c656f73" + "ffff"))
        #expect(later.requester == requester && later.event == .other(kind: 200))
        for hex in ["0202", "0302"].map({ $0 + "00f1536500000000" + "e8030000" }) {
            for program in ["00" + "0141", "01ff" + "0141", "05636c65", ""] {
                #expect(throws: VaultError.integrity(.damaged(.row(.audit))), "\(hex)\(program)") {
                    try AuditRecord(sequence: 1, body: Hex.decode(hex + program))
                }
            }
        }
        #expect(Requester(uid: 0, program: "") == nil)
        #expect(Requester(uid: 0, program: String(repeating: "a", count: 256)) == nil)
        #expect(Requester(uid: 0, program: String(repeating: "a", count: 255)) != nil)
    }

    @Test func limitsTheRecordedPath() throws {
        let long = try Self.request("/" + String(repeating: "a", count: 500))
        #expect(long.path.utf8.count == 200 && !long.isPathWhole)
        #expect(try Self.request("/" + String(repeating: "a", count: 199)).isPathWhole)
    }

    @Test(
        arguments: [
            ("a path of 201 bytes", "", 201), ("no path", "", 0),
            ("a space in the host", "01006201004701002001002f", nil),
            ("no profile", "0000010047010068" + "01002f", nil),
            ("a path without a slash", "010062010047010068" + "010078", nil),
        ] as [(String, String, Int?)])
    func refusedRequests(crime: String, hex: String, path: Int?) throws {
        let start = path.map {
            "010062010047010068" + Hex.encode([UInt8($0), 0]) + String(repeating: "2f", count: $0)
        }
        let body = try Hex.decode(
            "011500f1536500000000" + "0141" + (start ?? hex) + String(repeating: "aa", count: 32))
        #expect(throws: VaultError.integrity(.damaged(.row(.audit))), "\(crime)") {
            try AuditRecord(sequence: 1, body: body)
        }
    }

    /// Python: `bytes([1, 20]) + pack('<qqq', time, 1, 500) + bytes([0xbb] * 32)`.
    @Test func encodesArchivesAsTheFormatDefines() throws {
        let event = AuditEvent.archived(first: 1, last: 500, hash: [UInt8](repeating: 0xbb, count: 32))
        let record = AuditRecord(sequence: 1, time: Self.time, event: event)
        #expect(
            try Hex.encode(record.body())
                == "011400f1536500000000" + "0100000000000000" + "f401000000000000"
                + String(repeating: "bb", count: 32)
        )
        for numbers in ["0000000000000000" + "f401000000000000", "0200000000000000" + "0100000000000000"] {
            let body = try Hex.decode("011400f1536500000000" + numbers + String(repeating: "bb", count: 32))
            #expect(throws: VaultError.integrity(.damaged(.row(.audit)))) {
                try AuditRecord(sequence: 1, body: body)
            }
        }
    }

    /// Python: `bytes([1, 19]) + pack('<q', time) + key + bytes([0xaa] * 32) + bytes([0xbb] * 32) +
    /// b'\x02' + pack('<QQI', 0x5530ea033482a600, 0xcdcd3c2d57000000, 2) + pack('<QQI',
    /// 0x5530ea0000000000, 0x3ebd734800000000, 1) + pack('<I', 0)`. The names are eosio.token,
    /// transfer, eosio and buyram, as in a packed transaction.
    @Test func encodesActionsAsTheFormatDefines() throws {
        let transfer = SignedActions.Kind(contract: 0x5530ea033482a600, action: 0xcdcd3c2d57000000)
        let buyRAM = SignedActions.Kind(contract: 0x5530ea0000000000, action: 0x3ebd734800000000)
        let event = AuditEvent.signed(
            key: try Self.key(), chain: [UInt8](repeating: 0xaa, count: 32),
            transaction: [UInt8](repeating: 0xbb, count: 32),
            actions: SignedActions([transfer, buyRAM, transfer]))
        let record = AuditRecord(sequence: 1, time: Self.time, event: event)
        #expect(
            try Hex.encode(record.body())
                == "011300f1536500000000" + AuditVerifierTests.keyHex + String(repeating: "aa", count: 32)
                + String(repeating: "bb", count: 32)
                + "0200a6823403ea3055000000572d3ccdcd020000000000000000ea305500000000"
                + "4873bd3e0100000000000000")
    }

    /// Sixteen kinds are named, and the actions of the others are counted.
    @Test func limitsTheKindsOfActions() throws {
        let actions = Self.kinds(20)
        #expect(actions.counts.count == 16)
        #expect(actions.counts.allSatisfy { $0.count == 2 })
        #expect(actions.otherCount == 8)
        #expect(Self.kinds(16).otherCount == 0)
        let event = AuditEvent.signed(
            key: try #require(EntryName(String(repeating: "a", count: 128))),
            chain: [UInt8](repeating: 1, count: 32),
            transaction: [UInt8](repeating: 2, count: 32), actions: Self.kinds(1_000))
        #expect(try AuditRecord(sequence: 1, time: Self.time, event: event).body().count == 528)
    }

    private static let signed =
        "011300f1536500000000" + "0141" + String(repeating: "aa", count: 64)

    @Test(arguments: [
        ("17 kinds", "11" + (1...17).map { kind(UInt8($0), 1) }.joined() + "00000000"),
        ("no action of a kind", "01" + kind(1, 0) + "00000000"),
        ("a kind twice", "02" + kind(1, 1) + kind(1, 1) + "00000000"),
        ("others without 16 kinds", "01" + kind(1, 1) + "01000000"),
    ])
    func refusedActions(crime: String, hex: String) throws {
        let body = try Hex.decode(Self.signed + hex)
        #expect(throws: VaultError.integrity(.damaged(.row(.audit))), "\(crime)") {
            try AuditRecord(sequence: 1, body: body)
        }
        let intact = try Hex.decode(Self.signed + "01" + Self.kind(1, 1) + "00000000")
        #expect(try AuditRecord(sequence: 1, body: intact).event.key?.text == "A")
    }

    private static func kind(_ action: UInt8, _ count: UInt8) -> String {
        "0000000000000001" + Hex.encode([action]) + "00000000000000" + Hex.encode([count]) + "000000"
    }

    /// A record of a later version is kept, and its payload is not interpreted.
    @Test func keepsRecordsOfLaterKinds() throws {
        let body: [UInt8] = [1, 200, 0, 241, 83, 101, 0, 0, 0, 0, 1, 2, 3]
        #expect(
            try AuditRecord(sequence: 1, body: body)
                == AuditRecord(sequence: 1, time: Self.time, event: .other(kind: 200)))
        // Kind 19 belongs to this version: `other` can't be used with another payload for it.
        #expect(throws: VaultError.integrity(.damaged(.row(.audit)))) {
            try AuditRecord(sequence: 1, time: Self.time, event: .other(kind: 19)).body()
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
            .failedUnlocks(count: 0, first: 0, last: 0), .backedUp(generation: -1),
            .slotRemoved(number: 0, .other(1)),
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
