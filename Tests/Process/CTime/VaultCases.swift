import CSQLite
import Files
import Glibc
import KeyVault
import Keys
import SecureMemory
import Seeds

/// Complete uses of a vault, at the lowest KDF cost. The cases classify nothing: the library
/// classifies the output of Argon2id and each random key, and the master key is secret when it is
/// decrypted.
enum VaultCases {
    static let all = [
        Case("vault: created, unlocked by PIN") { try withVault { _ in } },
        Case("vault: a wrong PIN") {
            try withVault { path in
                var refusal: VaultError?
                do throws(VaultError) { _ = try open(path).unlock(pin("another horse")) } catch {
                    refusal = error
                }
                try expect(
                    refusal == .input(.wrongUnlockMethod(.pin, damagedSlots: [])),
                    "refused with \(String(describing: refusal))"
                )
            }
        },
        Case("vault: unlocked by PIN and key file") {
            try withVault { path in
                let method = try UnlockMethod.pinAndKeyFile(pin(), .random())
                var copied = try bytes([UInt8](repeating: 0, count: KeyFile.count))
                _ = method.withStoredSecret { secret, _ in copy(secret, into: &copied) }
                let slot = try SlotSecret(of: method, cost: cost())
                try change(path) { (transaction: inout VaultTransaction) throws(VaultError) in
                    _ = try transaction.addSlot(slot)
                }
                _ = try open(path).unlock(UnlockMethod.pinAndKeyFile(pin(), KeyFile(copied))).entries()
                var isRefused = false
                do throws(VaultError) {
                    _ = try open(path).unlock(UnlockMethod.pinAndKeyFile(pin(), KeyFile.random()))
                } catch {
                    isRefused = true
                }
                try expect(isRefused, "another key file is accepted")
            }
        },
        Case("vault: unlocked by recovery phrase") {
            try withVault { path in
                let method = UnlockMethod.recovery(try phrase())
                let slot = try SlotSecret(of: method)
                try change(path) { (transaction: inout VaultTransaction) throws(VaultError) in
                    _ = try transaction.addSlot(slot)
                }
                _ = try open(path).unlock(method).entries()
                var isRefused = false
                do throws(VaultError) { _ = try open(path).unlock(UnlockMethod.recovery(phrase())) } catch {
                    isRefused = true
                }
                try expect(isRefused, "another phrase is accepted")
            }
        },
        Case("vault: a changed PIN") {
            try withVault { path in
                let slot = try SlotSecret(of: UnlockMethod.pin(pin("the next PIN")), cost: cost())
                try change(path) { (transaction: inout VaultTransaction) throws(VaultError) in
                    try transaction.replaceOpenedSlot(by: slot)
                }
                _ = try open(path).unlock(pin("the next PIN")).entries()
            }
        },
        Case("vault: keys stored, lent and signed with") {
            try withVault { path in
                let keys = try fill(path)
                let vault = try open(path).unlock(pin())
                for publicKey in keys {
                    let count = try vault.withKey(publicKey) { key throws(VaultError) in
                        key.withScalar { $0.secretCount() }
                    }
                    try expect(count == PrivateKey.size, "\(count) bytes of the scalar are secret")
                    let signed = try vault.withKey(publicKey) { key throws(VaultError) in
                        do { return try key.sign(SigningDigest(sha256: [1])) } catch {
                            throw .integrity(.entryDamaged(.key))
                        }
                    }
                    try expect(
                        try signed.signature.recover(SigningDigest(sha256: [1])) == publicKey,
                        "the signature is of another key")
                }
            }
        },
        Case("vault: a seed stored, its keys derived, checked") {
            try withVault { path in
                let entropy = try bytes((0..<32).map { UInt8($0) })
                entropy.classify()
                let keys = try derive(from: entropy, path)
                let vault = try open(path).unlock(pin())
                for key in keys {
                    let count = try vault.withKey(key) { key throws(VaultError) in
                        key.withScalar { $0.secretCount() }
                    }
                    try expect(count == PrivateKey.size, "\(count) bytes of a derived scalar are secret")
                }
                let report = try open(path).check(UnlockMethod.pin(pin()))
                try expect(
                    report.faults.isEmpty && report.counts.seeds == 1 && report.counts.keys == 3, "\(report)")
            }
        },
        Case("vault: a key exported unencrypted") {
            try withVault { path in
                let name = EntryName(try fill(path)[0])
                var text: SecureBytes?
                try change(path) { (transaction: inout VaultTransaction) throws(VaultError) in
                    try transaction.withKey(transaction.entry(named: name)) { key throws(VaultError) in
                        do { text = try key.exportPlaintextWIF() } catch {
                            throw .integrity(.entryDamaged(.key))
                        }
                    }
                    try transaction.record(.exported(key: name))
                }
                guard let text else { throw Unexpected(description: "no WIF") }
                try expectSecret(text, "the text")
            }
        },
        Case("vault: renamed, removed, an existing key") {
            try withVault { path in
                let names = try fill(path).map { EntryName($0) }
                try change(path) { (transaction: inout VaultTransaction) throws(VaultError) in
                    try transaction.rename(names[0], to: Label("renamed"))
                    try transaction.remove(names[1], neverBackedUp: true)
                }
                let vault = try open(path).unlock(pin())
                let key = try number(1)
                var refusal: VaultError?
                do throws(VaultError) { try vault.insert(key, label: nil, createdAt: time) } catch {
                    refusal = error
                }
                try expect(refusal == .input(.keyExists), "a key is stored twice")
                try expect(try vault.entries().count == 2, "the keys differ")
            }
        },
        Case("vault: a new master key") {
            try withVault { path in
                _ = try fill(path)
                let slot = try SlotSecret(of: UnlockMethod.pin(pin()), cost: cost())
                try change(path) { (transaction: inout VaultTransaction) throws(VaultError) in
                    try transaction.rekey(under: slot)
                }
                let vault = try open(path).unlock(pin())
                let count = try vault.verifyLog { _ in }
                try expect(count > 3, "the log has \(count) records")
            }
        },
        Case("vault: checked, backed up, restored, rescued") {
            try withVault { path in
                _ = try fill(path)
                _ = try open(path).unlock(pin()).backup(to: path + ".backup")
                _ = try Vault.restore(
                    VaultImage(contentsOf: path + ".backup"), to: path + ".restored",
                    method: UnlockMethod.pin(pin()))
                let report = try open(path + ".restored").check(UnlockMethod.pin(pin()))
                try expect(report.faults.isEmpty && report.counts.keys == 3, "\(report)")
                let rescue = try Vault.rescue(
                    path, to: path + ".rescued", with: UnlockMethod.pin(pin()), clock: clock)
                try expect(rescue.rescued.count == 3, "\(rescue)")
            }
        },
        Case("vault: rescued without its digests") {
            try withVault { path in
                _ = try fill(path)
                try edit(path, "UPDATE manifest SET leaves = zeroblob(length(leaves))")
                let rescue = try Vault.rescue(
                    path, to: path + ".rescued", with: UnlockMethod.pin(pin()), clock: clock)
                try expect(!rescue.isVerified && rescue.rescued.count == 3, "\(rescue)")
            }
        },
        Case("vault: an archived log") {
            try withVault { path in
                let vault = try open(path).unlock(pin())
                _ = try vault.archiveLog(to: NewFile(path + ".archive", holding: .publicData))
                let report = try vault.verify([AuditArchive(path + ".archive")])
                try expect(report.isOK, "\(report)")
            }
        },
        // Failures are verdicts too: a seal that does not open, and wrong digests and MACs.
        Case("vault: edited") {
            try withVault { path in
                _ = try fill(path)
                try edit(
                    path,
                    "UPDATE entries SET sealed = zeroblob(48) WHERE name = (SELECT min(name) FROM entries)")
                try edit(path, "UPDATE audit SET mac = zeroblob(32) WHERE sequence = 2")
                let faults = try open(path).check(UnlockMethod.pin(pin())).faults
                let isSealBroken = faults.contains { if case .key(_, .seal) = $0 { true } else { false } }
                try expect(
                    isSealBroken && faults.contains(.rows(.entries))
                        && faults.contains(.audit(.changed(sequence: 2))),
                    "\(faults)")
            }
        },
    ]

    // MARK: helpers

    private static let time: Int64 = 1_700_000_000
    private static var clock: VaultClock { VaultClock(now: { time }, wait: { _ in }) }

    /// The PIN itself is not marked as secret; the output of Argon2id is.
    private static func pin(_ text: String = "correct horse") throws(VaultError) -> PIN {
        try PIN(bytes(text.utf8))
    }

    private static func cost() throws(VaultError) -> KDFCost {
        try KDFCost(passes: 1, memory: 8_192, insecure: true)
    }

    private static func phrase() throws(VaultError) -> RecoveryPhrase { try RecoveryPhrase.random() }

    private static func bytes(_ bytes: some Collection<UInt8>) throws(VaultError) -> SecureBytes {
        do { return try SecureBytes(copyingPublic: bytes) } catch { throw .machine(.memory(error)) }
    }

    private static func copy(_ secret: borrowing SecureBytes, into copied: inout SecureBytes) {
        secret.withBytes { from in
            copied.withMutableBytes { to in
                for index in 0..<from.byteCount { to[byte: index] = from[byte: index] }
            }
        }
    }

    private static func open(_ path: String) throws(VaultError) -> Vault {
        try Vault.open(path, clock: clock)
    }

    private static func change(
        _ path: String, _ body: (inout VaultTransaction) throws(VaultError) -> Void
    ) throws(VaultError) { try open(path).unlock(pin()).transaction(body) }

    /// A K1 key whose scalar is `number`.
    private static func number(_ number: UInt8) throws(VaultError) -> PrivateKey {
        let scalar = try bytes([UInt8](repeating: 0, count: 31) + [number])
        scalar.classify()
        do { return try PrivateKey(curve: .k1, scalar: scalar) } catch {
            throw .integrity(.entryDamaged(.key))
        }
    }

    /// Adds three keys to the vault.
    private static func fill(_ path: String) throws(VaultError) -> [PublicKey] {
        var keys: [PublicKey] = []
        try change(path) { (transaction: inout VaultTransaction) throws(VaultError) in
            for number in 1...3 as ClosedRange<UInt8> {
                let key = try Self.number(number)
                try transaction.insert(key, label: Label("key \(number)"), createdAt: time, origin: .imported)
                keys.append(key.publicKey)
            }
        }
        return keys
    }

    /// Stores a seed, derives two keys, removes one of them, and adds one at a path. Then lends the
    /// entropy.
    private static func derive(
        from entropy: consuming SecureBytes, _ path: String
    ) throws -> [PublicKey] {
        var given: SecureBytes? = consume entropy
        var keys: [PublicKey] = []
        try change(path) { (transaction: inout VaultTransaction) throws(VaultError) in
            guard let secret = given.take() else { return }
            let seed = try transaction.insert(
                StoredSeed(form: .words), secret: secret, label: Label("seed"), createdAt: time,
                origin: .created
            ).name
            for _ in 0..<2 {
                let made = try transaction.deriveKey(from: seed, label: nil, createdAt: time)
                keys += [made.name.publicKey].compactMap(\.self)
            }
            let found = try transaction.addKeys(of: seed, at: [.eos(0), .eos(7)], createdAt: time)
            keys += found.filter { !$0.isKnown }.map(\.publicKey)
            let count = try transaction.withSeed(transaction.entry(named: seed)) {
                _, secret throws(VaultError) in
                secret.secretCount()
            }
            guard count == 32 else { throw .integrity(.entryDamaged(.key)) }
        }
        return keys
    }

    /// Edits the file without a key, as an attacker could.
    private static func edit(_ path: String, _ sql: String) throws {
        var connection: OpaquePointer?
        defer { unsafe sqlite3_close(connection) }
        guard unsafe sqlite3_open(path, &connection) == SQLITE_OK,
            unsafe sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK
        else {
            throw Unexpected(description: sql)
        }
    }

    /// Creates a vault in a new folder, calls `body`, and removes both at the end.
    private static func withVault(_ body: (String) throws -> Void) throws {
        let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = [CChar]("\(parent)/eosvault-ctime-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw Unexpected(description: "no folder") }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let path = folder + "/vault.db"
        defer {
            for end in ["", ".backup", ".restored", ".rescued", ".archive", "-journal"] {
                unsafe unlink(path + end)
            }
            unsafe rmdir(folder)
        }
        try Vault.create(at: path, pin: pin(), cost: cost(), createdAt: time)
        let entries = try open(path).unlock(pin()).entries()
        try expect(entries.isEmpty, "a new vault has keys")
        try body(path)
    }
}
