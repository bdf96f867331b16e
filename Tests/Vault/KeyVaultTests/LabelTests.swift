import Keys
import Testing

@testable import KeyVault

struct LabelTests {
    @Test(arguments: [
        "a", "cold storage 2", "Schlüssel für später", "鍵", "ключ", "a_b-c.d/e", "🔑",
        String(repeating: "é", count: 64),
        "EOS", "PUB", "Straße 3", "холод", "冷", "日本語のキー", "cold 冷", "한국 漢字", "κλειδί", "מפתח", "مفتاح ٣",
        "กำลัง",
        "Tiê\u{301}ng Viê\u{323}t", "EOSstaking", "EOS 2026", "5 keys", "eosio wallet", "a:b c", "№ 1",
    ])
    func takes(_ text: String) throws {
        #expect(try Label(text).text.utf8.elementsEqual(text.utf8))
    }

    @Test(arguments: [
        ("", LabelProblem.empty), (String(repeating: "a-", count: 33), .tooLong(maximum: 64)),
        ("e" + String(repeating: "\u{301}", count: 600), .tooLong(maximum: 64)), (" a", .outerSpace),
        ("a ", .outerSpace),
        ("a\nb", .unprintable(offset: 1)), ("a\u{1b}[2J", .unprintable(offset: 1)),
        ("a\0", .unprintable(offset: 1)),
        ("é\u{202e}b", .unprintable(offset: 2)), ("a\u{200b}b", .unprintable(offset: 1)),
        ("a\u{2066}b", .unprintable(offset: 1)),
        ("a\u{200d}b", .unprintable(offset: 1)), ("a\u{feff}", .unprintable(offset: 1)),
        ("a\u{a0}b", .unprintable(offset: 1)),
        ("a\u{2028}b", .unprintable(offset: 1)), ("\u{e000}", .unprintable(offset: 0)),
        ("\u{378}", .unprintable(offset: 0)),
        ("\u{3164}", .unprintable(offset: 0)), ("a\u{fe0f}", .unprintable(offset: 1)),
        ("a\u{34f}", .unprintable(offset: 1)),
        ("PUB_K1_x", .looksLikeKey), ("PVT_K1_x", .looksLikeKey), ("SIG_K1_x", .looksLikeKey),
        (String(repeating: "5K", count: 24), .looksLikeKey),
        (String(repeating: "0a", count: 32), .looksLikeKey),
        ("EOS6gsQX", .looksLikeKey), ("EOS6gsQXzM6CLbhbDKLEteS6PZb6W2UaHDLvtQN56gxEGYs", .looksLikeKey),
        ("EOS6gsQX… cold", .looksLikeKey), ("FIO5oBUY", .looksLikeKey), ("5KQwrPbw", .looksLikeKey),
        ("eosio", .looksLikeName), ("eosio.token", .looksLikeName), ("EOSIO", .looksLikeName),
        ("eosi0.msig", .looksLikeName), ("еоѕіо", .looksLikeName), ("core.vaulta", .looksLikeName),
        ("hmac:login", .looksLikeName), ("\u{301}a", .combiningMarks(offset: 0)),
        ("a\u{301}\u{301}\u{301}\u{301}", .combiningMarks(offset: 7)),
        ("tr\u{435}asury", .mixedScripts), ("c\u{3bf}ld", .mixedScripts), ("冷холод", .mixedScripts),
        ("\u{ff43}old", .unknownScript(offset: 0)), ("c\u{1d428}ld", .unknownScript(offset: 1)),
        ("\u{13a0}", .unknownScript(offset: 0)), ("\u{216b}", .unknownScript(offset: 0)),
    ])
    func refuses(_ text: String, _ problem: LabelProblem) {
        #expect(vaultError { _ = try Label(text) } == .input(.label(problem)))
    }

    @Test func neverIsAKey() throws {
        for key in [try VaultFixture.publicKey(1), try VaultFixture.publicKey(1, .r1)] {
            #expect(vaultError { _ = try Label(key.text) } == .input(.label(.looksLikeKey)))
            #expect(vaultError { _ = try Label(key.canonicalText) } == .input(.label(.looksLikeKey)))
        }
    }

    /// Labels of existing vaults have only the older rules.
    @Test(arguments: ["eosio", "EOS6gsQX", "tr\u{435}asury", "a\u{301}\u{301}\u{301}\u{301}", "\u{ff43}old"])
    func storedLabelsStayValid(_ text: String) throws {
        #expect(try Label(stored: text).problem != nil)
        #expect(vaultError { _ = try Label(stored: "a\nb") } == .input(.label(.unprintable(offset: 1))))
    }

    @Test(arguments: [
        ("caf\u{e9}", "cafe\u{301}"), ("cold", "Cold"), ("cold", "COLD"), ("ill", "ILL"), ("a b", "a  b"),
        ("cold", "co1d"),
        ("box 0", "box O"), ("Ill", "lll"), ("modern", "rnodern"), ("\u{441}\u{43e}\u{440}", "cop"),
        ("\u{421}\u{41e}\u{420}", "cop"), ("\u{451}\u{436}", "\u{eb}\u{436}"), ("it's", "it\u{2019}s"),
        ("a-b", "a\u{2013}b"), ("\u{3ba}\u{3cc}", "\u{43a}\u{f3}"),
        ("Stra\u{df}e", "STRASSE"), ("\u{3a3}\u{3b1}\u{3c2}", "\u{3a3}\u{391}\u{3a3}"),
    ])
    func differOnlyInSpelling(_ one: String, _ other: String) throws {
        #expect(try !Label(stored: one).spellings.isDisjoint(with: Label(stored: other).spellings))
    }

    @Test(arguments: [
        ("key 1", "key 2"), ("cold", "colt"), ("caf\u{e9}", "cafe"), ("a b", "ab"), ("冷", "熱"), ("б", "в"),
    ])
    func differ(_ one: String, _ other: String) throws {
        #expect(try Label(one).spellings.isDisjoint(with: Label(other).spellings))
    }

    /// Labels in ASCII need only the first rows of the table, which are all rows in ASCII.
    @Test func prototypesOfASCII() {
        for scalar in (0..<128).map({ Unicode.Scalar(UInt8($0)) }) {
            let text = String(Character(scalar))
            #expect(Confusables.prototype(of: text) == Confusables.prototypes[scalar] ?? text)
        }
        #expect(Confusables.prototypes.keys.count(where: \.isASCII) == 8)
        #expect(Confusables.prototype(of: "\u{430}Il") == "all")
    }

    @Test func comparesBytes() throws {
        #expect(try Label("\u{e9}") != Label("e\u{301}"))
    }
}
