import Keys
import SecureMemory

@testable import KeyVault

/// A change to a vault that the tests interrupt at every point.
enum VaultOperation: String, CaseIterable {
    case importing = "import of a key"
    /// More rows than SQLite's cache contains here: SQLite writes changed pages to the file before
    /// the commit, with a journal of several parts.
    case importingMany = "import of 24 keys at once"
    case changingPIN = "PIN change"
    case removing = "removal of a key"
    case signing = "signature"
    /// As an agent signs: the journal stays after the change.
    case signingAgain = "signature with a kept journal"
    /// Every row is written again, under the same PIN.
    case rekeying = "new master key"

    /// Opens and unlocks the vault at `path` and makes the change. It is acknowledged when this
    /// returns.
    func perform(at path: String) throws {
        let vault = try TrialVault.open(path).unlock(TrialVault.pin(TrialVault.oldPIN))
        if self == .importingMany { try vault.vault.connection.run("PRAGMA cache_size = 1") }
        if self == .signingAgain { try vault.vault.keepJournal(true) }
        let pin = self == .changingPIN ? TrialVault.newPIN : TrialVault.oldPIN
        let secret = try SlotSecret(of: UnlockMethod.pin(TrialVault.pin(pin)), cost: TrialVault.cost())
        try vault.transaction { transaction throws(VaultError) in
            switch self {
            case .importing: try Self.insert(100, into: &transaction)
            case .importingMany:
                for number in UInt8(101)...124 { try Self.insert(number, into: &transaction) }
            case .changingPIN: try transaction.replaceOpenedSlot(by: secret)
            case .removing:
                try transaction.remove(EntryName(TrialVault.key(3).publicKey), neverBackedUp: true)
            case .signing, .signingAgain: try Self.sign(in: &transaction)
            case .rekeying: try transaction.rekey(under: secret)
            }
        }
    }

    private static func insert(_ number: UInt8, into transaction: inout VaultTransaction) throws(VaultError) {
        try transaction.insert(
            TrialVault.key(number), label: Label("the new \(number)"), createdAt: TrialVault.time,
            origin: .imported)
    }

    /// Changes the file as a signature does: lends the key and records its use.
    private static func sign(in transaction: inout VaultTransaction) throws(VaultError) {
        let entry = try transaction.entry(named: EntryName(TrialVault.key(1).publicKey))
        try transaction.withKey(entry) { key throws(VaultError) in
            guard EntryName(key.publicKey) == entry.description.name else {
                throw .integrity(.entryDamaged(.key))
            }
        }
        let digest = [UInt8](repeating: 7, count: 32)
        try transaction.record(.signed(key: entry.description.name, chain: digest, transaction: digest))
    }
}
