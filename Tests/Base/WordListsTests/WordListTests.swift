import Codecs
import SecureMemory
import Testing

@testable import WordLists

struct WordListTests {
    struct Published: Sendable, CustomTestStringConvertible {
        let list: WordList
        let digest: String
        let count: Int
        var testDescription: String { "\(count) words" }
        /// The words of the list, in its order.
        var words: [String] {
            String(decoding: list.text, as: UTF8.self).split(separator: "\n").map(String.init)
        }
    }

    /// SHA-256 of bip-0039/english.txt, and of wordlist.txt of python-shamir-mnemonic 0.3.0.
    static let published = [
        Published(
            list: .bip39, digest: "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda",
            count: 2_048),
        Published(
            list: .slip39, digest: "bcc4555340332d169718aed8bf31dd9d5248cb7da6e5d355140ef4f1e601eec3",
            count: 1_024),
    ]

    /// The numbers of words, counted from 0; nil for a word that is not accepted.
    private static func numbers(_ texts: [String], in list: WordList) throws -> [Int?] {
        try texts.map { text in
            var number: Int?
            try TypedWords.forEach(in: SecureBytes(copyingPublic: text.utf8)) { _, letters in
                number = letters.flatMap(list.number(ofAbbreviated:))
            }
            return number
        }
    }

    @Test(arguments: published)
    func isThePublishedOne(_ published: Published) {
        #expect(Hex.encode(HashFunction.sha256.hash(published.list.text)) == published.digest)
        #expect(published.list.words.count == published.count)
        #expect(1 << published.list.bitCount == published.count)
        #expect(Set(published.list.words).count == published.count)
        #expect(!published.list.words.contains(0))
    }

    @Test(arguments: published)
    func fourLettersIdentifyEachWord(_ published: Published) {
        #expect(Set(published.words.map { $0.prefix(4) }).count == published.count)
    }

    @Test(arguments: published)
    func knowsEachWord(_ published: Published) throws {
        let words = published.words
        #expect(try Self.numbers(words, in: published.list) == Array(words.indices))
        #expect(
            try Self.numbers(words.map { String($0.prefix(4)) }, in: published.list) == Array(words.indices))
    }

    @Test(arguments: published)
    func findsEachWordByItsNumber(_ published: Published) {
        #expect(published.list.words.indices.map(published.list.letters(of:)) == published.list.words)
        for (number, letters) in published.list.words.enumerated() {
            #expect(published.list.number(of: letters) == number)
        }
    }

    /// Three letters are accepted only if they are a word: `act`, but not `abs`.
    @Test func threeLettersAreNoAbbreviation() throws {
        let list = Self.published[0].words
        let long = list.filter { $0.count > 3 }
        let expected = long.map { list.firstIndex(of: String($0.prefix(3))) }
        #expect(try Self.numbers(long.map { String($0.prefix(3)) }, in: .bip39) == expected)
        #expect(expected.contains { $0 != nil })
    }

    @Test(arguments: [
        ("act", "act"), ("acti", "action"), ("actio", "action"), ("action", "action"), ("ACTI", "action"),
        ("abst", "abstract"), ("abstract", "abstract"), ("word", "word"), ("add", "add"), ("addr", "address"),
    ])
    func anyBeginningFromFourLettersOnIsTheWord(typed: String, word: String) throws {
        #expect(try Self.numbers([typed], in: .bip39) == [Self.published[0].words.firstIndex(of: word)])
    }

    @Test(arguments: [
        "", "a", "ac", "abs", "actx", "actions", "actionx", "abstractly", "abstrac1", "abstrakt", "zzzz",
        "aban.", "zoö", "zoo\u{a0}", "aband\u{e0}", "\u{e1}bandon", "0000", "aban{", "aban`", "aban@",
    ])
    func otherTextsAreUnknown(text: String) throws {
        #expect(try Self.numbers([text], in: .bip39) == [nil])
        #expect(try Self.numbers([text], in: .slip39) == [nil])
    }

    // MARK: numbers

    @Test(arguments: published)
    func numbersAndTexts(_ published: Published) throws {
        let words = published.words
        for count in [1, 2, 3, 12, 20, 24, 33, 59] {
            var numbers = try WordNumbers(list: published.list, count: count)
            let chosen = (0..<count).map { _ in Int.random(in: words.indices) }
            // Numbers are overwritten without a trace of the ones before.
            for (position, _) in chosen.enumerated() { numbers[position] = words.count - 1 }
            for (position, number) in chosen.enumerated() { numbers[position] = number }
            #expect((0..<count).map { numbers[$0] } == chosen)
            #expect(text(try numbers.joined()) == chosen.map { words[$0] }.joined(separator: " "))
            let cells = text(try numbers.text())
            #expect(cells.count == count * WordList.cellCount)
            #expect(cells.split(separator: " ").map(String.init) == chosen.map { words[$0] })
            let bits = chosen.flatMap { number in
                (0..<published.list.bitCount).reversed().map { UInt8(number >> $0 & 1) }
            }
            let whole = bits.count / 8
            let expected = (0..<whole).map { bits[8 * $0..<8 * $0 + 8].reduce(0) { $0 << 1 | $1 } }
            #expect(bytes(try numbers.bits(whole)) == expected)
        }
    }

    /// The longest and the shortest words at each place.
    @Test func joinsWordsOfAllLengths() throws {
        let words = Self.published[0].words
        let long = try #require(words.firstIndex { $0.count == 8 })
        let short = try #require(words.firstIndex { $0.count == 3 })
        for chosen in [
            [long], [short], [long, short, long], [short, short], Array(repeating: short, count: 24),
        ] {
            var numbers = try WordNumbers(list: .bip39, count: chosen.count)
            for (position, number) in chosen.enumerated() { numbers[position] = number }
            #expect(text(try numbers.joined()) == chosen.map { words[$0] }.joined(separator: " "))
        }
    }

    private func bytes(_ secret: borrowing SecureBytes) -> [UInt8] {
        secret.withBytes { span in (0..<span.byteCount).map { span[byte: $0] } }
    }

    private func text(_ secret: borrowing SecureBytes) -> String {
        String(decoding: bytes(secret), as: UTF8.self)
    }
}
