import Codecs
import Glibc
import HTTPSigning
import Keys
import SecureMemory
import TestSupport
import Testing
import Transactions

@testable import KeyVault

/// A folder with a vault, all files that commands read, and all secrets in them. The secrets are
/// random and different in each fixture.
final class VaultFixture {
    let folder = Result { try TemporaryFolder() }
    let table: SecretTable
    let (pin, newPIN, wrongPIN) = (
        VaultFixture.randomPIN(), VaultFixture.randomPIN(), VaultFixture.randomPIN()
    )
    let (keyFile, phrase, wrongPhrase) = (
        VaultFixture.random(32), VaultFixture.random(32), VaultFixture.random(32)
    )
    /// Keys in the vault, with the labels `one`, `two` and `three`.
    let kept = (0..<3).map { _ in VaultFixture.random(32) }
    static let curves: [Curve] = [.k1, .k1, .r1]
    /// Keys that are not in the vault yet.
    let new = (0..<4).map { _ in VaultFixture.random(32) }

    /// Credentials in the vault, with their labels, profiles and secrets. HMAC hashes a long secret
    /// first.
    let credentials = [
        (
            "hook",
            try? SigningProfile(name: "hmac", parameters: ["template": "{url}{body}", "hash": "sha512"]), 43
        ),
        ("exchange", try? SigningProfile(name: "bitbank"), 43),
        ("game", try? SigningProfile(name: "gamesystem"), 43),
        ("messages", try? SigningProfile(name: "rfc9421"), 86),
        ("site", try? SigningProfile(name: "basic"), 43),
    ].map { (label: $0, profile: $1, secret: VaultFixture.randomSecret($2)) }
    let (seeds, wallets) = (SeedSecrets(), WalletSecrets())
    /// Random bytes of the program are also searched for as seeds.
    var derivesSeeds = false
    let newSecret = VaultFixture.randomSecret(43)
    let spacedSecret = VaultFixture.randomSecret(20) + " " + VaultFixture.randomSecret(22)

    static let smallest = ["--kdf-passes", "1", "--kdf-memory", "8KiB", "--insecure-kdf"]
    private static let time: Int64 = 1_700_000_000

    init() throws {
        table = try SecretTable()
        try makeFiles()
        try makeVault()
        try addSecrets()
    }

    var path: String { get throws { try folder.get().path } }

    static func random(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255) } }

    /// 16 printable characters.
    static func randomPIN() -> String {
        String(decoding: (0..<16).map { _ in UInt8.random(in: 0x21...0x7e) }, as: UTF8.self)
    }

    /// As services issue them, in the alphabet of base64url.
    static func randomSecret(_ count: Int) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        return String(decoding: (0..<count).map { _ in alphabet[Int.random(in: 0..<64)] }, as: UTF8.self)
    }

    static func wif(_ scalar: [UInt8]) throws -> String {
        let text = try PrivateKey(curve: .k1, scalar: SecureBytes(copyingPublic: scalar)).exportPlaintextWIF()
        return String(decoding: text?.copied() ?? [], as: UTF8.self)
    }

    static func words(_ bits: [UInt8]) throws -> String {
        try RecoveryPhrase(bits: SecureBytes(copyingPublic: bits)).withWords {
            String(decoding: $0.copied(), as: UTF8.self)
        }
    }

    /// The words with another last word, which makes the checksum wrong.
    static func mistypedWords(_ bits: [UInt8]) throws -> [Substring] {
        let first = try words(bits).split(separator: " ").dropLast()
        // Both words state the same bits and differ in the checksum, so at most one of them is
        // right.
        let isRight = try? RecoveryPhrase(
            words: SecureBytes(copyingPublic: (first + ["zoo"]).joined(separator: " ").utf8))
        return first + [isRight == nil ? "zoo" : "zone"]
    }

    /// Changes one character in the middle of a text.
    static func mistyped(_ text: String) -> String {
        var bytes = Array(text.utf8)
        bytes[25] = bytes[25] == UInt8(ascii: "x") ? UInt8(ascii: "y") : UInt8(ascii: "x")
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: - files

    private func makeFiles() throws {
        func write(_ text: String, to name: String) throws {
            try Files.write(Array(text.utf8), to: path + "/" + name)
        }
        for name in ["data", "state", "state/eosvault", "stick"] { mkdir(try path + "/" + name, 0o700) }
        for (name, pin) in [("pin", pin), ("new-pin", newPIN), ("wrong-pin", wrongPIN)] {
            try write(pin + "\n", to: name)
        }
        try Files.write(keyFile, to: path + "/stick/vault.key")
        try Files.write(Array(keyFile.dropLast()), to: path + "/stick/short.key")
        try Files.write(VaultFixture.random(32), to: path + "/stick/wrong.key")
        try write(Self.words(phrase) + "\n", to: "phrase")
        try write(Self.mistypedWords(phrase).joined(separator: " "), to: "phrase-checksum")
        let words = try Self.words(phrase).split(separator: " ")
        try write((words.dropLast() + ["eosvault"]).joined(separator: " "), to: "phrase-unknown")
        try write(Self.words(wrongPhrase), to: "phrase-wrong")
        try write(Self.wif(new[0]) + "\n", to: "key")
        try write(Self.wif(kept[0]) + "\n", to: "key-kept")
        try write(Self.mistyped(Self.wif(new[0])), to: "key-mistyped")
        try write(new.enumerated().map { "\(try Self.wif($1)) line \($0)\n" }.joined(), to: "keys")
        let pairs = try new.map {
            (
                try PrivateKey(curve: .k1, scalar: SecureBytes(copyingPublic: $0)).publicKey.text,
                try Self.wif($0)
            )
        }
        try write(
            "[" + pairs.map { "[\"\($0)\",\n\"\($1)\"]" }.joined(separator: ",") + "]", to: "keosd.json")
        try write(pairs.map { "signature-provider = \($0)=KEY:\($1)\n" }.joined(), to: "config.ini")
        let bad = [
            try Self.wif(kept[1]), try Self.wif(new[1]) + " one", try Self.mistyped(Self.wif(new[2])),
            try Self.wif(new[3]),
        ]
        try write(bad.map { $0 + "\n" }.joined(), to: "keys-bad")
        let transfers = try Self.transfers()
        try Files.write(transfers[0], to: path + "/transfer.json")
        let lines = transfers.flatMap { transfer in
            transfer.filter { $0 != UInt8(ascii: "\n") } + [UInt8(ascii: "\n")]
        }
        try Files.write(lines, to: path + "/lines")
        try write(#"{"version":"eosio::abi/1.2"}"#, to: "token.abi")
        try write(SignedRequest.placeholder, to: "placeholder")
        try write(newSecret + "\n", to: "secret")
        try write(Base64.encode(Array(newSecret.utf8)) + "\n", to: "secret-base64")
        try write(spacedSecret + "\n", to: "secret-spaced")
    }

    /// The same transfer with two reference blocks.
    private static func transfers() throws -> [[UInt8]] {
        let first = String(decoding: try repositoryFile("Vectors/examples/transfer.json"), as: UTF8.self)
        let second = first.replacing("\"ref_block_num\": 1000", with: "\"ref_block_num\": 1001")
        return [Array(first.utf8), Array(second.utf8)]
    }

    private func makeVault() throws {
        let vault = try path + "/data/vault.db"
        try Vault.create(
            at: vault, method: SlotSecret(of: method(pin), cost: .leastInsecure),
            recovery: SlotSecret(
                of: UnlockMethod.recovery(RecoveryPhrase(bits: SecureBytes(copyingPublic: phrase)))),
            createdAt: Self.time)
        let unlocked = try Vault.open(vault).unlock(method(pin))
        let second = try SlotSecret(of: method(pin, keyFile), cost: .leastInsecure)
        try unlocked.transaction { (transaction: inout VaultTransaction) throws(VaultError) in
            _ = try transaction.addSlot(second)
        }
        for (number, (scalar, label)) in zip(kept, ["one", "two", "three"]).enumerated() {
            let key = try PrivateKey(
                curve: Self.curves[number], scalar: SecureBytes(copyingPublic: scalar))
            try unlocked.insert(key, label: Label(label), createdAt: Self.time)
        }
        for (name, profile, text) in credentials {
            let credential = try Credential(profile: #require(profile), keyID: KeyID("key-id"))
            let label = try Label(name)
            var secret = try Optional(SecureBytes(copyingPublic: text.utf8))
            try unlocked.transaction { (transaction: inout VaultTransaction) throws(VaultError) in
                guard let secret = secret.take() else { return }
                try transaction.insert(credential, secret: secret, label: label, createdAt: Self.time)
            }
        }
    }

    func method(_ pin: String, _ keyFile: [UInt8]? = nil) throws -> UnlockMethod {
        let pin = try PIN(SecureBytes(copyingPublic: pin.utf8))
        guard let keyFile else { return .pin(pin) }
        return try .pinAndKeyFile(pin, KeyFile(SecureBytes(copyingPublic: keyFile)))
    }

    /// Sets a policy of all keys. Its second unlock method is the new PIN, or the phrase.
    func setPolicy(_ kind: SlotKind) throws {
        let method: UnlockMethod =
            try kind == .recovery
            ? .recovery(RecoveryPhrase(bits: SecureBytes(copyingPublic: phrase))) : method(newPIN)
        let vault = try Vault.open(path + "/data/vault.db").unlock(self.method(pin))
        let second = try SecondMethod.wrapping(
            SlotSecret(of: method, cost: .leastInsecure), in: vault, createdAt: Self.time)
        let policy = try StoredPolicy(
            .allKeys, document: [0x7b, 0x7d], secondMethod: second, setAt: Self.time)
        try vault.transaction { (transaction: inout VaultTransaction) throws(VaultError) in
            try transaction.set(policy, isLooser: false)
        }
        try addUnlockSecrets(salt: second.slot.salt, "the second method")
    }

    // MARK: - secrets

    private func addSecrets() throws {
        try table.add(.text("PIN", pin))
        try table.add(.text("new PIN", newPIN))
        try table.add(.text("wrong PIN", wrongPIN))
        try table.add(.bytes("key file", keyFile))
        try table.add(.phrase("phrase", phrase))
        try table.add(.phrase("wrong phrase", wrongPhrase))
        for (number, scalar) in kept.enumerated() { try table.add(.key("kept key \(number)", scalar)) }
        for (number, scalar) in new.enumerated() { try table.add(.key("new key \(number)", scalar)) }
        try table.add(.text("mistyped key", Self.mistyped(Self.wif(new[0]))))
        for (label, _, secret) in credentials { try table.add(.credential("secret of \(label)", secret)) }
        try table.add(.credential("new secret", newSecret))
        try table.add(.credential("secret with a space", spacedSecret))
        try addNonces()
        try addVaultSecrets()
    }

    private func addNonces() throws {
        for (index, transfer) in try Self.transfers().enumerated() {
            let transaction = try SignedTransaction(reading: transfer, abis: ContractABIs())
            let digest = transaction.digest(for: try ChainID("eos"))
            for (number, scalar) in kept.enumerated() where Self.curves[number] == .k1 {
                for secret in try Secret.nonces(
                    signing: digest, with: scalar, "kept key \(number), transfer \(index)")
                {
                    try table.add(secret)
                }
            }
        }
    }

    /// The slot secret of every unlock method for each slot, and the keys derived from it.
    private func addVaultSecrets() throws {
        let slots = try SlotTable(in: Vault.open(path + "/data/vault.db").connection)
        for (number, state) in slots.states.enumerated() {
            guard case .sound(let slot, _) = state else { continue }
            try addUnlockSecrets(salt: slot.salt, "slot \(number)")
            var budget = KDFBudget()
            let method: UnlockMethod =
                switch slot.kind {
                case .pin: try self.method(pin)
                case .pinAndKeyFile: try self.method(pin, keyFile)
                default: .recovery(try RecoveryPhrase(bits: SecureBytes(copyingPublic: phrase)))
                }
            guard let master = try slot.open(under: slot.secret(of: method, &budget), number: number) else {
                continue
            }
            try addKeys(of: master.copied(), "master key")
        }
    }

    /// The slot secrets of all PINs, with and without the key file, and of all phrases, for one
    /// salt.
    private func addUnlockSecrets(salt: [UInt8], _ name: String) throws {
        for (pin, kind) in [(pin, "PIN"), (newPIN, "new PIN"), (wrongPIN, "wrong PIN")] {
            try addSlotSecret(
                method(pin).secret(salt: salt, cost: .leastInsecure, details: []).copied(),
                "Argon2 of the \(kind) at \(name)")
            for (number, file) in (randoms + [keyFile]).enumerated() {
                let secret = try method(pin, file).secret(salt: salt, cost: .leastInsecure, details: [])
                try addSlotSecret(secret.copied(), "\(kind) and key file \(number) at \(name)")
            }
        }
        for (number, bits) in (randoms + [phrase, wrongPhrase]).enumerated() {
            let method = UnlockMethod.recovery(try RecoveryPhrase(bits: SecureBytes(copyingPublic: bits)))
            try addSlotSecret(
                method.secret(salt: salt, cost: nil, details: []).copied(), "phrase \(number) at \(name)")
        }
    }

    /// The slot secret is the input of the commitment and of the wrapping key.
    func addSlotSecret(_ secret: [UInt8], _ name: String) throws {
        try table.add(.bytes(name, secret))
        try table.add(
            .bytes(
                "wrapping key of \(name)",
                Sodium.subkey(.wrapping, of: SecureBytes(copyingPublic: secret)).copied())
        )
    }

    private func addKeys(of master: [UInt8], _ name: String) throws {
        try table.add(.bytes(name, master))
        let keys = try VaultKeys(master: SecureBytes(copyingPublic: master))
        for (role, key) in [("seal", keys.seal), ("manifest", keys.manifest), ("audit", keys.audit)] {
            let bytes = try key.lend { key throws(VaultError) in key.copied() }
            try table.add(.bytes("\(role) key of \(name)", bytes))
        }
    }

    /// Adds the nonces of the R1 signatures in an output of the program. When it is written, their
    /// traces could still be in memory.
    func recordOutput(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        for match in text.matches(of: /SIG_R1_[1-9A-HJ-NP-Za-km-z]+/) {
            let signature = try Signature(String(match.output))
            for (number, scalar) in kept.enumerated() where Self.curves[number] == .r1 {
                let key = try PrivateKey(curve: .r1, scalar: SecureBytes(copyingPublic: scalar)).publicKey
                for transfer in try Self.transfers() {
                    let transaction = try SignedTransaction(reading: transfer, abis: ContractABIs())
                    let digest = transaction.digest(for: try ChainID("eos"))
                    guard try signature.recover(digest) == key else { continue }
                    nonceCount += 1
                    for secret in Secret.nonce(of: signature, over: digest, by: scalar) {
                        try table.add(secret)
                    }
                }
            }
        }
    }

    /// How many random nonces were recorded.
    private(set) var nonceCount = 0

    // MARK: - random bytes of the program

    /// Random bytes that the program received while it was watched: 32 bytes are a key or a phrase;
    /// 16 bytes are a salt.
    private(set) var randoms: [[UInt8]] = []

    /// The first 32 bytes blind libsecp256k1, which is initialised before any secret is read.
    private var hasSeed = false

    func record(_ bytes: [UInt8]) throws {
        if bytes.count == 32, !hasSeed {
            hasSeed = true
            try table.add(.bytes("seed of libsecp256k1's context", bytes))
        } else if bytes.count == 32 {
            randoms.append(bytes)
            let name = "random bytes \(randoms.count)"
            var secret = try Secret.key(name, bytes)
            secret = Secret(
                name, bytes,
                secret.forms + (try Secret.wordForms(bytes))
                    + (derivesSeeds ? try Secret.phraseForms(bytes) : []))
            try table.add(secret)
            if derivesSeeds { try recordSeed(bytes, name) }
            for subkey in [("seal", Subkey.seal), ("manifest", .manifest), ("audit", .audit)] {
                try table.add(
                    .bytes(
                        "\(subkey.0) key of \(name)",
                        Sodium.subkey(subkey.1, of: SecureBytes(copyingPublic: bytes)).copied()))
            }
        } else if bytes.count == 28 {
            // The random bytes of the digest of shares.
            try table.add(.bytes("28 random bytes", bytes))
        } else if bytes.count == 16 {
            try addUnlockSecrets(salt: bytes, "a new slot")
        }
    }
}
