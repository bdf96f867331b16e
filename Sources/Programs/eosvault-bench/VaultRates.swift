import ArgumentParser
import CYardstick
import KeyVault
import Keys

/// Compares opening a vault of 1,000 keys with its PIN, at the lowest KDF cost, and lending one
/// key, with SQLite alone: it opens a file of 1,000 rows and selects one.
enum VaultRates {
    private static let keyCount = 1_000
    private static let time: Int64 = 1_700_000_000

    static func openAndLookUp(_ name: String) throws -> Rate? {
        let folder = try TemporaryFolder()
        let (path, rows) = (folder.path + "/vault.db", folder.path + "/rows.db")
        let method = try TemporaryFolder.method()
        let keys = try fill(folder.makeVault(createdAt: time))
        guard unsafe yardstick_make_rows(rows, keyCount) == 0 else { throw ExitCode.failure }
        let count = 10
        var next = 0
        return try Rate.compare(name, with: "SQLite in C: open, select", count: count) {
            for _ in 0..<count {
                next = (next + 7) % keyCount
                try Vault.open(path).unlock(method).withKey(keys[next]) { key throws(VaultError) in }
            }
        } yardstick: {
            for _ in 0..<count {
                next = (next + 7) % keyCount
                guard unsafe yardstick_look_up(rows, "key \(next)") == 72 else { throw ExitCode.failure }
            }
        }
    }

    private static func fill(_ vault: borrowing UnlockedVault) throws -> [PublicKey] {
        try vault.transaction { (transaction: inout VaultTransaction) throws(VaultError) in
            var keys: [PublicKey] = []
            for number in 0..<keyCount {
                let key: PrivateKey
                do { key = try PrivateKey.generate(.k1) } catch { throw .integrity(.entryDamaged(.key)) }
                try transaction.insert(key, label: nil, createdAt: time + Int64(number))
                keys.append(key.publicKey)
            }
            return keys
        }
    }
}
