import Keys
import Testing

@testable import KeyVault

/// The seal of one entry alone, as seen by someone who has the keys. In a vault, the manifest would
/// refuse these rows before.
struct EntryTests {
    private static let vaultID = [UInt8](repeating: 7, count: 16)

    private func row(
        _ name: UInt8, kind: EntryKind = .privateKey(.k1), label: String? = "a", generation: Int64 = 5
    )
        throws -> EntryRow
    {
        EntryRow(
            name: try VaultFixture.name(name), kind: kind, label: try label.map { try Label($0) },
            createdAt: 1,
            generation: generation)
    }

    private func context(_ keys: VaultKeys, vaultID: [UInt8] = Self.vaultID) -> SealContext {
        SealContext(vaultID: vaultID, keys: keys)
    }

    private func error(_ row: EntryRow, _ keys: VaultKeys, vaultID: [UInt8] = Self.vaultID) -> VaultError? {
        vaultError { _ = try row.openKey(context(keys, vaultID: vaultID)) }
    }

    @Test func opensWhatWasSealed() throws {
        let keys = try VaultKeys(master: Sodium.randomKey())
        var row = try row(1)
        try VaultFixture.key(1).withScalar { try row.seal($0, context(keys), generation: 7) }
        #expect(row.sealing == 7)
        #expect(row.sealed.count == 48)
        #expect(try row.openKey(context(keys)).publicKey == VaultFixture.publicKey(1))
        let first = (row.nonce, row.sealed)
        try VaultFixture.key(1).withScalar { try row.seal($0, context(keys), generation: 7) }
        #expect(row.nonce != first.0 && row.sealed != first.1)
    }

    @Test func isBoundToEveryColumnAndTheVault() throws {
        let keys = try VaultKeys(master: Sodium.randomKey())
        var sealed = try row(1)
        try VaultFixture.key(1).withScalar { try sealed.seal($0, context(keys), generation: 7) }
        let others = [
            try row(2), try row(1, kind: .privateKey(.r1)), try row(1, label: nil), try row(1, label: "b"),
            try row(1, generation: 6),
        ]
        for var other in others {
            (other.details, other.nonce, other.sealed) = (sealed.details, sealed.nonce, sealed.sealed)
            #expect(error(other, keys) == .integrity(.entryDamaged(.seal)))
        }
        #expect(
            error(sealed, keys, vaultID: [UInt8](repeating: 8, count: 16)) == .integrity(.entryDamaged(.seal))
        )
        // Another generation of the sealing, and none.
        for details in [[8, 0, 0, 0, 0, 0, 0, 0], []] as [[UInt8]] {
            var other = sealed
            other.details = details
            #expect(error(other, keys) == .integrity(.entryDamaged(.seal)))
        }
        #expect(error(sealed, try VaultKeys(master: Sodium.randomKey())) == .integrity(.entryDamaged(.seal)))
        for length in [0, 15, 16, 47] {
            var cut = sealed
            cut.sealed = Array(sealed.sealed.prefix(length))
            #expect(error(cut, keys) == .integrity(.entryDamaged(.seal)))
        }
    }

    @Test func refusesAnotherKeyUnderThisName() throws {
        let keys = try VaultKeys(master: Sodium.randomKey())
        var row = try row(1)
        try VaultFixture.key(2).withScalar { try row.seal($0, context(keys), generation: 7) }
        #expect(error(row, keys) == .integrity(.entryDamaged(.key)))
    }

    @Test func doesNotOpenALaterKind() throws {
        let keys = try VaultKeys(master: Sodium.randomKey())
        var row = try row(1, kind: .other(77))
        try VaultFixture.key(1).withScalar { try row.seal($0, context(keys), generation: 7) }
        #expect(error(row, keys) == .input(.unsupportedKind(77)))
    }
}
