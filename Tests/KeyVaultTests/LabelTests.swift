import Curves
import KeyText
import Testing

@testable import KeyVault

struct LabelTests {
    @Test(arguments: [
        "a", "cold storage 2", "Schlüssel für später", "鍵", "ключ", "a_b-c.d/e", "🔑", String(repeating: "é", count: 64),
        "EOS", "PUB",
    ])
    func takes(_ text: String) throws {
        #expect(try Label(text).text.utf8.elementsEqual(text.utf8))
    }

    @Test(arguments: [
        ("", LabelProblem.empty), (String(repeating: "a-", count: 33), .tooLong(maximum: 64)),
        ("e" + String(repeating: "\u{301}", count: 600), .tooLong(maximum: 64)), (" a", .outerSpace),
        ("a ", .outerSpace),
        ("a\nb", .unprintable(offset: 1)), ("a\u{1b}[2J", .unprintable(offset: 1)), ("a\0", .unprintable(offset: 1)),
        ("é\u{202e}b", .unprintable(offset: 2)), ("a\u{200b}b", .unprintable(offset: 1)),
        ("a\u{2066}b", .unprintable(offset: 1)),
        ("a\u{200d}b", .unprintable(offset: 1)), ("a\u{feff}", .unprintable(offset: 1)),
        ("a\u{a0}b", .unprintable(offset: 1)),
        ("a\u{2028}b", .unprintable(offset: 1)), ("\u{e000}", .unprintable(offset: 0)),
        ("\u{378}", .unprintable(offset: 0)),
        ("\u{3164}", .unprintable(offset: 0)), ("a\u{fe0f}", .unprintable(offset: 1)),
        ("a\u{34f}", .unprintable(offset: 1)),
        ("PUB_K1_x", .looksLikeKey), ("PVT_K1_x", .looksLikeKey), ("SIG_K1_x", .looksLikeKey),
        (String(repeating: "5K", count: 24), .looksLikeKey), (String(repeating: "0a", count: 32), .looksLikeKey),
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

    @Test func comparesBytes() throws {
        #expect(try Label("\u{e9}") != Label("e\u{301}"))
    }
}
