import Curves
import KeyText
import SecureMemory

@testable import KeyVault

/// A change that is cut short in every way, and what may be found afterwards.
enum Deed: String, CaseIterable {
    case importing = "import of a key"
    /// More rows than SQLite's cache holds here: changed pages reach the file before the end, under a journal of several parts.
    case importingMany = "import of 24 keys at once"

    /// Does it to the vault at `path`, opening and unlocking it; when this returns, the change is acknowledged.
    func perform(at path: String) throws {
        let vault = try TrialVault.open(path).unlock(TrialVault.pin(TrialVault.oldPIN))
        switch self {
        case .importing:
            try vault.insert(TrialVault.key(100), label: Label("the new one"), createdAt: TrialVault.time)
        case .importingMany:
            try vault.vault.connection.run("PRAGMA cache_size = 1")
            try vault.transaction { transaction throws(VaultError) in
                for number in UInt8(101)...124 {
                    try transaction.insert(
                        TrialVault.key(number), label: Label("one of many \(number)"), createdAt: TrialVault.time)
                }
            }
        }
    }
}

/// A vault with the smallest derivation cost, and all that can be seen of it.
enum TrialVault {
    static let oldPIN = "the old passphrase"
    static let newPIN = "the new passphrase"
    static let time: Int64 = 1_700_000_000

    static func pin(_ text: String) throws(VaultError) -> PIN {
        let bytes: SecureBytes
        do { bytes = try SecureBytes(copyingPublic: text.utf8) } catch { throw .memory(error) }
        return try PIN(bytes)
    }

    static func cost() throws(VaultError) -> KDFCost { try KDFCost(passes: 1, memory: 8_192, insecure: true) }

    /// A K1 key whose scalar is `number`.
    static func key(_ number: UInt8) throws(VaultError) -> PrivateKey {
        do { return try PrivateKey(curve: .k1, scalar: SecureBytes(copyingPublic: [UInt8](repeating: 0, count: 31) + [number])) } catch {
            throw .pinEmpty
        }
    }

    static func open(_ path: String) throws(VaultError) -> Vault { try Vault.open(path, busyTimeout: 200) }

    /// A vault of three keys, two of them labelled.
    static func make(at path: String) throws {
        try Vault.create(at: path, pin: pin(oldPIN), cost: cost(), createdAt: time)
        let vault = try open(path).unlock(pin(oldPIN))
        try vault.insert(key(1), label: Label("the first"), createdAt: time)
        try vault.insert(key(2), label: nil, createdAt: time)
        try vault.insert(key(3), label: Label("the third"), createdAt: time)
    }

    /// Two vaults that look like this hold the same.
    struct Sight: Equatable {
        var pin: String
        var entries: [EntryDescription]
    }

    /// Opens, unlocks, verifies every row and opens every key's seal.
    static func look(at path: String) throws -> Sight {
        let vault = try open(path)
        do { return try look(into: vault.unlock(pin(newPIN)), used: newPIN) } catch VaultError.wrongPIN(damagedSlots: []) {
            return try look(into: vault.unlock(pin(oldPIN)), used: oldPIN)
        }
    }

    private static func look(into unlocked: consuming UnlockedVault, used: String) throws -> Sight {
        let entries = try unlocked.entries()
        let names = try entries.map { try PublicKey($0.name) }
        try unlocked.transaction { transaction throws(VaultError) in
            for name in names {
                try transaction.withKey(name) { key throws(VaultError) in
                    guard key.publicKey == name else { throw .entryDamaged(.key) }
                }
            }
        }
        return Sight(pin: used, entries: entries)
    }
}
