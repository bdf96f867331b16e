import Codecs
import TestSupport
import Testing
import Transactions

@testable import KeyVault

/// The names that a vault gives to chains are settings under the manifest.
struct NamedChainTests {
    private static let hex = String(repeating: "ab", count: 32)

    private static func chain(
        _ name: String = "devnet", _ hex: String = hex, at time: Int64 = VaultFixture.time
    ) throws -> NamedChain { try NamedChain(ChainID(hex: hex), ChainName(name), namedAt: time) }

    private static func fixture(_ chains: [NamedChain]) throws -> VaultFixture {
        let fixture = try VaultFixture()
        try fixture.createFilled(1)
        try fixture.change { transaction in for chain in chains { try transaction.name(chain) } }
        return fixture
    }

    private func verified(_ fixture: VaultFixture) throws -> [NamedChain] {
        try fixture.unlock().withoutRecord { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.namedChains()
        }
    }

    /// The bytes that VaultFormat.md defines, made with Python:
    /// `b'\x01' + pack('<q', time) + name`.
    @Test func encodesAsTheFormatDefines() throws {
        let row = try Self.chain().setting
        #expect(row.rowName == "chain:" + Self.hex)
        #expect(Hex.encode(row.value) == "0100f1536500000000" + "6465766e6574")
    }

    @Test func namesAreReadVerifiedAndUnverified() throws {
        let other = try Self.chain("a-1", String(repeating: "00", count: 32))
        let fixture = try Self.fixture([try Self.chain(), other])
        #expect(try verified(fixture) == [other, Self.chain()])
        #expect(try fixture.open().unverifiedNamedChains() == [other, Self.chain()])
        try fixture.change { transaction in try transaction.name(Self.chain("devnet2", at: 5)) }
        #expect(try verified(fixture) == [other, Self.chain("devnet2", at: 5)])
        try fixture.change { transaction in try transaction.removeName(of: other.id) }
        #expect(try verified(fixture) == [Self.chain("devnet2", at: 5)])
        let events = try VaultFixture.events(of: fixture.unlock()).suffix(2)
        #expect(
            try Array(events) == [
                .chainNamed(Self.chain().id.bytes, ChainName("devnet2")),
                .chainUnnamed(other.id.bytes, other.name),
            ])
        #expect(try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).faults == [])
    }

    @Test func namesThatLookAlikeAreRefused() throws {
        let fixture = try Self.fixture([try Self.chain()])
        let other = String(repeating: "00", count: 32)
        for name in ["devnet", "dev-net", "devnet-mainnet"] {
            let error = vaultError {
                try fixture.change { transaction in try transaction.name(Self.chain(name, other)) }
            }
            #expect(error == .input(.chainName(.taken("devnet"))), "\(name)")
        }
        let eos = try #require(Chain.all.first).id
        #expect(
            vaultError { try fixture.change { transaction in try transaction.name(Self.chain("x", eos)) } }
                == .input(.chainName(.named("eos"))))
        #expect(
            vaultError {
                try fixture.change { transaction in try transaction.removeName(of: ChainID(hex: other)) }
            } == .input(.noSuchChainName))
        #expect(try verified(fixture) == [Self.chain()])
    }

    @Test(arguments: [
        ("eos", "eos"), ("e0s", "eos"), ("eos-mainnet", "eos"), ("te1os", "telos"),
        ("wax-test-net", "wax-testnet"),
        ("jungle", "jungle"), ("xpr-network", "xpr"), ("eos1", "eos"), ("mainnet", "mainnet"),
        ("vaulta-eos", "Vaulta (EOS)"),
    ])
    func builtInNamesAreRefused(name: String, builtIn: String) {
        #expect(vaultError { _ = try ChainName(name) } == .input(.chainName(.builtIn(builtIn))))
    }

    @Test(arguments: [
        "", "A", "1a", "-a", "a-", "a--b", "a b", "a.b", "é", "аbc", String(repeating: "a", count: 33),
        "abcdefabcdefa",
    ])
    func otherFormsAreRefused(name: String) {
        #expect(vaultError { _ = try ChainName(name) } == .input(.chainName(.form)))
        #expect(ChainName(stored: name) == nil)
    }

    @Test(arguments: ["a", "a1", "my-chain-2", "cafe", String(repeating: "z", count: 32), "eosio"])
    func goodNames(name: String) throws { #expect(try ChainName(name).text == name) }

    /// The values that no writer produces are damage, and the vault names no chain.
    @Test(arguments: [
        "00f1536500000000", "0200f15365000000006465766e6574", "01ffffffffffffffff6465766e6574",
        "0100f1536500000000", "0100f1536500000000ff", "0100f153650000000044", "",
    ])
    func refusesMalformedValues(value: String) throws {
        let fixture = try Self.fixture([])
        try fixture.change { transaction in try transaction.set("chain:" + Self.hex, to: Hex.decode(value)) }
        #expect(
            vaultError { _ = try fixture.open().unverifiedNamedChains() }
                == .integrity(.damaged(.row(.settings))))
        #expect(vaultError { _ = try verified(fixture) } == .integrity(.damaged(.row(.settings))))
        #expect(try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).faults == [.row(.settings)])
    }

    @Test func twoChainsWithOneNameAreDamage() throws {
        let fixture = try Self.fixture([try Self.chain()])
        try fixture.change { transaction in
            try transaction.set("chain:" + String(repeating: "00", count: 32), to: Self.chain().setting.value)
        }
        #expect(vaultError { _ = try verified(fixture) } == .integrity(.damaged(.row(.settings))))
    }

    /// Settings with other names are kept and not interpreted.
    @Test(arguments: [
        "chain:", "chain:ab", "chain:" + hex.uppercased(), "chains:" + hex, "chain:" + hex + "0",
    ])
    func otherSettingsAreKept(name: String) throws {
        let fixture = try Self.fixture([])
        try fixture.change { transaction in try transaction.set(name, to: [9]) }
        #expect(try verified(fixture) == [])
        #expect(try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).faults == [])
    }

    @Test func theNumberOfNamesIsLimited() throws {
        let fixture = try Self.fixture([])
        func number(_ index: Int) throws -> NamedChain {
            try Self.chain(
                "n\(index)",
                Hex.encode([UInt8](repeating: 0, count: 30) + [UInt8(index >> 8), UInt8(index & 255)]))
        }
        try fixture.change { transaction in for index in 0..<256 { try transaction.name(number(index)) } }
        #expect(
            vaultError { try fixture.change { transaction in try transaction.name(number(256)) } }
                == .input(.chainName(.full(maximum: 256))))
        #expect(try verified(fixture).count == 256)
    }
}
