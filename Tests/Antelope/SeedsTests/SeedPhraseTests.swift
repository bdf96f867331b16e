import Codecs
import JSON
import SecureMemory
import TestSupport
import Testing
import WordLists

@testable import Seeds

struct SeedPhraseTests {
    private static let rows = SeedRow.all(
        "bip39-vectors", "leading-zeros", "paths", "published-eos", "random")

    @Test func allRowsAreRead() { #expect(Self.rows.count == 24 + 19 + 5 + 12 + 200) }

    // MARK: vectors

    @Test(arguments: rows)
    func seedAndKeys(_ row: SeedRow) throws {
        let phrase = try SeedPhrase(words: bytes(try #require(row["mnemonic"])))
        if let entropy = row["entropy"] { #expect(hex(try phrase.entropy()) == entropy) }
        #expect(text(try phrase.words()) == row["mnemonic"])
        let seed = try phrase.seed(passphrase: bytes(row["passphrase"] ?? ""))
        #expect(hex(seed) == row["seed"])
        let keys = try SeedKeys(seed: seed)
        #expect(!row.keys.isEmpty)
        for key in row.keys {
            try expect(keys.key(at: DerivationPath(try #require(key["path"]?.string))), equals: key)
        }
    }

    @Test(arguments: rows.filter { $0["entropy"] != nil })
    func wordsOfEntropy(_ row: SeedRow) throws {
        let phrase = try SeedPhrase(entropy: bytes(hex: row["entropy"]))
        #expect(text(try phrase.words()) == row["mnemonic"])
    }

    @Test(arguments: rows.filter { $0["passphrase"] == "" }.prefix(5))
    func noPassphraseIsTheEmptyOne(_ row: SeedRow) throws {
        let phrase = try SeedPhrase(words: bytes(try #require(row["mnemonic"])))
        #expect(hex(try phrase.seed(passphrase: nil)) == row["seed"])
    }

    @Test(arguments: SeedRow.all("invalid").filter { $0["result"] == "acceptable" })
    func formsOfTheTextAreReadAsTheNormalForm(_ row: SeedRow) throws {
        let phrase = try SeedPhrase(words: bytes(try #require(row["mnemonic"])))
        #expect(text(try phrase.words()) == row["normal_form"])
        #expect(hex(try phrase.seed(passphrase: bytes(row["passphrase"] ?? ""))) == row["seed"])
    }

    @Test(arguments: SeedRow.all("invalid").filter { $0["result"] == "invalid" })
    func invalidRowIsRefused(_ row: SeedRow) throws {
        let error = seedError { _ = try SeedPhrase(words: bytes(try #require(row["mnemonic"]))) }
        let reason: String? =
            switch error {
            case .wordCount: "wrong_count"
            case .unknownWord: "unknown_word"
            case .checksum: "bad_checksum"
            default: nil
            }
        let allowed = row.json["refuse"]?.array?.compactMap(\.string) ?? []
        #expect(allowed.contains(reason ?? "\(String(describing: error))"))
    }

    // MARK: refusals

    private static let zoo = Array(repeating: "zoo", count: 23).joined(separator: " ")
    private static let abandon = Array(repeating: "abandon", count: 11).joined(separator: " ")

    private static let refused: [(text: String, error: SeedError)] = [
        ("", .wordCount(0)), ("abandon", .wordCount(1)), (abandon, .wordCount(11)),
        (abandon + " about about", .wordCount(13)), (abandon + " abandon", .checksum),
        (abandon + " abou", .unknownWord(position: 12)), (abandon + " zzzz", .unknownWord(position: 12)),
        ("xénon " + abandon, .unknownWord(position: 1)), ("abandon2 " + abandon, .unknownWord(position: 1)),
        ("abandons abandonsabandons " + abandon.dropFirst(8), .unknownWord(position: 1)),
        (
            Array(repeating: "abandon", count: 23).joined(separator: " ") + " artefact", .recoveryPhrase
        ),
        (zoo + " volume", .recoveryPhrase),
        (zoo + " wage", .checksum),
        (String(repeating: " ", count: 1_025), .memory(.tooLong(limit: 1_024))),
    ]

    @Test(arguments: refused)
    func refuses(_ text: String, _ error: SeedError) {
        #expect(seedError { _ = try SeedPhrase(words: bytes(text)) } == error)
    }

    @Test(arguments: [0, 4, 12, 15, 17, 31, 33, 36, 64])
    func refusesOtherEntropy(_ count: Int) {
        #expect(seedError { _ = try SeedPhrase(entropy: SecureBytes(count: count)) } == .entropyCount(count))
    }

    @Test(arguments: [
        ("é", SeedError.passphraseNotASCII(offset: 0)), ("ab\u{7f}", .passphraseNotASCII(offset: 2)),
        ("a\n", .passphraseNotASCII(offset: 1)), ("a\tb", .passphraseNotASCII(offset: 1)),
        (String(repeating: "a", count: 1_025), .passphraseTooLong(limit: 1_024)),
    ])
    func refusesPassphrase(_ passphrase: String, _ error: SeedError) throws {
        let phrase = try SeedPhrase(words: bytes(Self.abandon + " about"))
        #expect(seedError { _ = try phrase.seed(passphrase: bytes(passphrase)) } == error)
    }

    @Test func longestPassphraseIsAccepted() throws {
        let phrase = try SeedPhrase(words: bytes(Self.abandon + " about"))
        let printable = String((0..<1_024).map { Character(UnicodeScalar(UInt8(0x20 + $0 % 95))) })
        _ = try phrase.seed(passphrase: bytes(printable))
    }

    // MARK: typed words, new phrases

    @Test(arguments: SeedRow.all("bip39-vectors"))
    func typedWords(_ row: SeedRow) throws {
        let words = try #require(row["mnemonic"]).split(separator: " ")
        var typed = try TypedPhrase(list: .bip39, count: words.count)
        for word in words { #expect(try typed.take(bytes(String(word.prefix(4)))) == .taken(unknown: [])) }
        let phrase = try SeedPhrase(typed: typed)
        #expect(text(try phrase.words()) == row["mnemonic"])
        #expect(phrase.wordCount == words.count)
        for (index, word) in words.enumerated() {
            #expect(try phrase.isWord(index + 1, equalTo: bytes(String(word))))
            #expect(try !phrase.isWord(index + 1, equalTo: bytes("zebra")))
        }
        let cells = try phrase.withWords { text($0) }
        #expect(cells.count == words.count * SeedPhrase.cellCount)
        #expect(cells.split(separator: " ") == words)
    }

    @Test func openTypedWordsAreRefused() throws {
        var typed = try TypedPhrase(list: .bip39, count: 12)
        _ = try typed.take(bytes(Self.abandon))
        #expect(seedError { _ = try SeedPhrase(typed: typed) } == .wordCount(11))
        let other = try TypedPhrase(list: .bip39, count: 13)
        #expect(seedError { _ = try SeedPhrase(typed: other) } == .wordCount(0))
    }

    @Test(arguments: [16, 20, 24, 28, 32])
    func newPhrasesReadBack(_ count: Int) throws {
        for _ in 0..<20 {
            let entropy = try SecureBytes(randomCount: count)
            let expected = hex(entropy)
            let phrase = try SeedPhrase(entropy: entropy)
            #expect(phrase.wordCount == count * 3 / 4)
            let again = try SeedPhrase(words: phrase.words())
            #expect(hex(try again.entropy()) == expected)
        }
    }

    @Test func randomPhrasesDiffer() throws {
        let first = try SeedPhrase.random()
        let second = try SeedPhrase.random()
        #expect(first.wordCount == 24)
        #expect(hex(try first.entropy()) != hex(try second.entropy()))
    }

    /// A wallet's 24 words with the checksum XOR 1 are a recovery phrase, and no other difference.
    @Test func onlyTheVersionOfARecoveryPhraseIsRecognised() throws {
        let list = String(decoding: WordList.bip39.text, as: UTF8.self).split(separator: "\n")
        let start = Array(repeating: "abandon", count: 23).joined(separator: " ")
        // The SHA-256 of 32 zero bytes begins with 0x66.
        for (number, word) in list.enumerated().prefix(256) {
            let expected: SeedError? = number == 0x66 ? nil : number == 0x67 ? .recoveryPhrase : .checksum
            #expect(seedError { _ = try SeedPhrase(words: bytes("\(start) \(word)")) } == expected)
        }
    }
}
