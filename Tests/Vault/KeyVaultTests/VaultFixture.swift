import CSQLite
import Files
import Glibc
import Keys
import SecureMemory
import TestSupport
import Testing

@testable import KeyVault

/// A separate folder for one test, removed at its end, and vaults in it with the smallest
/// derivation cost.
final class VaultFixture {
    private let temporary: TemporaryFolder
    var folder: String { temporary.path }
    var path: String { folder + "/vault.db" }
    static let time: Int64 = 1_700_000_000

    init() throws {
        temporary = try TemporaryFolder()
    }

    /// The names in the folder, sorted.
    func names() -> [String] { Files.names(in: folder) }

    static func pin(_ text: String = "correct horse") throws -> PIN {
        try PIN(SecureBytes(copyingPublic: text.utf8))
    }

    static func cost() throws -> KDFCost { try KDFCost(passes: 1, memory: 8_192, insecure: true) }

    func create(_ path: String? = nil) throws {
        try Vault.create(at: path ?? self.path, pin: Self.pin(), cost: Self.cost(), createdAt: Self.time)
    }

    static func secret(_ pin: String = "correct horse") throws -> SlotSecret {
        try SlotSecret(of: UnlockMethod.pin(Self.pin(pin)), cost: cost())
    }

    /// This machine's clock, without waits.
    static var clock: VaultClock { VaultClock(now: VaultClock.system.now, wait: { _ in }) }

    func open(_ path: String? = nil) throws -> Vault {
        try Vault.open(path ?? self.path, busyTimeout: 200, clock: Self.clock)
    }

    func unlock(_ path: String? = nil) throws -> UnlockedVault { try open(path).unlock(Self.pin()) }

    /// A K1 key whose scalar is `number`.
    static func key(_ number: UInt8, _ curve: Curve = .k1) throws -> PrivateKey {
        try PrivateKey(
            curve: curve, scalar: SecureBytes(copyingPublic: [UInt8](repeating: 0, count: 31) + [number]))
    }

    static func publicKey(_ number: UInt8, _ curve: Curve = .k1) throws -> PublicKey {
        try key(number, curve).publicKey
    }

    /// A vault with the keys 1 to `count`, labelled "key 1" and so on.
    func createFilled(_ count: UInt8 = 3, path: String? = nil) throws {
        try create(path)
        let vault = try unlock(path)
        for number in 1...count {
            try vault.insert(
                Self.key(number), label: Label("key \(number)"), createdAt: Self.time + Int64(number))
        }
    }

    /// The last byte of the scalar that the vault lends for the key of this number. It equals the
    /// number if the key is correct.
    static func lend(_ number: UInt8, of vault: borrowing UnlockedVault) throws -> UInt8 {
        try vault.withKey(publicKey(number)) { key throws(VaultError) in key.withScalar { $0[byte: 31] } }
    }

    func lend(_ number: UInt8) throws -> UInt8 { try Self.lend(number, of: unlock()) }

    /// A transaction whose body may throw any error, as `#expect(try …)` requires.
    func change(by pin: String = "correct horse", _ body: (inout VaultTransaction) throws -> Void) throws {
        try Self.change(open().unlock(Self.pin(pin)), body)
    }

    static func change(_ vault: borrowing UnlockedVault, _ body: (inout VaultTransaction) throws -> Void)
        throws
    {
        try vault.transaction { (transaction: inout VaultTransaction) throws(VaultError) in
            do { try body(&transaction) } catch let error as VaultError { throw error } catch {
                Issue.record(error)
                throw .machine(.sqlite(code: 0))
            }
        }
    }

    /// The verified events of the audit log.
    static func events(of vault: borrowing UnlockedVault) throws -> [AuditEvent] {
        var events: [AuditEvent] = []
        try change(vault) { transaction in
            try AuditLog(in: transaction.connection, transaction.manifest, transaction.auditKeys()).walk {
                record throws(VaultError) in
                events.append(record.event)
            }
        }
        return events
    }

    // MARK: rescue

    /// Rescues the vault, or the file at `path`, into rescued.db.
    func rescue(_ path: String? = nil, pin: String = "correct horse", witness: Witness? = nil) throws
        -> RescueReport
    {
        try Vault.rescue(
            path ?? self.path, to: folder + "/rescued.db", with: UnlockMethod.pin(Self.pin(pin)),
            witness: witness,
            clock: Self.clock)
    }

    /// The sealed secret of each entry, by its name.
    func sealed() throws -> [String: [UInt8]] {
        var sealed: [String: [UInt8]] = [:]
        try open().connection.query("SELECT name, sealed FROM entries") { row throws(VaultError) in
            sealed[row.text(0) ?? ""] = row.blob(1)
        }
        return sealed
    }

    /// The number of a table's first page, from 1.
    func rootPage(_ table: String) throws -> Int {
        Int(
            try open().connection.integer(
                "SELECT rootpage FROM sqlite_schema WHERE name = ?1", [.text(table)]) ?? 0)
    }

    /// The numbers, from 0, of the pages that contain only digests of the manifest.
    func digestPages() throws -> Set<Int> {
        let whole = try Self.bytes(of: path)
        var digests: [[UInt8]] = []
        try open().connection.query("SELECT leaves FROM manifest") { row throws(VaultError) in
            let leaves = row.blob(0) ?? []
            for start in stride(from: 0, to: leaves.count, by: 1_024) {
                digests.append(Array(leaves[start..<min(start + 32, leaves.count)]))
            }
        }
        return Set(
            (0..<whole.count / 4_096).filter { page in
                let content = whole[page * 4_096..<(page + 1) * 4_096]
                return digests.contains { content.contains($0) }
            })
    }

    /// A rollback journal as SQLite writes it, with the old content of these pages
    /// (https://sqlite.org/fileformat2.html#the_rollback_journal).
    static func journal(_ pages: [(number: Int, content: [UInt8])], initialCount: Int = 1) -> [UInt8] {
        func word(_ value: Int) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
        }
        var bytes =
            VaultJournalTests.magic + word(pages.count) + word(0) + word(initialCount) + word(512)
            + word(4_096)
        bytes += [UInt8](repeating: 0, count: 512 - bytes.count)
        for (number, content) in pages {
            let sum = stride(from: content.count - 200, to: 0, by: -200).reduce(0) { $0 + Int(content[$1]) }
            bytes += word(number) + content + word(sum)
        }
        return bytes
    }

    // MARK: attacks

    /// Runs SQL like an attacker who has the file but no PIN.
    func tamper(_ sql: String, path: String? = nil) throws {
        var handle: OpaquePointer?
        guard unsafe sqlite3_open_v2(path ?? self.path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK
        else {
            throw VaultError.machine(.sqlite(code: 1))
        }
        defer { unsafe sqlite3_close_v2(handle) }
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw VaultError.machine(.sqlite(code: code)) }
    }

    static func bytes(of path: String) throws -> [UInt8] {
        let file = unsafe fopen(path, "r")
        guard let file = unsafe file else { throw VaultError.machine(.system(.read, errno: errno)) }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe fread(&piece, 1, piece.count, file)
            if count == 0 { return bytes }
            bytes += piece.prefix(count)
        }
    }

    static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o600) throws {
        let file = unsafe fopen(path, "w")
        guard let file = unsafe file else { throw VaultError.machine(.system(.write, errno: errno)) }
        unsafe fwrite(bytes, 1, bytes.count, file)
        unsafe fclose(file)
        unsafe chmod(path, mode)
    }

    func copy(_ name: String) throws -> String {
        let target = folder + "/" + name
        try Self.write(Self.bytes(of: path), to: target)
        return target
    }

    /// Overwrites the vault with `bytes` at `offset`.
    func patch(_ offset: Int, _ bytes: [UInt8]) throws {
        var all = try Self.bytes(of: path)
        all.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
        try Self.write(all, to: path)
    }

    func setMode(_ mode: mode_t, of path: String? = nil) { unsafe chmod(path ?? self.path, mode) }
}

/// The error that `body` throws, as a value for `#expect`.
func vaultError(_ body: () throws -> Void) -> VaultError? {
    do {
        try body()
        return nil
    } catch let error as VaultError {
        return error
    } catch {
        return nil
    }
}

extension SQLiteConnection {
    /// The blob or text in the first column of the first row, as bytes.
    func blob(_ sql: String) throws(VaultError) -> [UInt8] {
        var result: [UInt8] = []
        try query(sql) { row throws(VaultError) in
            if result.isEmpty { result = row.blob(0) ?? row.text(0).map { Array($0.utf8) } ?? [] }
        }
        return result
    }
}
