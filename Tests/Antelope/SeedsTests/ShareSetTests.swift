import SecureMemory
import Testing
import WordLists

@testable import Seeds

struct ShareSetTests {
    private static let chain = Array(1...5).flatMap { members in
        (1...members).map { ($0, members) }.filter { $0.0 > 1 || $0.1 == 1 }
    }

    private static func text(_ set: borrowing ShareSet, _ number: Int) throws -> SecureBytes {
        try set.text(ofShare: number)
    }

    private static func joined(_ set: borrowing ShareSet, _ numbers: [Int], passphrase: String = "") throws
        -> String
    {
        var join = ShareJoin()
        for number in numbers { try join.add(words: text(set, number)) }
        return hex(try join.secret(passphrase: bytes(passphrase)))
    }

    /// All choices of `count` numbers.
    private static func choices(_ count: Int, of numbers: [Int]) -> [[Int]] {
        guard count > 0 else { return [[]] }
        return numbers.indices.flatMap { index in
            choices(count - 1, of: Array(numbers[(index + 1)...])).map { [numbers[index]] + $0 }
        }
    }

    @Test(arguments: chain)
    func anySharesGiveTheSecret(_ threshold: Int, _ members: Int) throws {
        let secret = try SecureBytes(randomCount: 32)
        let set = try ShareSet.split(secret, of: members, threshold: threshold, exponent: 0)
        #expect(set.count == members && set.threshold == threshold && set.wordCount == 33)
        for numbers in Self.choices(threshold, of: Array(1...members)) {
            #expect(try Self.joined(set, numbers) == hex(secret))
            #expect(try Self.joined(set, numbers.reversed()) == hex(secret))
        }
        for numbers in Self.choices(threshold - 1, of: Array(1...members)) {
            let status = ShareStatus(
                groupsNeeded: numbers.isEmpty ? 0 : 1, groupCount: numbers.isEmpty ? 0 : 1,
                groups: numbers.isEmpty
                    ? [] : [ShareStatus.Group(number: 1, needed: threshold, have: threshold - 1)])
            #expect(seedError { _ = try Self.joined(set, numbers) } == .share(.tooFew(status)))
        }
    }

    @Test(arguments: [(16, 16), (2, 16), (9, 16), (15, 16)])
    func sixteenShares(_ threshold: Int, _ members: Int) throws {
        let secret = try SecureBytes(randomCount: 16)
        let set = try ShareSet.split(secret, of: members, threshold: threshold, exponent: 0)
        #expect(try Self.joined(set, Array((1...members).shuffled().prefix(threshold))) == hex(secret))
    }

    @Test(arguments: Array(stride(from: 16, through: 64, by: 2)), [true, false])
    func secretsOfAllLengths(_ count: Int, _ isExtendable: Bool) throws {
        let secret = try SecureBytes(randomCount: count)
        let set = try ShareSet.split(
            secret, of: 3, threshold: 2, passphrase: bytes("a passphrase"), exponent: 1,
            extendable: isExtendable)
        #expect(Share.valueCount(words: set.wordCount) == count)
        #expect(try Self.joined(set, [3, 1], passphrase: "a passphrase") == hex(secret))
        // Another passphrase gives another secret, and no error.
        #expect(try Self.joined(set, [3, 1], passphrase: "a passphrasf") != hex(secret))
    }

    @Test(arguments: 0...59)
    func valuesFitTheirWords(_ count: Int) {
        guard let valueCount = Share.valueCount(words: count) else { return }
        #expect(Share.wordCount(value: valueCount) == count)
        #expect((16...64).contains(valueCount) && valueCount.isMultiple(of: 2))
    }

    /// By `bits_to_words` of python-shamir-mnemonic.
    @Test func numbersOfWords() {
        #expect(
            (0...70).filter(ShareJoin.isWordCount) == [
                20, 22, 23, 25, 27, 28, 30, 31, 33, 35, 36, 38, 39, 41, 43, 44, 46, 47, 49, 51, 52, 54, 55,
                57, 59,
            ])
    }

    // MARK: words of a share

    @Test func lendsWords() throws {
        let set = try ShareSet.split(SecureBytes(randomCount: 16), of: 3, threshold: 2, exponent: 0)
        for number in 1...3 {
            let words = SeedsTests.text(try set.text(ofShare: number)).split(separator: " ").map(String.init)
            let cells = try set.withWords(ofShare: number) { SeedsTests.text($0) }
            #expect(cells.count == 20 * ShareSet.cellCount)
            #expect(cells.split(separator: " ").map(String.init) == words)
            for (index, word) in words.enumerated() {
                #expect(try set.isWord(index + 1, ofShare: number, equalTo: bytes(word)))
                #expect(
                    try set.isWord(
                        index + 1, ofShare: number, equalTo: bytes(" " + word.uppercased().prefix(4))))
                #expect(try !set.isWord(index + 1, ofShare: number, equalTo: bytes("abandon")))
            }
        }
        #expect(
            SeedsTests.text(try set.text(ofShare: 1)) != SeedsTests.text(try set.text(ofShare: 2)))
    }

    @Test func setsOfTheSameSecretDiffer() throws {
        let secret = try SecureBytes(count: 16)
        let first = try ShareSet.split(secret, of: 2, threshold: 2, exponent: 0)
        let second = try ShareSet.split(secret, of: 2, threshold: 2, exponent: 0)
        #expect(SeedsTests.text(try first.text(ofShare: 1)) != SeedsTests.text(try second.text(ofShare: 1)))
    }

    // MARK: refusals

    @Test(arguments: [0, 2, 14, 15, 17, 31, 33, 63, 65, 66])
    func refusesSecret(_ count: Int) {
        #expect(
            seedError { _ = try ShareSet.split(SecureBytes(count: count), of: 3, threshold: 2) }
                == .share(.secretCount(count)))
    }

    @Test(arguments: [
        (0, 0), (1, 0), (0, 1), (1, 2), (2, 1), (2, 3), (5, 1), (5, 6), (17, 2), (-1, -1), (3, 0),
    ])
    func refusesMembers(_ members: Int, _ threshold: Int) {
        #expect(
            seedError { _ = try ShareSet.split(SecureBytes(count: 16), of: members, threshold: threshold) }
                == .share(.members(members, threshold: threshold)))
    }

    @Test(arguments: [-1, 6, 15, 16])
    func refusesExponent(_ exponent: Int) {
        #expect(
            seedError {
                _ = try ShareSet.split(SecureBytes(count: 16), of: 3, threshold: 2, exponent: exponent)
            } == .share(.exponent(exponent, limit: 5)))
    }

    @Test func refusesPassphrase() {
        #expect(
            seedError {
                _ = try ShareSet.split(SecureBytes(count: 16), of: 3, threshold: 2, passphrase: bytes("ü"))
            } == .passphraseNotASCII(offset: 0))
    }

    // MARK: one share after another

    @Test func statusCountsShares() throws {
        let set = try ShareSet.split(SecureBytes(randomCount: 16), of: 5, threshold: 3, exponent: 0)
        let other = try ShareSet.split(SecureBytes(randomCount: 18), of: 5, threshold: 3, exponent: 0)
        var join = ShareJoin()
        #expect(join.status.missingText == "no share was given")
        #expect(join.wordCount == nil)
        for (have, number) in [4, 2, 5].enumerated() {
            #expect(join.status.groups.map(\.have) == (have == 0 ? [] : [have]))
            try join.add(words: set.text(ofShare: number))
            #expect(join.wordCount == 20)
            #expect(join.status.isComplete == (number == 5))
            let problem: ShareProblem = .repeated
            #expect(seedError { try join.add(words: set.text(ofShare: number)) } == .share(problem))
            let error = seedError { try join.add(words: other.text(ofShare: 1)) }
            // Two random identifiers are equal once in 32,768.
            #expect(error == .share(.foreign(.identifier)) || error == .share(.foreign(.length)))
            if number == 2 { #expect(join.status.missingText == "too few shares: 2 of 3 shares") }
        }
        #expect(seedError { try join.add(words: set.text(ofShare: 1)) } == .share(.notNeeded))
    }

    /// GF(256) by repeated addition, and the inverse of each element.
    @Test func fieldArithmetic() {
        for left in 0...255 as ClosedRange<UInt8> {
            for right in 0...255 as ClosedRange<UInt8> {
                var (product, term) = (0, Int(left))
                for bit in 0..<8 {
                    if Int(right) >> bit & 1 == 1 { product ^= term }
                    term <<= 1
                    if term & 0x100 != 0 { term ^= 0x11b }
                }
                guard Int(GF256.times(left, right)) == product else {
                    Issue.record("\(left) * \(right)")
                    return
                }
            }
            #expect(GF256.times(left, GF256.inverse(left)) == (left == 0 ? 0 : 1))
        }
    }
}
