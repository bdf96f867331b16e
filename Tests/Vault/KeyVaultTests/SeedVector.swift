import Codecs
import JSON
import Keys
import SecureMemory
import Seeds
import TestSupport
import Testing

@testable import KeyVault

/// A seed of `Vectors/seeds`, with keys that other programs derived. The README there has their
/// sources.
struct SeedVector: Sendable, CustomTestStringConvertible {
    let id: String
    let form: StoredSeed.Form
    /// What a vault stores: the entropy of the words, or the BIP-32 seed.
    let secret: [UInt8]
    /// The public keys `EOS…`, by their paths.
    let keys: [String: String]

    var testDescription: String { id }
    /// The public key in the name of the seed.
    var firstKey: String { keys["m/44'/194'/0'/0/0"] ?? "" }

    /// Words of each length, without a passphrase.
    static func words() throws -> [SeedVector] {
        try ["random-1", "random-2", "random-13", "random-4", "random-5"].map { id in
            let row = try row(id, of: "random")
            let phrase = try SeedPhrase(
                words: SecureBytes(copyingPublic: #require(row["mnemonic"]?.string).utf8))
            return try SeedVector(
                id: id, form: .words, secret: phrase.entropy().copied(), keys: keys(row["keys"]?.array ?? []))
        }
    }

    /// The secret of SLIP-39 shares, which is a BIP-32 seed.
    static func masterSecret() throws -> SeedVector {
        let row = try row("set-1", of: "slip39-sets")
        return try SeedVector(
            id: "set-1", form: .masterSecret, secret: Hex.decode(#require(row["secret"]?.string)),
            keys: keys([row["key"]].compactMap(\.self)))
    }

    static func all() throws -> [SeedVector] { try words() + [masterSecret()] }

    private static func row(_ id: String, of file: String) throws -> JSONValue {
        let rows = try JSONValue.parse(repositoryFile("Vectors/seeds/\(file).json"))["tests"]?.array
        return try #require(rows?.first { $0["id"]?.string == id })
    }

    private static func keys(_ rows: [JSONValue]) throws -> [String: String] {
        var keys: [String: String] = [:]
        for row in rows {
            keys[try #require(row["path"]?.string)] = try #require(row["legacy_public_key"]?.string)
        }
        return keys
    }
}

extension SecureBytes {
    /// An unprotected copy for tests.
    borrowing func copied() -> [UInt8] { withBytes { span in (0..<span.byteCount).map { span[byte: $0] } } }
}

extension VaultFixture {
    /// Adds a seed with the label `family`, and returns its name.
    @discardableResult
    func insert(
        _ vector: SeedVector, next: UInt32 = 0, label: String = "family", origin: KeyOrigin = .imported
    ) throws -> EntryName {
        var name: EntryName?
        try change { transaction in
            name = try transaction.insert(
                StoredSeed(form: vector.form, next: next), secret: SecureBytes(copyingPublic: vector.secret),
                label: Label(label), createdAt: Self.time, origin: origin
            ).name
        }
        return try #require(name)
    }

    /// Derives the next key of a seed, and returns its path.
    @discardableResult
    func derive(_ seed: EntryName, label: String? = nil, in path: String? = nil) throws -> String {
        var made: EntryDescription?
        try Self.change(unlock(path)) { transaction in
            made = try transaction.deriveKey(
                from: seed, label: label.map { try Label($0) }, createdAt: Self.time)
        }
        let entry = try #require(made)
        let origin = try #require(entry.origin)
        #expect(origin.seed == seed)
        return "\(origin.path.text) \(entry.name.text)"
    }

    /// The index of the next key of a seed, verified.
    func next(of seed: EntryName, in path: String? = nil) throws -> UInt32 {
        try unlock(path).status(of: seed.text).entry.expectSeed().next
    }

    /// The secret that the vault lends for a seed.
    func secret(of seed: EntryName, in path: String? = nil, by pin: String = "correct horse") throws
        -> [UInt8]
    {
        var lent: [UInt8] = []
        try Self.change(open(path).unlock(Self.pin(pin))) { transaction in
            lent = try transaction.withSeed(transaction.entry(named: seed)) { _, secret throws(VaultError) in
                secret.copied()
            }
        }
        return lent
    }

    /// All columns of an entry's row, without a key.
    func row(_ name: EntryName) throws -> EntryRow {
        var row: EntryRow?
        try change { transaction in row = try transaction.row(named: name) }
        return try #require(row)
    }
}
