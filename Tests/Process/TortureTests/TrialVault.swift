import Keys
import SecureMemory
import Testing

@testable import KeyVault

/// A vault with the lowest KDF cost, and a snapshot of its content.
enum TrialVault {
    static let oldPIN = "the old passphrase"
    static let newPIN = "the new passphrase"
    static let time: Int64 = 1_700_000_000

    static func pin(_ text: String) throws(VaultError) -> PIN {
        let bytes: SecureBytes
        do { bytes = try SecureBytes(copyingPublic: text.utf8) } catch { throw .machine(.memory(error)) }
        return try PIN(bytes)
    }

    static func cost() throws(VaultError) -> KDFCost { try KDFCost(passes: 1, memory: 8_192, insecure: true) }

    /// A K1 key whose scalar is `number`.
    static func key(_ number: UInt8) throws(VaultError) -> PrivateKey {
        do {
            return try PrivateKey(
                curve: .k1, scalar: SecureBytes(copyingPublic: [UInt8](repeating: 0, count: 31) + [number]))
        } catch {
            Issue.record(error)
            throw .integrity(.entryDamaged(.key))
        }
    }

    static func open(_ path: String) throws(VaultError) -> Vault {
        try Vault.open(path, busyTimeout: 200, clock: VaultClock(now: { time }, wait: { _ in }))
    }

    /// A vault of three keys, two of them labelled.
    static func make(at path: String) throws {
        try Vault.create(at: path, pin: pin(oldPIN), cost: cost(), createdAt: time)
        let vault = try open(path).unlock(pin(oldPIN))
        try vault.insert(key(1), label: Label("the first"), createdAt: time)
        try vault.insert(key(2), label: nil, createdAt: time)
        try vault.insert(key(3), label: Label("the third"), createdAt: time)
    }

    /// The content of a vault. Vaults with equal snapshots have the same content.
    struct Snapshot: Equatable {
        var pin: String
        var entries: [EntryDescription]
        /// The audit log without failed unlocks.
        var events: [AuditEvent]
    }

    /// Opens and unlocks the vault, verifies every row, decrypts every key and reads the audit log.
    /// Changes nothing in the vault.
    static func snapshot(at path: String) throws -> Snapshot {
        let used = try opens(path, newPIN) ? newPIN : oldPIN
        return try snapshot(at: path, with: used)
    }

    static func snapshot(at path: String, with used: String) throws -> Snapshot {
        try snapshot(of: open(path).unlock(pin(used)), used: used)
    }

    /// Whether the PIN unlocks the vault; a wrong PIN is not counted.
    private static func opens(_ path: String, _ text: String) throws -> Bool {
        let vault = try open(path)
        let slots = try slots(of: vault)
        do throws(VaultError) { _ = try slots.open(UnlockMethod.pin(pin(text))) } catch {
            guard error == .input(.wrongUnlockMethod(.pin, damagedSlots: [])) else { throw error }
            return false
        }
        return true
    }

    private static func slots(of vault: Vault) throws(VaultError) -> SlotTable {
        try vault.read { () throws(VaultError) in try SlotTable(in: vault.connection) }
    }

    private static func snapshot(of unlocked: consuming UnlockedVault, used: String) throws -> Snapshot {
        let entries = try unlocked.entries()
        var events: [AuditEvent] = []
        try unlocked.withoutRecord { transaction throws(VaultError) in
            for entry in entries where entry.kind == .credential {
                try transaction.withSecret(of: transaction.entry(named: entry.name)) { _ throws(VaultError) in
                }
            }
            for entry in entries where entry.isKey {
                try transaction.withKey(transaction.entry(named: entry.name)) { key throws(VaultError) in
                    guard EntryName(key.publicKey) == entry.name else {
                        throw .integrity(.entryDamaged(.key))
                    }
                }
            }
            let log = try AuditLog(in: transaction.connection, transaction.manifest, transaction.auditKeys())
            try log.walk { record throws(VaultError) in
                if case .failedUnlocks = record.event { return }
                events.append(record.event)
            }
        }
        return Snapshot(pin: used, entries: entries, events: events)
    }
}
