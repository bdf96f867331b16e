import Keys

@testable import KeyVault

extension VaultFixture {
    /// The name of the entry of a key; see `publicKey`.
    static func name(_ number: UInt8, _ curve: Curve = .k1) throws -> EntryName {
        EntryName(try publicKey(number, curve))
    }
}

/// Keys by their public keys.
extension VaultTransaction {
    func entry(_ key: PublicKey) throws(VaultError) -> EntryDescription {
        try entry(named: EntryName(key)).description
    }

    func isBackedUp(_ key: PublicKey) throws(VaultError) -> Bool {
        try row(named: EntryName(key)).isHeld(by: buckets.lastBackup())
    }

    @discardableResult
    mutating func rename(_ key: PublicKey, to label: Label?) throws(VaultError) -> EntryDescription {
        try rename(EntryName(key), to: label)
    }

    mutating func remove(_ key: PublicKey, neverBackedUp: Bool = false) throws(VaultError) {
        try remove(EntryName(key), neverBackedUp: neverBackedUp)
    }

    func withKey<Result, Failure: VaultFailure>(
        _ key: PublicKey, _ body: (borrowing PrivateKey) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let entry: VerifiedEntry
        do { entry = try self.entry(named: EntryName(key)) } catch { throw Failure(vault: error) }
        return try withKey(entry, body)
    }
}
