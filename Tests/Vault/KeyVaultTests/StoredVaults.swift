import Codecs
import Files
import Glibc
import HTTPSigning
import Keys
import SecureMemory
import TestSupport

@testable import KeyVault

/// How the vaults in `Vectors/vault` were made (`Vectors/vault/README.md`). After a release they
/// are never made again: each later version opens the files as they are.
enum StoredVaults {
    static let folder = "Vectors/vault/"
    static let names = ["version-1", "unknown-slot", "unknown-entry", "unknown-record"]
    static let time: Int64 = 1_700_000_000
    static let pin = "a vault of format 1"
    static let otherPIN = "another way into it"
    static let policyPIN = "looser only with this"
    static let phrase =
        "dry proud head copy double birth caution boring drastic prevent praise stick "
        + "eternal mass system pen actor sudden bounce pottery proud humble need field"
    static let apiSecret = Array("an API secret".utf8)
    /// The number of a kind that this version does not have.
    static let unknown: UInt8 = 200
    static let unknownSecret = Array("a secret of a later kind".utf8)
    /// The details of the entry and of the slot, and the payload of the record.
    static let unknownBytes: [UInt8] = [1, 2, 3, 4, 5]
    static let chain = "aca376f206b8fc25a6ed44dbdc66547c36c6c33e3a119ffbeaef943642f0e906"
    /// An ABI 1.1 that defines nothing.
    static let abi = [14] + Array("eosio::abi/1.1".utf8) + [UInt8](repeating: 0, count: 8)
    static let policy = Array(
        #"""
        {"version":1,"chains":["eos"],"rules":[{"name":"small transfers","contract":"eosio.token",
        "action":"transfer","authorization":["alice@active"],"fields":{"/quantity":{"max":"0.5000 EOS"}}}],
        "limits":[{"name":"a day","count":100,"per":"24h"}]}
        """#.utf8)

    static var clock: VaultClock { VaultClock(now: { time }, wait: { _ in }) }

    static func method(_ pin: String = pin) throws -> UnlockMethod { .pin(try VaultFixture.pin(pin)) }

    static func keyFile() throws -> KeyFile {
        try KeyFile(SecureBytes(copyingPublic: [UInt8](repeating: 7, count: KeyFile.count)))
    }

    static func recovery() throws -> RecoveryPhrase {
        try RecoveryPhrase(words: SecureBytes(copyingPublic: phrase.utf8))
    }

    /// Makes all files in a folder.
    static func make(in folder: String) throws {
        try makeVersion1(folder + "/version-1")
        try make(folder + "/unknown-slot") { transaction in
            let secret = try SlotSecret(of: UnknownMethod(), cost: VaultFixture.cost())
            try transaction.addSlot(secret)
        }
        try make(folder + "/unknown-entry") { transaction in
            let name = try EntryName("device:one").orThrow()
            var row = EntryRow(
                name: name, kind: .other(unknown), label: nil, createdAt: time,
                generation: transaction.nextGeneration,
                details: [UInt8](repeating: 0, count: EntryRow.sealingCount) + unknownBytes)
            try SecureBytes(copyingPublic: unknownSecret).withBytes {
                try row.seal($0, transaction.sealContext, generation: transaction.nextGeneration)
            }
            try transaction.plant(row)
        }
        try make(folder + "/unknown-record") { transaction in
            try transaction.record(.exported(key: VaultFixture.name(1)))
            try transaction.recordUnknownEvent()
            try transaction.record(.exported(key: VaultFixture.name(1)))
        }
    }

    /// A vault with one key, and what `fill` adds.
    private static func make(_ path: String, fill: (inout VaultTransaction) throws -> Void) throws {
        let file = path + ".db"
        try Vault.create(at: file, pin: VaultFixture.pin(pin), cost: VaultFixture.cost(), createdAt: time)
        let vault = try Vault.open(file, clock: clock).unlock(method())
        try vault.insert(VaultFixture.key(1), label: Label("key-1"), createdAt: time, origin: .imported)
        try VaultFixture.change(vault, fill)
    }

    private static func makeVersion1(_ path: String) throws {
        try VaultFixture.write([UInt8](repeating: 7, count: KeyFile.count), to: path + ".key")
        try make(path) { transaction in
            try transaction.addSlot(
                SlotSecret(
                    of: UnlockMethod.pinAndKeyFile(VaultFixture.pin(otherPIN), keyFile()),
                    cost: VaultFixture.cost()))
            try transaction.addSlot(SlotSecret(of: UnlockMethod.recovery(recovery())))
            try transaction.insert(
                VaultFixture.key(2), label: Label("limited"), createdAt: time + 1, origin: .imported)
            try transaction.insert(VaultFixture.key(3), label: nil, createdAt: time + 2)
            try transaction.insert(VaultFixture.key(4), label: Label("old"), createdAt: time + 3)
            try transaction.rename(VaultFixture.publicKey(1), to: Label("first"))
            try transaction.remove(VaultFixture.publicKey(4), neverBackedUp: true)
            try transaction.record(
                .signed(
                    key: VaultFixture.name(1), chain: Hex.decode(chain),
                    transaction: [UInt8](repeating: 5, count: 32)))
            let contract = try ContractAddress(chain: Hex.decode(chain), account: "example").orThrow()
            try transaction.pin(PinnedABI(contract, raw: abi, pinnedAt: time))
        }
        let file = path + ".db"
        func unlock() throws -> UnlockedVault { try Vault.open(file, clock: clock).unlock(method()) }
        let second = try SecondMethod.wrapping(VaultFixture.secret(policyPIN), in: unlock(), createdAt: time)
        try VaultFixture.change(unlock()) { transaction in
            try transaction.set(
                StoredPolicy(.key(VaultFixture.name(2)), document: policy, secondMethod: second, setAt: time),
                isLooser: false)
            let credential = try transaction.insert(
                Credential(
                    profile: SigningProfile(name: "bitbank"), keyID: KeyID("key-1"),
                    prefix: URLPrefix("https://api.bitbank.cc/v1/"), nonceUnit: .microseconds),
                firstNonce: 500, secret: SecureBytes(copyingPublic: apiSecret), label: Label("exchange"),
                createdAt: time + 4)
            _ = try transaction.takeNonce(of: transaction.entry(named: credential.name), clock: 3)
        }
        _ = try unlock().backup(to: path + ".backup")
        unlink(path + ".backup")
        _ = try unlock().archiveLog(to: NewFile(path + ".archive", holding: .publicData))
        try unlock().insert(VaultFixture.key(5), label: Label("after the backup"), createdAt: time + 5)
    }
}

/// An unlock method of a later version.
struct UnknownMethod: SlotKeySource {
    var kind: SlotKind { .other(StoredVaults.unknown) }
    var usesArgon2id: Bool { true }

    func newDetails() -> [UInt8] { StoredVaults.unknownBytes }

    func secret(salt: [UInt8], cost: KDFCost?, details: [UInt8]) throws(VaultError) -> SecureBytes {
        guard let cost else { throw .integrity(.damaged(.row(.slots))) }
        let key: SecureBytes = try converting(
            VaultError.memory, SecureBytes(copyingPublic: StoredVaults.unknownSecret))
        return try Sodium.argon2id(key, salt: salt, cost: cost)
    }
}

extension VaultTransaction {
    /// Adds a record of a later version to the chain.
    fileprivate mutating func recordUnknownEvent() throws(VaultError) {
        let last = try auditHead()
        let body =
            [1, StoredVaults.unknown] + StoredVaults.time.littleEndianBytes + StoredVaults.unknownBytes
        let mac = try keys.audit.lend { key throws(VaultError) in
            AuditChain.mac(
                of: body, sequence: last.sequence + 1, after: last.mac, vaultID: manifest.vaultID, key: key)
        }
        log.head = AuditHead(sequence: last.sequence + 1, mac: mac)
        try connection.run(
            "INSERT INTO audit (sequence, body, mac) VALUES (?1, ?2, ?3)",
            [.integer(last.sequence + 1), .blob(body), .blob(mac)])
    }
}

extension Optional {
    fileprivate struct Missing: Error {}

    fileprivate func orThrow() throws -> Wrapped {
        guard let self else { throw Missing() }
        return self
    }
}
