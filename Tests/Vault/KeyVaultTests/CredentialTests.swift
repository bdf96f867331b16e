import Codecs
import HTTPSigning
import SecureMemory
import Testing

@testable import KeyVault

/// Entries of the kind `credential`: the secret of an API key, and its last nonce.
struct CredentialTests {
    let fixture: VaultFixture
    private var copy: String { fixture.folder + "/copy.db" }
    private static let text = Array("hoge".utf8)

    init() throws {
        fixture = try VaultFixture()
        try fixture.createFilled(1)
    }

    private static func credential(prefix: String? = "https://api.bitbank.cc/v1/") throws -> Credential {
        try Credential(
            profile: SigningProfile(name: "bitbank"), keyID: KeyID("key-1"),
            prefix: prefix.map { try URLPrefix($0) },
            nonceUnit: .microseconds)
    }

    @discardableResult
    private func insert(
        _ text: [UInt8] = text, label: String = "exchange", firstNonce: UInt64 = 1
    ) throws -> EntryDescription {
        var entry: EntryDescription?
        try fixture.change { transaction in
            entry = try transaction.insert(
                Self.credential(), firstNonce: firstNonce, secret: SecureBytes(copyingPublic: text),
                label: Label(label), createdAt: 9)
        }
        return try #require(entry)
    }

    private func secret(of name: EntryName, in path: String? = nil, by pin: String = "correct horse") throws
        -> [UInt8]
    {
        var text: [UInt8] = []
        try VaultFixture.change(fixture.open(path).unlock(VaultFixture.pin(pin))) { transaction in
            text = try transaction.withSecret(of: transaction.entry(named: name)) {
                secret throws(VaultError) in
                secret.withBytes { bytes in (0..<bytes.byteCount).map { bytes[byte: $0] } }
            }
        }
        return text
    }

    private func takeNonce(_ name: EntryName, clock: UInt64, given: UInt64? = nil) throws -> UInt64 {
        var nonce: UInt64?
        try fixture.change { transaction in
            nonce = try transaction.takeNonce(of: transaction.entry(named: name), clock: clock, given: given)
                .value
        }
        return try #require(nonce)
    }

    private func lastNonce(in path: String? = nil) throws -> UInt64? {
        try fixture.open(path).unverifiedEntry("exchange")?.lastNonce
    }

    // MARK: the public details

    /// Python: `bytes([1, 1]) + b''.join(pack('<H', len(t)) + t for t in texts)`.
    @Test func detailsHaveTheBytesOfTheFormat() throws {
        let credential = try Self.credential()
        let stored = Hex.encode(Array(#"{"profile":"bitbank","form":"nonce"}"#.utf8))
        let expected =
            "0101" + "2400" + stored + "0500" + "6b65792d31" + "1a00"
            + Hex.encode(Array("https://api.bitbank.cc/v1/".utf8))
        #expect(Hex.encode(credential.details) == expected)
        #expect(Credential(details: credential.details) == credential)
        let open = try Self.credential(prefix: nil)
        #expect(Credential(details: open.details) == open)
    }

    @Test func refusesOtherDetails() throws {
        let details = try Self.credential().details
        for count in details.indices { #expect(Credential(details: Array(details[..<count])) == nil) }
        #expect(Credential(details: details + [0]) == nil)
        for (index, byte) in [(0, 2), (1, 3), (4, 0x5b)] as [(Int, UInt8)] {
            var changed = details
            changed[index] = byte
            #expect(Credential(details: changed) == nil, "byte \(index)")
        }
        let long = "https://api.example.com/" + String(repeating: "a", count: 8_150)
        #expect(
            vaultError { _ = try Self.credential(prefix: long) }
                == .input(.tooLarge(.credential, maximum: 8_192)))
    }

    @Test func isListedAndDescribed() throws {
        let entry = try insert()
        #expect(!entry.isKey && entry.kind == .credential && entry.kind.number == 16)
        #expect(entry.name.text.hasPrefix("credential:") && entry.name.text.utf8.count == 27)
        #expect(try entry.credential == Self.credential())
        #expect(
            entry.facts.map(\.value) == [
                entry.name.text, "bitbank", #"{"profile":"bitbank","form":"nonce"}"#, "key-1",
                "https://api.bitbank.cc/v1/", "us", "0",
            ])
        #expect(try fixture.open().unverifiedEntry("exchange") == entry)
        #expect(try fixture.unlock().entries().contains(entry))
        #expect(try secret(of: entry.name) == Self.text)
    }

    // MARK: changes

    @Test func anExistingNameIsRefused() throws {
        let entry = try insert()
        #expect(vaultError { try insert([1]) } == .input(.labelExists))
        #expect(vaultError { try insert([1], label: "Exchange") } == .input(.labelAlike))
        #expect(vaultError { try insert([1], label: "key 1") } == .input(.labelExists))
        #expect(try secret(of: entry.name) == Self.text)
    }

    @Test(arguments: [0, 1, 4_096, 4_097])
    func theSecretHasALimit(count: Int) throws {
        let text = [UInt8](repeating: 7, count: count)
        guard (1...4_096).contains(count) else {
            #expect(vaultError { try insert(text) } == .integrity(.entryDamaged(.seal)))
            return
        }
        let entry = try insert(text)
        #expect(try secret(of: entry.name) == text)
        let report = try fixture.open().check(UnlockMethod.pin(VaultFixture.pin()))
        #expect(report.faults.isEmpty && report.counts.keys == 1 && report.counts.credentials == 1)
    }

    /// No backup has the new secret, so `remove` asks for one.
    @Test func rotationReplacesTheSecretAndKeepsTheNonce() throws {
        let entry = try insert(firstNonce: 500)
        #expect(try takeNonce(entry.name, clock: 3) == 500)
        _ = try fixture.unlock().backup(to: copy)
        #expect(try fixture.unlock().status(of: "exchange").isBackedUp)
        try fixture.change { transaction in
            try transaction.rotate(entry.name, to: SecureBytes(copyingPublic: [9, 9]))
        }
        #expect(try secret(of: entry.name) == [9, 9])
        #expect(try lastNonce() == 500)
        let status = try fixture.unlock().status(of: "exchange")
        #expect(!status.isBackedUp && status.entry.createdAt == 9)
        #expect(
            vaultError { try fixture.change { transaction in try transaction.remove(entry.name) } }
                == .input(.neverBackedUp(.credential)))
        #expect(try VaultFixture.events(of: fixture.unlock()).last == .rotated(key: entry.name))
        #expect(
            vaultError {
                try fixture.change { transaction in
                    try transaction.rotate(entry.name, to: SecureBytes(copyingPublic: []))
                }
            } == .integrity(.entryDamaged(.seal)))
    }

    @Test func isRenamedAndRemoved() throws {
        let entry = try insert(firstNonce: 8)
        try fixture.change { transaction in try transaction.rename(entry.name, to: Label("other")) }
        let renamed = try #require(try fixture.open().unverifiedEntry("other"))
        #expect(renamed.name == entry.name && renamed.lastNonce == 7)
        #expect(try secret(of: entry.name) == Self.text)
        try fixture.change { transaction in try transaction.remove(entry.name, neverBackedUp: true) }
        #expect(try fixture.unlock().entries().map(\.isKey) == [true])
    }

    @Test func keysAndCredentialsAreNotExchanged() throws {
        let (entry, key) = (try insert(), EntryName(try VaultFixture.publicKey(1)))
        #expect(
            vaultError {
                try fixture.change { transaction in
                    try transaction.withKey(transaction.entry("exchange")) { _ throws(VaultError) in }
                }
            } == .input(.notAKey))
        #expect(vaultError { _ = try secret(of: key) } == .input(.notACredential))
        #expect(vaultError { _ = try takeNonce(key, clock: 1) } == .input(.notACredential))
        #expect(
            vaultError {
                try fixture.change { transaction in
                    try transaction.rotate(key, to: SecureBytes(copyingPublic: [1]))
                }
            } == .input(.notACredential))
        try fixture.change { transaction in
            let count = try transaction.keyCount()
            #expect(count == 1)
        }
        #expect(try fixture.unlock().entries().contains(entry))
    }

    // MARK: nonces

    /// The clock, also when it jumps ahead; when it is not ahead, the last nonce plus one.
    @Test func noncesOnlyIncrease() throws {
        let name = try insert(firstNonce: 100).name
        let nonces = try [50, 200, 200, 199, 1, 300].map { clock in try takeNonce(name, clock: clock) }
        #expect(nonces == [100, 200, 201, 202, 203, 300])
        #expect(try takeNonce(name, clock: 1, given: 1_000) == 1_000)
        for given: UInt64 in [0, 300, 1_000] {
            #expect(
                vaultError { _ = try takeNonce(name, clock: 1, given: given) }
                    == .input(.nonceUsed(last: 1_000)))
        }
        #expect(try takeNonce(name, clock: 1, given: .max) == .max)
        for given: UInt64? in [nil, .max] {
            #expect(vaultError { _ = try takeNonce(name, clock: 1, given: given) } == .input(.noNonceLeft))
        }
        #expect(try lastNonce() == .max)
        #expect(try secret(of: name) == Self.text)
    }

    @Test func aFailedTransactionTakesNoNonce() throws {
        let name = try insert(firstNonce: 5).name
        var nonce: UInt64?
        let error = vaultError {
            try fixture.change { transaction in
                nonce = try transaction.takeNonce(of: transaction.entry(named: name), clock: 80).value
                throw VaultError.input(.noSuchKey)
            }
        }
        #expect(nonce == 80 && error == .input(.noSuchKey))
        #expect(try lastNonce() == 4)
        #expect(try takeNonce(name, clock: 1) == 5)
    }

    /// A program that lowers or removes the nonce in the file breaks the manifest.
    @Test(
        arguments: [
            ("UPDATE nonces SET value = CAST(x'01' || zeroblob(8) || substr(value, 10) AS BLOB)", 0),
            ("DELETE FROM nonces", nil),
        ] as [(String, UInt64?)])
    func aLoweredNonceIsDetected(change: String, last: UInt64?) throws {
        let name = try insert(firstNonce: 500).name
        try fixture.tamper("\(change) WHERE name = '\(name.text)'")
        #expect(try lastNonce() == last)
        let bucket = VaultTable.nonces.bucket(of: name.text)
        let mismatch = VaultError.integrity(.manifestMismatch(.bucket(.nonces, bucket)))
        #expect(vaultError { _ = try takeNonce(name, clock: 1) } == mismatch)
        #expect(vaultError { _ = try fixture.unlock().status(of: "exchange") } == mismatch)
        #expect(try fixture.open().check(UnlockMethod.pin(VaultFixture.pin())).faults == [.rows(.nonces)])
    }

    /// A value that no writer produces is reported, and not taken for a nonce.
    @Test(arguments: ["x'02' || substr(value, 2)", "substr(value, 1, 16)", "substr(value, 1, 16) || x'80'"])
    func anotherNonceRowIsDamage(value: String) throws {
        let name = try insert(firstNonce: 500).name
        try fixture.tamper("UPDATE nonces SET value = CAST(\(value) AS BLOB)")
        #expect(vaultError { _ = try takeNonce(name, clock: 1) } == .damaged(.nonces))
        #expect(vaultError { _ = try fixture.open().unverifiedEntry("exchange") } == .damaged(.nonces))
    }

    /// A request verifies only the nonce of its counters: the payment history may be large.
    @Test func aNonceIsTakenWithoutTheHistory() throws {
        let name = try insert(firstNonce: 5).name
        try fixture.tamper(
            "INSERT INTO counters SELECT bucket, 'paid:00:00000000', zeroblob(1000) FROM nonces")
        #expect(try takeNonce(name, clock: 8) == 8)
        #expect(try lastNonce() == 8)
    }

    /// A request does not seal the entry again, and the entry stays verified: it is read once.
    @Test func aNonceDoesNotChangeTheEntry() throws {
        let name = try insert(firstNonce: 5).name
        let before = try fixture.sealed()
        _ = try takeNonce(name, clock: 1)
        #expect(try fixture.sealed() == before)
        var isOpened = false
        let error = vaultError {
            try fixture.change { transaction in
                let entry = try transaction.entry(named: name)
                _ = try transaction.takeNonce(of: entry, clock: 1)
                try transaction.connection.run("UPDATE entries SET sealed = zeroblob(20)")
                try transaction.withSecret(of: entry) { _ throws(VaultError) in isOpened = true }
                throw VaultError.input(.noSuchKey)
            }
        }
        #expect(isOpened && error == .input(.noSuchKey))
    }

    /// After a change of the entry, the verified one is read again.
    @Test func aRemovedCredentialTakesNoNonce() throws {
        let name = try insert().name
        let error = vaultError {
            try fixture.change { transaction in
                let entry = try transaction.entry(named: name)
                try transaction.remove(name, neverBackedUp: true)
                _ = try transaction.takeNonce(of: entry, clock: 1)
            }
        }
        #expect(error == .input(.noSuchKey))
    }

    // MARK: other copies

    @Test func isRestoredWithItsNonce() throws {
        let name = try insert(firstNonce: 41).name
        #expect(try takeNonce(name, clock: 1) == 41)
        _ = try fixture.unlock().backup(to: copy)
        let restored = fixture.folder + "/restored.db"
        _ = try Vault.restore(
            VaultImage(contentsOf: copy), to: restored, method: UnlockMethod.pin(VaultFixture.pin()),
            clock: VaultFixture.clock)
        #expect(try lastNonce(in: restored) == 41)
        #expect(try secret(of: name, in: restored) == Self.text)
    }

    @Test func isSealedAgainUnderANewMasterKey() throws {
        let name = try insert(firstNonce: 41).name
        let slot = try VaultFixture.secret("battery staple")
        try fixture.change { transaction in try transaction.rekey(under: slot) }
        #expect(try secret(of: name, by: "battery staple") == Self.text)
        #expect(try lastNonce() == 40)
    }

    /// The manifest proves the entry, also if it continues in overflow pages. Without the manifest,
    /// a row in one page is found by its seal.
    @Test(arguments: [(4, true), (4_096, true), (4, false)])
    func isRescued(count: Int, withManifest: Bool) throws {
        let text = [UInt8](repeating: 7, count: count)
        let name = try insert(text, firstNonce: 41).name
        #expect(try takeNonce(name, clock: 77) == 77)
        if !withManifest { try fixture.tamper("UPDATE vault SET root = zeroblob(32)") }
        let report = try fixture.rescue()
        #expect(report.isComplete == withManifest && report.rescued.count == 2)
        let rescued = fixture.folder + "/rescued.db"
        #expect(try secret(of: name, in: rescued) == text)
        #expect(try lastNonce(in: rescued) == 77)
        #expect(try fixture.mayLackNonces(of: name, in: rescued))
    }

    /// Without the manifest, the greatest nonce in the file is taken. With it, the proved one.
    @Test(arguments: [(false, 900), (true, 77)] as [(Bool, UInt64)])
    func rescueTakesTheGreatestNonce(withManifest: Bool, expected: UInt64) throws {
        let name = try insert(firstNonce: 41).name
        #expect(try takeNonce(name, clock: 77) == 77)
        // Rows of other numbers, as a free page may have them. `bucket` is not compared.
        for (index, last) in [900, 300].enumerated() {
            let value = "CAST(x'01\(Hex.encode(UInt64(last).littleEndianBytes))' || zeroblob(8) AS BLOB)"
            let rows = "FROM nonces WHERE name = '\(name.text)' AND bucket < 256"
            try fixture.tamper("INSERT INTO nonces SELECT 256 + \(index), name, \(value) \(rows)")
        }
        if !withManifest { try fixture.tamper("UPDATE vault SET root = zeroblob(32)") }
        _ = try fixture.rescue()
        #expect(try lastNonce(in: fixture.folder + "/rescued.db") == expected)
    }

    /// A machine that saw the vault being changed lacks no nonce; one that sees it now may.
    @Test func mayLackNoncesUntilOneIsTaken() throws {
        let witness = Witness(folder: fixture.folder + "/state")
        try fixture.change { _ in }
        func taken(_ witness: Witness) throws -> Bool {
            let vault = try Vault.open(fixture.path, witness: witness, clock: VaultFixture.clock)
            return try VaultFixture.mayLackNonces(of: "exchange", in: vault.unlock(VaultFixture.pin()))
        }
        _ = try Vault.open(fixture.path, witness: witness, clock: VaultFixture.clock).unlock(
            VaultFixture.pin())
        let name = try insertSeen(by: witness)
        #expect(try !taken(witness))
        let other = Witness(folder: fixture.folder + "/other")
        #expect(try taken(other))
        #expect(try !taken(other))
        #expect(try lastNonce() == 3 && name.isCredential)
    }

    private func insertSeen(by witness: Witness) throws -> EntryName {
        let vault = try Vault.open(fixture.path, witness: witness, clock: VaultFixture.clock).unlock(
            VaultFixture.pin())
        var name: EntryName?
        try VaultFixture.change(vault) { transaction in
            name = try transaction.insert(
                Self.credential(), secret: SecureBytes(copyingPublic: Self.text), label: Label("exchange"),
                createdAt: 9
            ).name
        }
        return try #require(name)
    }
}

extension VaultFixture {
    /// Takes the next nonce of a credential, and returns whether another copy may have used it.
    static func mayLackNonces(
        of credential: String, in vault: borrowing UnlockedVault
    ) throws -> Bool {
        var mayBeUsed: Bool?
        try change(vault) { transaction in
            mayBeUsed = try transaction.takeNonce(of: transaction.entry(credential), clock: 1).mayBeUsed
        }
        return try #require(mayBeUsed as Bool?)
    }

    func mayLackNonces(of name: EntryName, in path: String) throws -> Bool {
        try Self.mayLackNonces(of: name.text, in: unlock(path))
    }
}
