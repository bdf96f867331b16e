import Codecs
import SecureMemory
import Testing

@testable import Seeds

struct DiceRollsTests {
    private static func rolls(_ lines: String...) throws -> DiceRolls {
        var rolls = try DiceRolls()
        for line in lines { try rolls.add(bytes(line)) }
        return rolls
    }

    @Test func countsRolls() throws {
        var rolls = try Self.rolls("123456", " 1 2 3 ", "", "66")
        #expect(rolls.count == 11)
        #expect(seedError { try rolls.add(bytes("12x4")) } == .notARoll(offset: 2))
        #expect(rolls.count == 11)
        try rolls.add(bytes("5"))
        #expect(rolls.count == 12)
    }

    @Test(arguments: [
        ("0", 0), ("7", 0), ("1,2", 1), ("1\n", 1), ("1\t2", 1), ("12a", 2), ("1²", 1), ("\u{b1}", 0),
        ("1\u{0}", 1),
    ])
    func refuses(_ line: String, _ offset: Int) throws {
        var rolls = try DiceRolls()
        #expect(seedError { try rolls.add(bytes(line)) } == .notARoll(offset: offset))
        #expect(rolls.count == 0)
    }

    @Test func limits() throws {
        var rolls = try Self.rolls(String(repeating: "1", count: 49))
        #expect(
            seedError { _ = try SeedPhrase.random(mixing: rolls) } == .tooFewRolls(49, needed: 50))
        try rolls.add(bytes("6"))
        #expect(try SeedPhrase.random(mixing: rolls).wordCount == 24)
        try rolls.add(bytes(String(repeating: "3", count: 950)))
        #expect(seedError { try rolls.add(bytes("3")) } == .tooManyRolls(limit: 1_000))
        _ = try SeedPhrase.random(mixing: rolls)
    }

    /// HMAC-SHA256 by Python's hmac: key 00 01 … 1f, message the digits 1 to 6 in turn, 50 of them.
    @Test func constructionIsHMAC() throws {
        let rolls = try Self.rolls("123456 123456 123456 123456", "12345612345612345612345612")
        #expect(rolls.count == 50)
        let mixed = try rolls.mixed(with: SecureBytes(copyingPublic: (0..<32).map { UInt8($0) }))
        #expect(hex(mixed) == "0752c2ee0baba7ec8bcfb99a5f362bce277fabf170f8c7db5e4099a9761ca1b9")
    }

    /// The rolls alone do not give the phrase.
    @Test func sameRollsGiveOtherPhrases() throws {
        let rolls = try Self.rolls(String(repeating: "1", count: 50))
        let first = try SeedPhrase.random(mixing: rolls)
        let second = try SeedPhrase.random(mixing: rolls)
        #expect(hex(try first.entropy()) != hex(try second.entropy()))
    }
}
