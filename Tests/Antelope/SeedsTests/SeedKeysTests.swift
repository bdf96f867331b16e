import Codecs
import Keys
import SecureMemory
import Testing

@testable import Seeds

struct SeedKeysTests {
    private static let published = SeedRow.all("bip32-vectors").filter(\.isValid)

    @Test func allVectorsAreRead() { #expect(Self.published.count == 17) }

    @Test(arguments: published)
    func publishedKey(_ row: SeedRow) throws {
        let keys = try SeedKeys(seed: bytes(hex: row["seed"]))
        let key = try keys.key(at: DerivationPath(try #require(row["path"])))
        let scalar = key.withScalar { scalar in (0..<scalar.byteCount).map { scalar[byte: $0] } }
        #expect(Hex.encode(scalar) == row["private_hex"])
        #expect(Hex.encode(key.publicKey.body) == row["public_hex"])
    }

    @Test(arguments: [0, 1, 15, 65, 100])
    func refusesSeed(_ count: Int) {
        #expect(seedError { _ = try SeedKeys(seed: SecureBytes(count: count)) } == .seedCount(count))
    }

    @Test(arguments: [16, 17, 32, 64])
    func acceptsSeed(_ count: Int) throws {
        _ = try SeedKeys(seed: SecureBytes(randomCount: count)).key(at: .eos(0))
    }

    // MARK: the search

    private static let row = SeedRow.all("paths")[0]

    private static func keys() throws -> SeedKeys { try SeedKeys(seed: bytes(hex: row["seed"])) }

    private static func publicKey(_ path: String) throws -> PublicKey {
        try keys().key(at: DerivationPath(path)).publicKey
    }

    @Test(arguments: [
        "m/44'/194'/0'/0/0", "m/44'/194'/0'/0/4", "m/44'/194'/2'/0/0", "m/44'/194'/0'/1/0",
        "m/44'/194'/0'/0/3'", "m/44'/194'", "m/48'/4'/0'/0'/0'", "m/48'/4'/1'/0'/0'",
    ])
    func findsAKey(_ path: String) throws {
        let key = try Self.publicKey(path)
        #expect(try Self.keys().paths(of: [key], count: 5) == [key: DerivationPath(path)])
    }

    @Test func findsSeveralKeys() throws {
        let paths = ["m/44'/194'/0'/0/1", "m/44'/194'", "m/48'/4'/1'/0'/0'"]
        let keys = try paths.map(Self.publicKey)
        let other = try PrivateKey.generate(.k1).publicKey
        let r1 = try PrivateKey.generate(.r1).publicKey
        var progress: [Int] = []
        let found = try Self.keys().paths(of: keys + [other, r1], count: 3) { progress.append($0) }
        #expect(found.count == 3)
        for (key, path) in zip(keys, paths) { #expect(found[key]?.text == path) }
        #expect(progress == Array(1...19))
    }

    @Test func triesOnlyTheGivenFamiliesAndIndices() throws {
        let third = try Self.publicKey("m/44'/194'/0'/0/3")
        let coin = try Self.publicKey("m/44'/194'")
        #expect(try Self.keys().paths(of: [third], count: 3).isEmpty)
        #expect(try Self.keys().paths(of: [third], count: 4).count == 1)
        #expect(try Self.keys().paths(of: [coin], among: [.standard], count: 4).isEmpty)
        #expect(try Self.keys().paths(of: [coin], count: 0).count == 1)
        #expect(try Self.keys().paths(of: [third], among: [], count: 4).isEmpty)
        #expect(try Self.keys().paths(of: [third], count: -1).isEmpty)
    }

    /// The search ends with the last key.
    @Test func stopsWhenAllAreFound() throws {
        let first = try Self.publicKey("m/44'/194'/0'/0/0")
        var progress: [Int] = []
        _ = try Self.keys().paths(of: [first], count: 1_000_000) { progress.append($0) }
        #expect(progress == [1])
        _ = try Self.keys().paths(of: [], count: 1_000_000) { progress.append($0) }
        #expect(progress == [1])
    }
}
