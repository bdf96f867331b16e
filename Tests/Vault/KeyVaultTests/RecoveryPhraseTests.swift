import SecureMemory
import Testing
import WordLists

@testable import KeyVault

struct RecoveryPhraseTests {
    /// 24-word vectors of trezor/python-mnemonic (vectors.json), which BIP-39 references: bits in
    /// hex, words.
    static let walletVectors: [(bits: String, words: String)] = [
        (
            "0000000000000000000000000000000000000000000000000000000000000000",
            """
            abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon \
            abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon \
            abandon art
            """
        ),
        (
            "7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f",
            """
            legal winner thank year wave sausage worth useful legal winner thank year wave sausage \
            worth useful legal winner thank year wave sausage worth title
            """
        ),
        (
            "8080808080808080808080808080808080808080808080808080808080808080",
            """
            letter advice cage absurd amount doctor acoustic avoid letter advice cage absurd amount \
            doctor acoustic avoid letter advice cage absurd amount doctor acoustic bless
            """
        ),
        (
            "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
            "zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo vote"
        ),
        (
            "68a79eaca2324873eacc50cb9c6eca8cc68ea5d936f98787c60c7ebc74e6ce7c",
            """
            hamster diagram private dutch cause delay private meat slide toddler razor book happy fancy \
            gospel tennis maple dilemma loan word shrug inflict delay length
            """
        ),
        (
            "9f6a2878b2520799a44ef18bc7df394e7061a224d2c33cd015b157d746869863",
            """
            panda eyebrow bullet gorilla call smoke muffin taste mesh discover soft ostrich alcohol \
            speed nation flash devote level hobby quick inner drive ghost inside
            """
        ),
        (
            "066dca1a2bb7e8a1db2832148ce9933eea0f3ac9548d793112d9a95c9407efad",
            """
            all hour make first leader extend hole alien behind guard gospel lava path output census \
            museum junior mass reopen famous sing advance salt reform
            """
        ),
        (
            "f585c11aec520db57dd353c69554b21a89b20fb0650966fa0a9d6f74fd989d8f",
            """
            void come effort suffer camp survey warrior heavy shoot primary clutch crush open amazing \
            screen patrol group space point ten exist slush involve unfold
            """
        ),
    ]

    private static func phrase(_ text: String) throws -> RecoveryPhrase {
        try RecoveryPhrase(words: SecureBytes(copyingPublic: text.utf8))
    }

    private static func phrase(bits hex: String) throws -> RecoveryPhrase {
        try RecoveryPhrase(bits: SecureBytes(copyingPublic: bytes(hex)))
    }

    private static func bytes(_ hex: String) -> [UInt8] {
        stride(from: 0, to: hex.utf8.count, by: 2).map { UInt8(hex.dropFirst($0).prefix(2), radix: 16) ?? 0 }
    }

    private static func text(_ bytes: borrowing SecureBytes) -> String {
        bytes.withBytes { span in String(decoding: (0..<span.byteCount).map { span[byte: $0] }, as: UTF8.self)
        }
    }

    /// The words, separated by one space.
    private static func words(_ phrase: borrowing RecoveryPhrase) throws -> String {
        try phrase.withWords { Self.text($0) }.split(separator: " ").joined(separator: " ")
    }

    private func problem(_ text: String) -> VaultError? { vaultError { _ = try Self.phrase(text) } }

    // MARK: wallets

    @Test(arguments: walletVectors.map(\.words))
    func refusesSeedsOfWallets(words: String) {
        #expect(problem(words) == .input(.recoveryPhrase(.walletSeed)))
    }

    /// A wallet's phrase of the same bits differs only in the last word, whose 11 bits contain the
    /// 8 bits of the checksum.
    @Test(arguments: walletVectors.indices)
    func sharesAllWordsButTheLastWithAWallet(index: Int) throws {
        let vector = Self.walletVectors[index]
        let ours = try Self.words(Self.phrase(bits: vector.bits)).split(separator: " ")
        let theirs = vector.words.split(separator: " ")
        #expect(ours.count == 24)
        #expect(ours.dropLast() == theirs.dropLast())
        #expect(ours.last != theirs.last)
    }

    /// The SHA-256 of 32 zero bytes begins with 0x66, and of 32 bytes 0xff with 0xaf. These are
    /// words 0x67 (103) and 0x7ae (1966) of the list, counted from 0.
    @Test(arguments: [(0, "artefact"), (3, "volume")])
    func checksumIsTheWalletsXOROne(index: Int, last: String) throws {
        let words = try Self.words(Self.phrase(bits: Self.walletVectors[index].bits))
        #expect(words.hasSuffix(" " + last))
    }

    // MARK: round trips

    @Test(arguments: walletVectors.map(\.bits))
    func readsItsOwnOutput(bits: String) throws {
        let phrase = try Self.phrase(bits: bits)
        let again = try Self.phrase(Self.words(phrase))
        let same = again.bytes.isEqual(to: phrase.bytes)
        #expect(same)
    }

    @Test func randomPhrasesDifferAndReadBack() throws {
        let first = try RecoveryPhrase.random()
        let second = try RecoveryPhrase.random()
        let differ = !first.bytes.isEqual(to: second.bytes)
        #expect(differ)
        let again = try Self.phrase(Self.words(first))
        let same = again.bytes.isEqual(to: first.bytes)
        #expect(same)
    }

    /// The position of a word does not disclose the length of the word before it.
    @Test(arguments: walletVectors.map(\.bits))
    func lendsCellsOfOneSize(bits: String) throws {
        let text = Array(try Self.phrase(bits: bits).withWords { Self.text($0) }.utf8)
        #expect(text.count == 24 * 9)
        let cells = stride(from: 0, to: text.count, by: 9).map {
            String(decoding: text[$0..<($0 + 9)], as: UTF8.self)
        }
        #expect(
            try cells.map { String($0.prefix { $0 != " " }) }
                == Self.words(Self.phrase(bits: bits)).split(separator: " ").map(String.init))
        #expect(cells.allSatisfy { $0.drop { $0 != " " }.allSatisfy { $0 == " " } && $0.last == " " })
    }

    @Test func layoutAndCaseDoNotMatter() throws {
        let plain = try Self.words(Self.phrase(bits: Self.walletVectors[4].bits))
        let laidOut = "\n\t " + plain.uppercased().replacing(" ", with: " \r\n\t") + " \n"
        let same = try Self.phrase(laidOut).bytes.isEqual(to: Self.phrase(plain).bytes)
        #expect(same)
    }

    // MARK: refusals

    private static let ours =
        "zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo volume"

    /// The last 23 words.
    private static let rest = String(ours.dropFirst(4))

    @Test func acceptsTheVector() throws { _ = try Self.phrase(Self.ours) }

    private static let refused: [(text: String, problem: RecoveryPhraseProblem)] = [
        ("", .wordCount(0)), (" \n", .wordCount(0)), ("zoo", .wordCount(1)),
        (rest, .wordCount(23)), (ours + " zoo", .wordCount(25)),
        // Without spaces the phrase is one word.
        (ours.replacing(" ", with: ""), .wordCount(1)),
        // The first four letters of a word are not accepted as the word.
        (ours.replacing("volume", with: "volu"), .unknownWord(position: 24)),
        ("zooo " + rest, .unknownWord(position: 1)),
        ("zoo zo " + rest.dropFirst(4), .unknownWord(position: 2)),
        ("zoo, " + rest, .unknownWord(position: 1)),
        ("zoö " + rest, .unknownWord(position: 1)),
        // U+00A0 is not a separator, and a letter plus 0x80 is not a letter.
        ("zoo\u{a0} " + rest, .unknownWord(position: 1)),
        // Longer than any word, and beginning with one.
        ("abstractly " + rest, .unknownWord(position: 1)),
        ("1 2 " + rest.dropFirst(4), .unknownWord(position: 1)),
        // The first of two unknown words is reported.
        ("zoo bad " + rest.dropFirst(4).dropLast(6) + "worse", .unknownWord(position: 2)),
        // Another word of the list; two words exchanged.
        ("zone " + rest, .checksum), (ours.replacing("zoo volume", with: "volume zoo"), .checksum),
        (ours.replacing("volume", with: "wage"), .checksum),
    ]

    @Test(arguments: refused)
    func refuses(text: String, problem expected: RecoveryPhraseProblem) {
        #expect(problem(text) == .input(.recoveryPhrase(expected)))
    }

    @Test func refusesTextsThatAreTooLong() {
        let spaces = String(repeating: " ", count: RecoveryPhrase.maximumTextCount - Self.ours.utf8.count)
        #expect(problem(Self.ours + spaces) == nil)
        #expect(problem(Self.ours + spaces + " ") == .machine(.memory(.tooLong(limit: 1_024))))
    }

    // MARK: bits

    @Test(arguments: [0, 16, 31, 33, 64])
    func refusesOtherNumbersOfBytes(count: Int) {
        #expect(
            vaultError { _ = try RecoveryPhrase(bits: SecureBytes(count: count)) }
                == .input(.recoveryPhrase(.byteCount(count))))
    }

    @Test(arguments: walletVectors.map(\.bits))
    func lendsItsBits(bits: String) throws {
        let lent = try Self.phrase(bits: bits).withBits { bits in
            bits.withBytes { span in (0..<span.byteCount).map { span[byte: $0] } }
        }
        #expect(lent == Self.bytes(bits))
    }

    // MARK: typed words

    private static func typed(_ text: String, count: Int = 24) throws -> TypedPhrase {
        var typed = try TypedPhrase(list: .bip39, count: count)
        #expect(try typed.take(SecureBytes(copyingPublic: text.utf8)) == .taken(unknown: []))
        return typed
    }

    private static func problem(typed text: String, count: Int = 24) -> VaultError? {
        vaultError { _ = try RecoveryPhrase(typed: typed(text, count: count)) }
    }

    @Test func typedWordsAreThePhrase() throws {
        #expect(try Self.words(RecoveryPhrase(typed: Self.typed(Self.ours))) == Self.ours)
    }

    @Test(arguments: walletVectors.map(\.words))
    func aTypedSeedOfAWalletIsRefused(words: String) throws {
        #expect(Self.problem(typed: words) == .input(.recoveryPhrase(.walletSeed)))
    }

    @Test func typedWordsAreCounted() throws {
        #expect(Self.problem(typed: "") == .input(.recoveryPhrase(.wordCount(0))))
        #expect(Self.problem(typed: Self.rest) == .input(.recoveryPhrase(.wordCount(23))))
        #expect(Self.problem(typed: "zoo", count: 12) == .input(.recoveryPhrase(.wordCount(1))))
        #expect(Self.problem(typed: "zone " + Self.rest) == .input(.recoveryPhrase(.checksum)))
    }

    // MARK: the confirmation

    @Test(arguments: [
        (1, "hamster", true), (1, " HAMSTER ", true), (2, "hamster", false), (2, "diagram", true),
        (23, "delay", true),
        (6, "delay", true),
        // The first four letters are enough.
        (1, "hamste", true), (1, "HAMS", true), (1, "ham", false), (1, "hamp", false), (1, "hamsters", false),
        (20, "word", true), (20, "wor", false), (1, "", false), (1, "hamster diagram", false),
        (1, "unknown", false),
    ])
    func comparesOneWord(position: Int, typed: String, expected: Bool) throws {
        let phrase = try Self.phrase(bits: Self.walletVectors[4].bits)
        let isEqual = try phrase.isWord(position, equalTo: SecureBytes(copyingPublic: typed.utf8))
        #expect(isEqual == expected)
    }
}
