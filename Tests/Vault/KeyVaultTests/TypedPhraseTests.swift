import SecureMemory
import Testing

@testable import KeyVault

/// The words of a phrase, typed line by line.
struct TypedPhraseTests {
    /// The words of the list, in its order. `RecoveryPhraseTests` compares the list with the
    /// published one.
    private static let list = String(decoding: WordList.text, as: UTF8.self).split(separator: "\n").map(
        String.init)

    /// The words of 256 one bits (`RecoveryPhraseTests`).
    private static let words = Array(repeating: "zoo", count: 23) + ["volume"]

    private static func line(_ text: String) throws -> SecureBytes {
        try SecureBytes(copyingPublic: text.utf8)
    }

    private static func written(_ phrase: borrowing RecoveryPhrase) throws -> [String] {
        try phrase.withWords { words in
            words.withBytes { span in
                String(decoding: (0..<span.byteCount).map { span[byte: $0] }, as: UTF8.self)
            }
        }.split(separator: " ").map(String.init)
    }

    /// The numbers of words, counted from 0; nil for a word that is not accepted.
    private static func numbers(_ texts: [String]) throws -> [Int?] {
        try texts.map { text in
            var number: Int?
            try TypedWords.forEach(in: line(text)) { _, letters in
                number = letters.flatMap(WordList.number(ofAbbreviated:))
            }
            return number
        }
    }

    // MARK: the list

    @Test func fourLettersIdentifyEachWord() {
        #expect(Set(Self.list.map { $0.prefix(4) }).count == 2_048)
    }

    @Test func knowsEachWord() throws { #expect(try Self.numbers(Self.list) == Array(Self.list.indices)) }

    @Test func knowsEachWordByFourLetters() throws {
        #expect(try Self.numbers(Self.list.map { String($0.prefix(4)) }) == Array(Self.list.indices))
    }

    /// Three letters are accepted only if they are a word: `act`, but not `abs`.
    @Test func threeLettersAreNoAbbreviation() throws {
        let long = Self.list.filter { $0.count > 3 }
        let expected = long.map { Self.list.firstIndex(of: String($0.prefix(3))) }
        #expect(try Self.numbers(long.map { String($0.prefix(3)) }) == expected)
        #expect(expected.contains { $0 != nil })
    }

    @Test(arguments: [
        ("act", "act"), ("acti", "action"), ("actio", "action"), ("action", "action"), ("ACTI", "action"),
        ("abst", "abstract"), ("abstract", "abstract"), ("word", "word"), ("add", "add"), ("addr", "address"),
    ])
    func anyBeginningFromFourLettersOnIsTheWord(typed: String, word: String) throws {
        #expect(try Self.numbers([typed]) == [Self.list.firstIndex(of: word)])
    }

    @Test(arguments: [
        "", "a", "ac", "abs", "actx", "actions", "actionx", "abstractly", "abstrac1", "abstrakt", "zzzz",
        "aban.",
        "zoö",
        "zoo\u{a0}", "aband\u{e0}", "\u{e1}bandon", "0000",
    ])
    func otherTextsAreUnknown(text: String) throws { #expect(try Self.numbers([text]) == [nil]) }

    // MARK: lines

    @Test func takesWordByWord() throws {
        var typed = try TypedPhrase()
        for (index, word) in Self.words.enumerated() {
            #expect(typed.openPositions == index + 1..<25)
            #expect(try typed.take(Self.line(" \(word.prefix(4).uppercased())\t")) == .taken(unknown: []))
        }
        #expect(typed.openPositions.isEmpty)
        #expect(try Self.written(typed.phrase()) == Self.words)
    }

    @Test func takesSeveralWordsOfALine() throws {
        var typed = try TypedPhrase()
        #expect(
            try typed.take(Self.line(Self.words.prefix(10).joined(separator: " "))) == .taken(unknown: []))
        #expect(typed.openPositions == 11..<25)
        #expect(try typed.take(Self.line("")) == .taken(unknown: []))
        #expect(typed.openPositions == 11..<25)
        #expect(
            try typed.take(Self.line(Self.words.dropFirst(10).joined(separator: "  "))) == .taken(unknown: [])
        )
        #expect(try Self.written(typed.phrase()) == Self.words)
    }

    /// The other words of the line are kept.
    @Test func anUnknownWordStaysOpen() throws {
        var typed = try TypedPhrase()
        var line = Self.words
        (line[2], line[6]) = ("zooo", "volumes")
        #expect(try typed.take(Self.line(line.joined(separator: " "))) == .taken(unknown: [3, 7]))
        #expect(typed.openPositions == 3..<4)
        #expect(try typed.take(Self.line("zoo zoo")) == .tooMany(2))
        #expect(try typed.take(Self.line("zo")) == .taken(unknown: [3]))
        #expect(try typed.take(Self.line("zoo")) == .taken(unknown: []))
        #expect(typed.openPositions == 7..<8)
        #expect(Self.problem(typed) == .input(.recoveryPhrase(.wordCount(23))))
        #expect(try typed.take(Self.line("zoo")) == .taken(unknown: []))
        #expect(try Self.written(typed.phrase()) == Self.words)
    }

    @Test func moreWordsThanOpenPositionsAreRefused() throws {
        var typed = try TypedPhrase()
        let line = Self.words.joined(separator: " ")
        #expect(try typed.take(Self.line(line + " zoo")) == .tooMany(25))
        #expect(typed.openPositions == 1..<25)
        _ = try typed.take(Self.line("zoo"))
        #expect(try typed.take(Self.line(line)) == .tooMany(24))
        #expect(typed.openPositions == 2..<25)
    }

    @Test func tooLongALineIsRefused() throws {
        var typed = try TypedPhrase()
        let spaces = String(repeating: " ", count: RecoveryPhrase.maximumTextCount - 3)
        #expect(try typed.take(Self.line(spaces + "zoo")) == .taken(unknown: []))
        #expect(
            vaultError { _ = try typed.take(Self.line(spaces + "zoo ")) }
                == .machine(.memory(.tooLong(limit: 1_024))))
        #expect(typed.openPositions == 2..<25)
    }

    // MARK: the checksum

    private static func problem(_ typed: borrowing TypedPhrase) -> VaultError? {
        do throws(VaultError) { _ = try typed.phrase() } catch { return error }
        return nil
    }

    @Test func aWordIsTypedAgainByItsNumber() throws {
        var typed = try TypedPhrase()
        var line = Self.words
        line[7] = "zone"
        #expect(try typed.take(Self.line(line.joined(separator: " "))) == .taken(unknown: []))
        #expect(Self.problem(typed) == .input(.recoveryPhrase(.checksum)))
        let shown = try typed.withWords { words in
            words.withBytes { span in
                String(decoding: (0..<span.byteCount).map { span[byte: $0] }, as: UTF8.self)
            }
        }
        #expect(shown.split(separator: " ").map(String.init) == line)
        typed.drop(8)
        #expect(typed.openPositions == 8..<9)
        #expect(try typed.take(Self.line("zoo")) == .taken(unknown: []))
        #expect(try Self.written(typed.phrase()) == Self.words)
    }

    @Test(arguments: RecoveryPhraseTests.walletVectors.map(\.words))
    func aSeedOfAWalletIsRefused(words: String) throws {
        var typed = try TypedPhrase()
        #expect(try typed.take(Self.line(words)) == .taken(unknown: []))
        #expect(Self.problem(typed) == .input(.recoveryPhrase(.walletSeed)))
    }

    @Test func withoutWordsThereIsNoPhrase() throws {
        #expect(Self.problem(try TypedPhrase()) == .input(.recoveryPhrase(.wordCount(0))))
    }

    // MARK: positions

    @Test(arguments: [
        ("1", 1), ("9", 9), ("10", 10), ("24", 24), ("07", 7), ("0", nil), ("00", nil), ("25", nil),
        ("240", nil),
        ("", nil),
        ("-1", nil), ("1 ", nil), ("1x", nil), ("x1", nil), ("zoo", nil), ("٣", nil),
        // 2^64 + 1 and 2^64 + 24: the number must not wrap around.
        ("18446744073709551617", nil), ("18446744073709551640", nil),
    ])
    func positionIsANumber(text: String, expected: Int?) throws {
        #expect(try TypedPhrase.position(typed: Self.line(text)) == expected)
    }

    @Test(arguments: [
        ("all", true), ("ALL", true), (" all ", true), ("", false), ("al", false), ("alle", false),
        ("alll", false),
        ("all all", false), ("lla", false), ("24", false), ("al1", false), ("all.", false),
        ("allabcdefg", false),
    ])
    func allWordsAreNamedByAll(text: String, expected: Bool) throws {
        #expect(try TypedPhrase.isAll(typed: Self.line(text)) == expected)
    }
}
