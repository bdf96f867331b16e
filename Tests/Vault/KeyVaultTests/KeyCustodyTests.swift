import CSQLite
import Codecs
import Glibc
import Keys
import SecureMemory
import Synchronization
import TestSupport
import Testing

@testable import KeyVault

/// Another thread locks an unlocked vault.
struct KeyCustodyTests {
    private let fixture: VaultFixture
    private let vault: Vault

    init() throws {
        fixture = try VaultFixture()
        try fixture.createFilled(2)
        vault = try fixture.open()
    }

    private func unlock() throws -> UnlockedVault { try vault.unlock(VaultFixture.pin()) }

    /// Locks in another thread, and returns when `lock` did.
    private func lock(_ custody: KeyCustody) {
        TestThread { custody.lock() }.join()
        #expect(custody.isLocked)
    }

    private static func isZero(_ secret: HeldSecret<SecureBytes>) -> Bool {
        secret.testOnlyLend { bytes in bytes.withBytes { span in (0..<32).allSatisfy { span[byte: $0] == 0 } }
        }
    }

    private static func secrets(of keys: VaultKeys) -> [HeldSecret<SecureBytes>] {
        [keys.master, keys.seal, keys.manifest, keys.audit]
    }

    /// The number of records, and of keys.
    private func content() throws -> [Int] {
        let vault = try fixture.unlock()
        return try [VaultFixture.events(of: vault).count, vault.entries().count]
    }

    @Test func wipesAtOnceBetweenUses() throws {
        let unlocked = try unlock()
        let (custody, keys) = (unlocked.custody, unlocked.opened.keys)
        let calls = Atomic(0)
        custody.notify { calls.add(1, ordering: .relaxed) }
        #expect(try VaultFixture.lend(1, of: unlocked) == 1)
        #expect(!custody.isLocked && !custody.isWiped)
        #expect(Self.secrets(of: keys).allSatisfy { !Self.isZero($0) })
        lock(custody)
        #expect(custody.isWiped && Self.secrets(of: keys).allSatisfy(Self.isZero))
        lock(custody)
        #expect(calls.load(ordering: .relaxed) == 1)
    }

    @Test func everythingThrowsAfterIt() throws {
        let unlocked = try unlock()
        let before = try content()
        lock(unlocked.custody)
        let name = try VaultFixture.name(1)
        let uses: [(borrowing UnlockedVault) throws -> Void] = [
            { _ = try VaultFixture.lend(1, of: $0) },
            { _ = try $0.entries() },
            { _ = try $0.status(of: "key 1") },
            { try $0.insert(VaultFixture.key(9), label: nil, createdAt: VaultFixture.time) },
            { try $0.log { _ in } },
            { _ = try $0.verifyLog { _ in } },
            { try $0.compareWithWitness() },
            { _ = try $0.place(nil) },
            { _ = try $0.records(after: nil) },
            { _ = try $0.transaction { _ throws(VaultError) in 1 } },
            {
                try VaultFixture.change($0) { transaction in try transaction.remove(name, neverBackedUp: true)
                }
            },
        ]
        for (index, use) in uses.enumerated() {
            #expect(vaultError { try use(unlocked) } == .input(.locked), "\(index)")
        }
        #expect(try content() == before)
        // The same file can be unlocked again.
        #expect(try VaultFixture.lend(2, of: unlock()) == 2)
    }

    /// The use that runs ends with its secrets intact, and wipes all of them.
    @Test func wipesWhenTheRunningUseEnds() throws {
        let unlocked = try unlock()
        let (custody, keys) = (unlocked.custody, unlocked.opened.keys)
        let before = try content()
        var lent: [UInt8] = []
        let error = vaultError {
            try unlocked.withKey(VaultFixture.publicKey(1)) { key throws(VaultError) in
                try custody.use { () throws(VaultError) in
                    lock(custody)
                    #expect(!custody.isWiped)
                }
                // The inner use has ended, the outer one has not.
                #expect(!custody.isWiped && !Self.isZero(keys.seal))
                lent.append(key.withScalar { $0[byte: 31] })
                #expect(vaultError { try custody.use { () throws(VaultError) in } } == .input(.locked))
            }
        }
        // The transaction ends with a use.
        #expect(error == .input(.locked))
        #expect(lent == [1] && custody.isWiped && Self.secrets(of: keys).allSatisfy(Self.isZero))
        #expect(try content() == before)
    }

    /// Everything that the transaction wrote is undone.
    @Test(arguments: [0, 1, 2])
    func undoesTheTransaction(step: Int) throws {
        let unlocked = try unlock()
        let custody = unlocked.custody
        let before = try content()
        let error = vaultError {
            try VaultFixture.change(unlocked) { transaction in
                if step == 0 { lock(custody) }
                try transaction.insert(VaultFixture.key(7), label: nil, createdAt: VaultFixture.time)
                if step == 1 { lock(custody) }
                try transaction.insert(VaultFixture.key(8), label: nil, createdAt: VaultFixture.time)
                if step == 2 { lock(custody) }
                #expect(custody.isWiped)
            }
        }
        #expect(error == .input(.locked))
        #expect(try content() == before)
    }

    /// A key that stays open for many signatures is wiped too.
    @Test func wipesOpenKeys() throws {
        let unlocked = try unlock()
        let custody = unlocked.custody
        let digest = try SigningDigest([UInt8](repeating: 7, count: 32))
        let error = vaultError {
            try VaultFixture.change(unlocked) { transaction in
                let entry = try transaction.entry(named: VaultFixture.name(1))
                transaction.keepKeysOpen()
                let first = try transaction.signature(of: digest, by: entry).get().signature
                #expect(try first.recover(digest) == VaultFixture.publicKey(1))
                let open = try OpenKeys().key(of: entry.row, transaction.sealContext)
                lock(custody)
                #expect(custody.isWiped)
                let isZero = open.key.testOnlyLend { key in
                    key.withScalar { span in (0..<32).allSatisfy { span[byte: $0] == 0 } }
                }
                #expect(isZero)
                _ = try transaction.signature(of: digest, by: entry)
            }
        }
        #expect(error == .input(.locked))
    }

    /// The keys of a new master key, and the older keys of the log, are in the same custody.
    @Test func wipesRenewedAndEarlierKeys() throws {
        try fixture.change { transaction in try transaction.rekey(under: VaultFixture.secret()) }
        let unlocked = try unlock()
        let before = try content()
        var renewed: VaultKeys?
        var earlier: AuditKeys?
        let error = vaultError {
            try VaultFixture.change(unlocked) { transaction in
                earlier = try transaction.auditKeys()
                #expect(earlier?.earlier.count == 1)
                try transaction.rekey(under: VaultFixture.secret())
                renewed = transaction.keys
                lock(unlocked.custody)
            }
        }
        #expect(error == .input(.locked))
        let secrets = try Self.secrets(of: #require(renewed)) + #require(earlier).earlier.map(\.key)
        #expect(secrets.count == 5 && secrets.allSatisfy(Self.isZero))
        #expect(try content() == before)
    }

    /// A secret that is no longer needed does not wait for the lock.
    @Test func wipesWhenItEnds() throws {
        let custody = KeyCustody()
        let bytes = { () throws(VaultError) in
            try converting(VaultError.memory, SecureBytes(copyingPublic: [UInt8](repeating: 1, count: 32)))
        }
        let kept = try HeldSecret(bytes(), in: custody)
        var ended: HeldSecret<SecureBytes>? = try HeldSecret(bytes(), in: custody)
        #expect(custody.testOnlyCount == 2 && ended != nil)
        ended = nil
        #expect(custody.testOnlyCount == 1 && !Self.isZero(kept))
        custody.lock()
        #expect(custody.testOnlyCount == 0 && Self.isZero(kept))
        #expect(vaultError { _ = try HeldSecret(bytes(), in: custody) } == .input(.locked))
    }

    // MARK: during COMMIT

    private static let locked = Mutex<KeyCustody?>(nil)
    private static let wipedMeanwhile = Atomic(false)

    /// COMMIT needs no key: the vault is locked while the journal is deleted, and the change is
    /// made.
    @Test func commitsWhileLocked() async {
        await #expect(processExitsWith: .success) {
            let fixture = try VaultFixture()
            try fixture.createFilled(2)
            let vault = try fixture.unlock()
            Self.locked.withLock { $0 = vault.custody }
            let unlink: @convention(c) (UnsafePointer<CChar>?) -> CInt = { path in
                Self.locked.withLock { custody in
                    guard let custody else { return }
                    TestThread { custody.lock() }.join()
                    Self.wipedMeanwhile.store(custody.isWiped, ordering: .relaxed)
                }
                guard let path = unsafe path else { return -1 }
                return unsafe Glibc.unlink(path)
            }
            let vfs = unsafe sqlite3_vfs_find("unix")
            _ = unsafe vfs?.pointee.xSetSystemCall(
                vfs, "unlink", unsafeBitCast(unlink, to: sqlite3_syscall_ptr.self))
            let added = try vault.insert(VaultFixture.key(7), label: nil, createdAt: 0)
            guard try added.name == VaultFixture.name(7) else { exit(2) }
            guard Self.wipedMeanwhile.load(ordering: .relaxed) else { exit(3) }
            guard vaultError({ _ = try vault.entries() }) == .input(.locked) else { exit(4) }
            Self.locked.withLock { $0 = nil }
            guard try fixture.lend(7) == 7 else { exit(5) }
            exit(0)
        }
    }
}
