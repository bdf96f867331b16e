import Keys
import Testing

@testable import KeyVault

struct EntryNameTests {
    @Test(arguments: [Curve.k1, .r1])
    func isThePublicKeyOfAKey(curve: Curve) throws {
        let key = try VaultFixture.publicKey(1, curve)
        let name = EntryName(key)
        #expect(name.text == key.text && name.publicKey == key && !name.isKindAndName)
        #expect(EntryName(key.text) == name)
    }

    /// Another text of the same key is not its name.
    @Test func hasOneText() throws {
        let key = try VaultFixture.publicKey(1)
        #expect(EntryName(key.canonicalText)?.publicKey == nil)
    }

    @Test(arguments: ["hmac:device_1", "a:b", "totp:" + String(repeating: "x", count: 123)])
    func isTheKindAndAName(text: String) throws {
        let name = try #require(EntryName(text))
        #expect(name.isKindAndName && name.publicKey == nil && "\(name)" == text)
    }

    /// A name can't move the cursor, hide characters, or be cut at another place.
    @Test(arguments: [
        "", ":", "a:", ":a", "a:b:c", "a b", "a-b", "a\u{1b}", "\u{e4}", "a\u{0}",
        String(repeating: "a", count: 129),
        "totp:" + String(repeating: "x", count: 124),
    ])
    func refuses(text: String) { #expect(EntryName(text) == nil) }

    @Test func isOrderedByBytes() throws {
        let texts = ["A", "Z", "_", "a", "a:b", "aa"]
        #expect(texts.reversed().compactMap { EntryName($0) }.sorted().map(\.text) == texts)
    }
}
