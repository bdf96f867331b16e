import Codecs
import Keys
import SecureMemory
import TestSupport
import WordLists

@testable import KeyVault
@testable import Seeds

/// Random secrets of seeds, different in each fixture.
struct SeedSecrets {
    /// The seed in the vault, with the label `family`.
    let kept = VaultFixture.random(32)
    /// A seed that is not in the vault yet.
    let new = VaultFixture.random(32)
    let passphrase = VaultFixture.randomPIN()
    /// Rolls of a die, on two lines.
    let rolls = (0..<60).map { _ in String(Int.random(in: 1...6)) }.joined()

    static func words(_ entropy: [UInt8]) throws -> String {
        let text = try SeedPhrase(entropy: SecureBytes(copyingPublic: entropy)).words()
        return String(decoding: text.copied(), as: UTF8.self)
    }

    /// The words with another last word, which makes the checksum wrong.
    static func mistypedWords(_ entropy: [UInt8]) throws -> String {
        let words = try words(entropy).split(separator: " ")
        // A recovery phrase has another checksum, and is named in another message.
        let last = try ["zoo", "zone", "wrap"].first { last in
            let text = (words.dropLast() + [Substring(last)]).joined(separator: " ")
            do {
                _ = try SeedPhrase(words: SecureBytes(copyingPublic: text.utf8))
                return false
            } catch SeedError.checksum { return true } catch SeedError.recoveryPhrase { return false }
        }
        return (words.dropLast() + [Substring(last ?? "")]).joined(separator: " ")
    }

    /// The texts of new shares of a secret.
    static func shares(_ secret: [UInt8], threshold: Int = 2, passphrase: String? = nil) throws -> [String] {
        func split(_ passphrase: borrowing SecureBytes?) throws -> [String] {
            let set = try ShareSet.split(
                SecureBytes(copyingPublic: secret), of: 3, threshold: threshold, passphrase: passphrase)
            return try (1...3).map { String(decoding: try set.text(ofShare: $0).copied(), as: UTF8.self) }
        }
        guard let passphrase else { return try split(nil) }
        return try split(SecureBytes(copyingPublic: passphrase.utf8))
    }

    /// The share with another value: its own checksum is right, and it does not belong to the set.
    static func forged(_ text: String) throws -> String {
        let share = try Share(words: SecureBytes(copyingPublic: text.utf8))
        var value = share.value.copied()
        value[7] ^= 1
        let parameters = share.parameters
        let words = try SecureBytes(copyingPublic: value).withBytes {
            try Share.numbers(parameters, $0).joined()
        }
        return String(decoding: words.copied(), as: UTF8.self)
    }
}

extension VaultFixture {
    /// Adds a seed to the vault, with the label `family`, files of words, and their secrets.
    func addSeed() throws {
        let time: Int64 = 1_700_000_000
        let secret = try SecureBytes(copyingPublic: seeds.kept)
        var given: SecureBytes? = consume secret
        try Vault.open(path + "/data/vault.db").unlock(method(pin)).transaction {
            (transaction: inout VaultTransaction) throws(VaultError) in
            guard let secret = given.take() else { return }
            try transaction.insert(
                StoredSeed(form: .words), secret: secret, label: Label("family"), createdAt: time,
                origin: .imported)
        }
        try addSecrets(Secret.seed("kept seed", seeds.kept))
        try addNewSeed()
    }

    /// Files of words, and their secrets.
    func addNewSeed() throws {
        func write(_ text: String, to name: String) throws {
            try Files.write(Array((text + "\n").utf8), to: path + "/" + name)
        }
        try write(SeedSecrets.words(seeds.new), to: "words")
        try write(SeedSecrets.mistypedWords(seeds.new), to: "words-checksum")
        try write(
            SeedSecrets.words(seeds.new).split(separator: " ").dropLast().joined(separator: " ")
                + " eosvault", to: "words-unknown")
        // A password file has exactly the bytes of the password.
        try Files.write(Array(seeds.passphrase.utf8), to: path + "/passphrase")
        try write(SeedSecrets.words(seeds.kept), to: "words-kept")
        try addSecrets(Secret.seed("new seed", seeds.new))
        try addSecrets(
            Secret.derived(
                from: Secret.bip39Seed(seeds.new, passphrase: seeds.passphrase), "new seed with a passphrase")
        )
        let rolls = Array(seeds.rolls.utf8)
        try addSecrets([
            .text("passphrase", seeds.passphrase),
            Secret(
                "rolls", rolls,
                [Form("text", rolls, piece: 12), Form("text backwards", rolls.reversed(), piece: 12)]),
        ])
        derivesSeeds = true
    }

    func addSecrets(_ secrets: [Secret]) throws { for secret in secrets { try table.add(secret) } }

    /// The public key of a seed at an index.
    func publicKey(of entropy: [UInt8], at index: UInt32) throws -> String {
        let seed = try Secret.bip39Seed(entropy)
        return try SeedKeys(seed: SecureBytes(copyingPublic: seed)).key(at: .eos(index)).publicKey.text
    }

    /// The seed that 32 random bytes of the program are, or the one that they give with the rolls.
    func recordSeed(_ bytes: [UInt8], _ name: String) throws {
        let mixed = try HMAC.sha256.tag(
            of: SecureBytes(copyingPublic: seeds.rolls.utf8), key: SecureBytes(copyingPublic: bytes)
        ).copied()
        for (name, entropy) in [(name, bytes), ("\(name) and the rolls", mixed)] {
            try addSecrets(Secret.seed(name, entropy, [.eos(0)]))
        }
    }

    /// Adds the share that is on the screen, if there is one.
    func recordShare(_ seen: [UInt8]) throws {
        let words = ShownPhrase.words(in: seen)
        let text = words.keys.sorted().compactMap { words[$0] }.joined(separator: " ")
        guard let share = try? Secret.share(text) else { return }
        try table.add(share.secret)
    }

    /// Adds shares, and the values between them and their secret.
    func addShares(_ texts: [String], of secret: [UInt8], passphrase: String? = nil) throws {
        for text in texts { try table.add(Secret.share(text).secret) }
        guard let first = texts.first else { return }
        let parameters = try Share(words: SecureBytes(copyingPublic: first.utf8)).parameters
        try addSecrets(Secret.rounds(of: secret, parameters, passphrase: passphrase ?? ""))
    }
}
