import Testing

@testable import Codecs

@Suite struct Base64Tests {
    /// RFC 4648, section 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func rfc(_ bytes: String, _ text: String) throws {
        #expect(Base64.encode(Array(bytes.utf8)) == text)
        #expect(try Base64.decode(utf8: Array(text.utf8)) == Array(bytes.utf8))
        // Some nodeos versions omit the padding, others write one `=` too many.
        let bare = text.filter { $0 != "=" }
        #expect(try Base64.decode(utf8: Array(bare.utf8)) == Array(bytes.utf8))
        #expect(try Base64.decode(utf8: Array((bare + "===").utf8)) == Array(bytes.utf8))
    }

    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy"),
    ])
    func withoutPadding(_ bytes: String, _ text: String) throws {
        #expect(Base64.encode(Array(bytes.utf8), .url) == text)
        #expect(try Base64.decode(utf8: Array(text.utf8), .url) == Array(bytes.utf8))
    }

    @Test func urlAlphabet() throws {
        #expect(Base64.encode([0xfb, 0xff, 0xbf], .url) == "-_-_")
        #expect(try Base64.decode(utf8: Array("-_-_".utf8), .url) == [0xfb, 0xff, 0xbf])
    }

    @Test(arguments: [
        ("Zg==", CodecError.invalidBase64Character(offset: 2)), ("+___", .invalidBase64Character(offset: 0)),
        ("_/__", .invalidBase64Character(offset: 1)), ("Z\u{0}9v", .invalidBase64Character(offset: 1)),
        ("Zm9vY", .invalidBase64End(offset: 5)), ("Zh", .invalidBase64End(offset: 2)),
    ])
    func refusesOtherURLText(_ text: String, _ error: CodecError) {
        #expect(throws: error) { try Base64.decode(utf8: Array(text.utf8), .url) }
    }

    @Test func everyCharacter() throws {
        let bytes = (0...255).map { UInt8($0) } + (0...255).reversed().map { UInt8($0) }
        #expect(try Base64.decode(utf8: Array(Base64.encode(bytes).utf8)) == bytes)
        #expect(try Base64.decode(utf8: Array("+/+/".utf8)) == [0xfb, 0xff, 0xbf])
    }

    @Test(arguments: [
        ("Zm9v=Zg", CodecError.invalidBase64Character(offset: 4)),
        ("Zm-_", .invalidBase64Character(offset: 2)),
        ("Zm 9", .invalidBase64Character(offset: 2)),
        ("Zm9vYg====", .invalidBase64Character(offset: 6)), ("Z", .invalidBase64End(offset: 1)),
        ("Zm9vY", .invalidBase64End(offset: 5)),
        ("Zh==", .invalidBase64End(offset: 2)), ("Zm9=", .invalidBase64End(offset: 3)),
    ])
    func refuses(_ text: String, _ error: CodecError) {
        #expect(throws: error) { try Base64.decode(utf8: Array(text.utf8)) }
    }
}
