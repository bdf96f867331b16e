import SecureMemory
import Testing

@testable import WordLists

/// The words of a phrase, typed line by line.
struct TypedPhraseTests {
    /// Some words of the list.
    private static let words = Array(repeating: "zoo", count: 23) + ["volume"]

    private static func line(_ text: String) throws -> SecureBytes {
        try SecureBytes(copyingPublic: text.utf8)
    }

    private static func phrase() throws -> TypedPhrase { try TypedPhrase(list: .bip39, count: 24) }

    private static func written(_ typed: borrowing TypedPhrase) throws -> [String] {
        try typed.withWords { words in
            words.withBytes { span in
                String(decoding: (0..<span.byteCount).map { span[byte: $0] }, as: UTF8.self)
            }
        }.split(separator: " ").map(String.init)
    }

    // MARK: lines

    @Test func takesWordByWord() throws {
        var typed = try Self.phrase()
        for (index, word) in Self.words.enumerated() {
            #expect(typed.openPositions == index + 1..<25)
            #expect(try typed.take(Self.line(" \(word.prefix(4).uppercased())\t")) == .taken(unknown: []))
        }
        #expect(typed.openPositions.isEmpty)
        #expect(try Self.written(typed) == Self.words)
    }

    @Test func takesSeveralWordsOfALine() throws {
        var typed = try Self.phrase()
        #expect(
            try typed.take(Self.line(Self.words.prefix(10).joined(separator: " "))) == .taken(unknown: []))
        #expect(typed.openPositions == 11..<25)
        #expect(try typed.take(Self.line("")) == .taken(unknown: []))
        #expect(typed.openPositions == 11..<25)
        #expect(
            try typed.take(Self.line(Self.words.dropFirst(10).joined(separator: "  "))) == .taken(unknown: [])
        )
        #expect(try Self.written(typed) == Self.words)
    }

    /// The other words of the line are kept.
    @Test func anUnknownWordStaysOpen() throws {
        var typed = try Self.phrase()
        var line = Self.words
        (line[2], line[6]) = ("zooo", "volumes")
        #expect(try typed.take(Self.line(line.joined(separator: " "))) == .taken(unknown: [3, 7]))
        #expect(typed.openPositions == 3..<4)
        #expect(try typed.take(Self.line("zoo zoo")) == .tooMany(2))
        #expect(try typed.take(Self.line("zo")) == .taken(unknown: [3]))
        #expect(try typed.take(Self.line("zoo")) == .taken(unknown: []))
        #expect(typed.openPositions == 7..<8)
        #expect(typed.takenCount == 23)
        #expect(try typed.take(Self.line("zoo")) == .taken(unknown: []))
        #expect(try Self.written(typed) == Self.words)
    }

    @Test func moreWordsThanOpenPositionsAreRefused() throws {
        var typed = try Self.phrase()
        let line = Self.words.joined(separator: " ")
        #expect(try typed.take(Self.line(line + " zoo")) == .tooMany(25))
        #expect(typed.openPositions == 1..<25)
        _ = try typed.take(Self.line("zoo"))
        #expect(try typed.take(Self.line(line)) == .tooMany(24))
        #expect(typed.openPositions == 2..<25)
    }

    @Test func tooLongALineIsRefused() throws {
        var typed = try Self.phrase()
        let spaces = String(repeating: " ", count: TypedWords.maximumTextCount - 3)
        #expect(try typed.take(Self.line(spaces + "zoo")) == .taken(unknown: []))
        #expect(throws: SecureMemoryError.tooLong(limit: 1_024)) {
            _ = try typed.take(Self.line(spaces + "zoo "))
        }
        #expect(typed.openPositions == 2..<25)
    }

    // MARK: a word again

    @Test func aWordIsTypedAgainByItsNumber() throws {
        var typed = try Self.phrase()
        var line = Self.words
        line[7] = "zone"
        #expect(try typed.take(Self.line(line.joined(separator: " "))) == .taken(unknown: []))
        let shown = try typed.withWords { words in
            words.withBytes { span in
                String(decoding: (0..<span.byteCount).map { span[byte: $0] }, as: UTF8.self)
            }
        }
        #expect(shown.split(separator: " ").map(String.init) == line)
        typed.drop(8)
        #expect(typed.openPositions == 8..<9)
        #expect(try typed.take(Self.line("zoo")) == .taken(unknown: []))
        #expect(try Self.written(typed) == Self.words)
    }

    /// The lists have different words and numbers of bits.
    @Test func takesWordsOfTheOtherList() throws {
        var typed = try TypedPhrase(list: .slip39, count: 20)
        #expect(typed.wordCount == 20)
        #expect(try typed.take(Self.line("acad ACID zero abandon")) == .taken(unknown: [4]))
        #expect(typed.openPositions == 4..<21)
        #expect(typed.numbers[0] == 0)
        #expect(typed.numbers[1] == 1)
        #expect(typed.numbers[2] == 1_023)
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
        #expect(try TypedPhrase.position(typed: Self.line(text), of: 24) == expected)
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
