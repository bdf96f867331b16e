import Codecs
import KeyVault
import Keys
import Messages
import SecureMemory
import Seeds
import WordLists

/// Words, seeds and shares. The texts, dice rolls and passphrases are secret.
enum SeedCases {
    /// Vector 2 of python-mnemonic, with its passphrase.
    private static let words = "legal winner thank year wave sausage worth useful legal winner thank yellow"
    private static let seed =
        "2e8905819b8723fe2c1d161860e5ee1830318dbf49a83bd451cfb8440c28bd6fa457fe1296106559a3c80937a1c1069b"
        + "e3a3a5bd381ee6260e8d9739fce1f607"
    private static let publicKey = "EOS8Lujdb7KudE4qs1rGQ44f6fqhPT53NcJVm5AYV5BmRyj5CvSFh"

    /// The vector 1 of python-shamir-mnemonic.
    private static let share =
        "duckling enlarge academic academic agency result length solution fridge kidney coal piece deal husband "
        + "erode duke ajar critical decision keyboard"

    static let all = [
        Case("words: typed") {
            var typed = try TypedPhrase(list: .bip39, count: 12)
            for word in words.split(separator: " ") {
                _ = try typed.take(secret("zzzz"))
                try expect(try typed.take(secret(String(word.prefix(4)))) == .taken(unknown: []), "no word")
            }
            try typed.withWords { try expect($0.secretCount() > 0, "the words are not secret") }
            let phrase = try SeedPhrase(typed: typed)
            try expect(try phrase.isWord(2, equalTo: secret("winn")), "the word differs")
            try expect(try !phrase.isWord(2, equalTo: secret("wine")), "the word is equal")
            try expect(phrase.words().disclosedText() == words, "the text differs")
        },
        Case("words: refusals") {
            for (text, expected) in refusedPhrases {
                var refusal: SeedError?
                do throws(SeedError) { _ = try SeedPhrase(words: given(text)) } catch { refusal = error }
                try expect(refusal == expected, "refused with \(String(describing: refusal))")
            }
            var refusal: VaultError?
            do throws(VaultError) { _ = try RecoveryPhrase(words: phraseOfVault("about")) } catch {
                refusal = error
            }
            try expect(refusal == .input(.recoveryPhrase(.checksum)), "the words are a phrase")
            let phrase = try RecoveryPhrase(words: phraseOfVault("artefact"))
            try expect(try phrase.isWord(24, equalTo: secret("arte")), "the word differs")
        },
        Case("hmac: tags") {
            for function in HMAC.allCases {
                for count in [1, 64, 200] {
                    let key = try secret(String(repeating: "k", count: count))
                    let tag = try function.tag(of: secret("a message"), key: key)
                    try expectSecret(tag, "the tag")
                }
            }
        },
        Case("pbkdf2") {
            for function in HMAC.allCases {
                let derived = try function.derive(
                    fromPassword: secret("a password"), salt: secret("a salt"), rounds: 20, count: 100)
                try expectSecret(derived, "the derived bytes")
            }
        },
        Case("seed: words to keys") {
            let phrase = try SeedPhrase(words: secret(words))
            let seed = try phrase.seed(passphrase: secret("TREZOR"))
            try expectSecret(seed, "the seed")
            let keys = try SeedKeys(seed: seed)
            let key = try keys.key(at: .eos(0))
            let count = key.withScalar { $0.secretCount() }
            try expect(count == PrivateKey.size, "\(count) bytes of the scalar are secret")
            try expect(key.publicKey.text == publicKey, "the public key is \(key.publicKey.text)")
            let found = try keys.paths(of: [key.publicKey], count: 1)
            try expect(found[key.publicKey] == .eos(0), "the key is not found")
            let plain = seed.withBytes { span in
                disclose(span)
                return (0..<span.byteCount).map { span[byte: $0] }
            }
            try expect(Hex.encode(plain) == Self.seed, "the seed differs")
        },
        Case("seed: passphrases") {
            let phrase = try SeedPhrase(words: secret(words))
            var refusal: SeedError?
            do throws(SeedError) { _ = try phrase.seed(passphrase: given("ab\u{7f}c")) } catch {
                refusal = error
            }
            try expect(refusal == .passphraseNotASCII(offset: 2), "the passphrase is accepted")
        },
        Case("seed: dice") {
            var rolls = try DiceRolls()
            try rolls.add(secret(String(repeating: "123456 ", count: 9)))
            let phrase = try SeedPhrase.random(mixing: rolls)
            try expectSecret(phrase.entropy(), "the entropy")
            var refusal: SeedError?
            do throws(SeedError) { try rolls.add(given("127")) } catch { refusal = error }
            try expect(refusal == .notARoll(offset: 2), "the roll is accepted")
        },
        Case("shares: split and join") {
            let entropy = try SeedPhrase(words: secret(words)).entropy()
            let set = try ShareSet.split(
                entropy, of: 4, threshold: 3, passphrase: secret("TREZOR"), exponent: 0)
            var join = ShareJoin()
            for number in [4, 1, 3] {
                try set.withWords(ofShare: number) { words in
                    try expect(words.secretCount() > 0, "the words of a share are not secret")
                }
                try expect(try !set.isWord(5, ofShare: number, equalTo: secret("abandon")), "a wrong word")
                try join.add(words: set.text(ofShare: number))
            }
            var refusal: SeedError?
            do throws(SeedError) { try join.add(words: set.text(ofShare: 1)) } catch { refusal = error }
            try expect(refusal == .share(.repeated), "a share is taken twice")
            let joined = try join.secret(passphrase: secret("TREZOR"))
            try expectSecret(joined, "the joined secret")
            try expect(joined.isEqual(to: entropy), "the secret differs")
        },
        Case("shares: refusals") {
            for (text, expected) in refusedShares {
                var join = ShareJoin()
                var refusal: SeedError?
                do throws(SeedError) { try join.add(words: given(text)) } catch { refusal = error }
                try expect(refusal == .share(expected), "refused with \(String(describing: refusal))")
            }
        },
    ]

    private static let refusedPhrases: [(text: String, error: SeedError)] = [
        (words + " zoo", .wordCount(13)),
        (words.replacing("legal", with: "legals"), .unknownWord(position: 1)),
        (words.replacing("legal", with: "l3gal"), .unknownWord(position: 1)),
        (words.replacing("yellow", with: "year"), .checksum),
        (Array(repeating: "abandon", count: 23).joined(separator: " ") + " artefact", .recoveryPhrase),
    ]

    private static let refusedShares: [(text: String, problem: ShareProblem)] = [
        (share + " acid", .wordCount(21)),
        (share.replacing("duckling", with: "zoo"), .unknownWord(position: 1)),
        (share.replacing("keyboard", with: "kidney"), .checksum),
        // Vector 3: the padding is not zero.
        (
            "duckling enlarge academic academic email result length solution fridge kidney coal piece deal husband "
                + "erode duke ajar music cargo fitness", .padding
        ),
    ]

    /// A secret text, for functions that throw one error type.
    private static func given(_ text: String) throws(SeedError) -> SecureBytes {
        do throws(SecureMemoryError) {
            let bytes = try SecureBytes(copyingPublic: text.utf8)
            bytes.classify()
            return bytes
        } catch { throw .memory(error) }
    }

    /// 24 words: `abandon`, and the last one.
    private static func phraseOfVault(_ last: String) throws(VaultError) -> SecureBytes {
        let text = Array(repeating: "abandon", count: 23).joined(separator: " ") + " " + last
        do throws(SeedError) { return try given(text) } catch {
            throw .machine(.memory(.unavailable(count: 0)))
        }
    }
}
