import Codecs
import TestSupport
import Testing

@testable import KeyVault

/// Pinned ABIs are rows under the manifest, like entries.
struct PinnedABITests {
    static let chain = [UInt8](repeating: 0xaa, count: 32)
    static let otherChain = [UInt8](repeating: 0xbb, count: 32)

    static func contract(_ account: String = "eosio.token", _ chain: [UInt8] = chain) throws
        -> ContractAddress
    {
        try #require(ContractAddress(chain: chain, account: account))
    }

    static func abi(
        _ account: String = "eosio.token", _ raw: [UInt8] = [1, 2, 3], _ chain: [UInt8] = chain
    ) throws -> PinnedABI {
        try PinnedABI(contract(account, chain), raw: raw, pinnedAt: VaultFixture.time)
    }

    /// A vault with one key and these pinned ABIs.
    static func fixture(_ abis: [PinnedABI]) throws -> VaultFixture {
        let fixture = try VaultFixture()
        try fixture.createFilled(1)
        try fixture.change { transaction in for abi in abis { try transaction.pin(abi) } }
        return fixture
    }

    private func verified(_ fixture: VaultFixture, of chain: [UInt8]? = nil) throws -> [PinnedABI] {
        try fixture.unlock().withoutRecord { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.pinnedABIs(of: chain)
        }
    }

    // MARK: the row

    /// The bytes that VaultFormat.md defines, made with Python: `b'\x01' + pack('<q', time) + raw`.
    @Test func encodesAsTheFormatDefines() throws {
        let abi = try Self.abi()
        #expect(abi.rowName == String(repeating: "aa", count: 32) + ":eosio.token")
        #expect(Hex.encode(abi.value) == "0100f1536500000000" + "010203")
        #expect(try PinnedABI.read(name: abi.rowName, value: abi.value) == abi)
        // sha256sum of the bytes 1, 2, 3
        #expect(Hex.encode(abi.hash) == "039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81")
    }

    @Test func refusesMalformedValues() throws {
        let abi = try Self.abi()
        let later = [2] + abi.value.dropFirst()
        let time = [1] + [UInt8](repeating: 0xff, count: 8) + [1]
        let long = abi.value.prefix(9) + [UInt8](repeating: 0, count: PinnedABI.maximumSize + 1)
        for value in [[], [1], Array(abi.value.prefix(9)), later, time, Array(long)] {
            #expect(throws: VaultError.integrity(.damaged(.row(.abis)))) {
                try PinnedABI.read(name: abi.rowName, value: value)
            }
        }
        #expect(try PinnedABI.read(name: abi.rowName, value: Array(long.dropLast())) != nil)
    }

    /// Other names are not interpreted, whatever their value is.
    @Test func ignoresOtherNames() throws {
        let hex = String(repeating: "aa", count: 32)
        let names = [
            "", "rule", hex, hex + ":", ":eosio", hex + ":eosio:", hex.uppercased() + ":eosio",
            hex + ":EOSIO",
            hex + ":eosio.", hex + ":a.b.c.d.e.f.gk", hex.dropLast(2) + ":eosio", hex + ":eosio6",
            hex + ":abcdefghijklmn", hex + ":abcdefghijklk",
        ]
        for name in names { #expect(try PinnedABI.read(name: name, value: [7]) == nil) }
        for name in ["a", "1", ".a", "abcdefghijklj", "a.b.c.d.e.f.g"] {
            #expect(ContractAddress(rowName: hex + ":" + name)?.account == name)
        }
    }

    @Test func limitsTheSizeAndTheTime() throws {
        let error = VaultError.input(.tooLarge(.pinnedABI, maximum: 1 << 20))
        #expect(throws: error) { try Self.abi("a", []) }
        #expect(throws: error) { try Self.abi("a", [UInt8](repeating: 0, count: (1 << 20) + 1)) }
        #expect(throws: VaultError.machine(.timeOutOfRange)) {
            try PinnedABI(Self.contract(), raw: [1], pinnedAt: -1)
        }
    }

    // MARK: changes

    @Test func pinsReplacesAndUnpins() throws {
        let (first, other) = (try Self.abi(), try Self.abi("mytoken", [9], Self.otherChain))
        let fixture = try Self.fixture([first, other])
        #expect(
            try Set(fixture.open().unverifiedPinnedABIs().map(\.contract)) == [
                first.contract, other.contract,
            ])
        #expect(try verified(fixture) == fixture.open().unverifiedPinnedABIs())
        #expect(try verified(fixture, of: Self.chain) == [first])
        #expect(try fixture.open().unverifiedPinnedABIs(of: Self.otherChain) == [other])

        // The same bytes again are no change: the time and the log stay.
        let again = try PinnedABI(first.contract, raw: first.raw, pinnedAt: VaultFixture.time + 1)
        let newer = try Self.abi("eosio.token", [4, 5])
        try fixture.change { transaction in
            try transaction.pin(again)
            #expect(try transaction.pinnedABI(for: first.contract) == first)
            try transaction.pin(newer)
            #expect(try transaction.pinnedABI(for: first.contract) == newer)
            #expect(try transaction.pinnedABI(for: Self.contract("absent")) == nil)
        }
        #expect(try verified(fixture, of: Self.chain) == [newer])
        try fixture.change { try $0.unpin(newer.contract) }
        #expect(try verified(fixture) == [other])
        let events = try VaultFixture.events(of: fixture.unlock())
        #expect(
            events.suffix(4) == [
                .abiPinned(first.contract, hash: first.hash), .abiPinned(other.contract, hash: other.hash),
                .abiPinned(newer.contract, hash: newer.hash), .abiUnpinned(newer.contract, hash: newer.hash),
            ])
        #expect(try fixture.lend(1) == 1)
    }

    @Test func refusesToUnpinNothing() throws {
        let fixture = try Self.fixture([])
        #expect(throws: VaultError.input(.noPinnedABI)) {
            try fixture.change { try $0.unpin(Self.contract()) }
        }
    }

    private static let full = VaultError.input(.pinnedABIsFull(count: 1_024, size: 32 << 20))

    /// Adds ABIs without reading those that are pinned already.
    private static func add(_ abis: [PinnedABI], to fixture: VaultFixture) throws {
        try fixture.change { transaction in
            try transaction.write { (transaction: inout VaultTransaction) throws(VaultError) in
                for abi in abis { try transaction.buckets.add(abi) }
            }
        }
    }

    @Test func limitsTheNumber() throws {
        let letters = "abcdefghijklmnopqrstuvwxyz12345.".map(String.init)
        let unique = Set((0..<1_024).map { letters[$0 / 32] + letters[$0 % 32] + "a" })
        #expect(unique.count == 1_024)
        let fixture = try Self.fixture([])
        try Self.add(unique.map { try Self.abi($0, [1]) }, to: fixture)
        #expect(throws: Self.full) { try fixture.change { try $0.pin(Self.abi("z", [1])) } }
        // Another ABI in place of a pinned one is no more.
        let one = try #require(unique.first)
        try fixture.change { try $0.pin(Self.abi(one, [2])) }
        #expect(try verified(fixture).count == 1_024)
    }

    @Test func limitsTheSizeOfAll() throws {
        let large = [UInt8](repeating: 1, count: PinnedABI.maximumSize)
        let names = (0..<32).map {
            "a" + String(repeating: "b", count: $0 % 6) + String(repeating: "c", count: $0 / 6)
        }
        let fixture = try Self.fixture([])
        try Self.add(names.map { try Self.abi($0, large) }, to: fixture)
        #expect(throws: Self.full) { try fixture.change { try $0.pin(Self.abi("z", [1])) } }
    }

    // MARK: attacks

    @Test(arguments: [
        "UPDATE abis SET value = x'0100f153650000000007'", "DELETE FROM abis",
        "UPDATE abis SET name = name || 'x'",
    ])
    func findsAnotherProgramsChange(sql: String) throws {
        let fixture = try Self.fixture([Self.abi()])
        try fixture.tamper(sql)
        let bucket = VaultTable.abis.bucket(of: try Self.abi().rowName)
        let mismatch = VaultError.integrity(.manifestMismatch(.bucket(.abis, bucket)))
        #expect(throws: mismatch) {
            do { _ = try verified(fixture) } catch VaultError.integrity(.damaged(.row(.abis))) {
                throw mismatch
            }
        }
        #expect(throws: VaultError.self) { try fixture.change { try $0.pin(Self.abi("eosio.token", [8])) } }
    }

    /// Rows that no writer makes are refused before the PIN too.
    @Test func refusesMalformedRows() throws {
        let damaged = VaultError.integrity(.damaged(.row(.abis)))
        for sql in ["UPDATE abis SET bucket = bucket + 1", "UPDATE abis SET value = x'02'"] {
            let fixture = try Self.fixture([Self.abi()])
            try fixture.tamper(sql)
            #expect(throws: damaged) { try fixture.open().unverifiedPinnedABIs() }
        }
    }

    /// A row of a later version is verified and kept, and not interpreted.
    @Test func keepsOtherRows() throws {
        let fixture = try Self.fixture([Self.abi()])
        try Self.addOtherRow(to: fixture)
        #expect(try verified(fixture) == [Self.abi()])
        #expect(try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).faults.isEmpty)
        try fixture.change { try $0.pin(Self.abi("later", [1])) }
        #expect(try fixture.open().connection.integer("SELECT count(bucket) FROM abis") == 3)
    }

    /// Adds a row with another name, as a later version would.
    static func addOtherRow(to fixture: VaultFixture) throws {
        try fixture.change { transaction in
            let leaf = Manifest.Leaf(of: "rule", in: .abis)
            try transaction.buckets.load(leaf)
            try transaction.write { (transaction: inout VaultTransaction) throws(VaultError) in
                try transaction.connection.run(
                    "INSERT INTO abis VALUES (?1, 'rule', x'07')", [.integer(Int64(leaf.bucket))])
                try transaction.add("rule", leaf) { encoder in
                    encoder.beginRow(columnCount: 3)
                    encoder.append(integer: Int64(leaf.bucket))
                    encoder.append(text: "rule".utf8)
                    encoder.append(blob: [7])
                }
            }
        }
    }
}
