import Codecs
import HTTPSigning
import SecureMemory
import Testing

struct CredentialSecretTests {
    @Test(arguments: [
        ("s", 1), ("secret\n", 6), ("secret\r\n", 6), ("~!\"\\", 4), ("é€😀", 9),
        ("\u{a1}\u{2010}\u{2027}\u{2030}\u{205e}", 14),
        (String(repeating: "a", count: 4_096) + "\r\n", 4_096),
    ])
    func accepted(text: String, count: Int) throws {
        var secret = try SecureBytes(copyingPublic: text.utf8)
        try CredentialSecret.check(&secret)
        #expect(secret.count == count)
    }

    @Test(
        arguments: [
            ("", .empty), ("\n", .empty), ("\r\n", .empty),
            (String(repeating: "a", count: 4_097), .tooLong(limit: 4_096)),
            (" a", .character(offset: 0)), ("a ", .character(offset: 1)), ("a b", .character(offset: 1)),
            ("a\n\n", .character(offset: 1)), ("a\r", .character(offset: 1)), ("a\nb", .character(offset: 1)),
            ("a\tb c", .character(offset: 1)), ("a\0", .character(offset: 1)),
            ("a\u{7f}", .character(offset: 1)),
            ("ab\u{80}", .character(offset: 2)), ("é\u{a0}", .character(offset: 2)),
            ("a\u{2003}", .character(offset: 1)),
            ("a\u{200b}", .character(offset: 1)), ("a\u{2028}", .character(offset: 1)),
            ("a\u{202f}", .character(offset: 1)),
            ("a\u{205f}", .character(offset: 1)), ("a\u{2060}", .character(offset: 1)),
            ("a\u{3000}", .character(offset: 1)),
            ("a\u{1680}", .character(offset: 1)), ("\u{feff}a", .character(offset: 0)),
        ] as [(String, SecretFault)])
    func refused(text: String, fault: SecretFault) throws {
        var secret = try SecureBytes(copyingPublic: text.utf8)
        #expect(throws: HTTPSigningError.secret(fault)) { try CredentialSecret.check(&secret) }
    }

    /// RFC 4648, section 10, and the shared secret of RFC 9421, appendix B.1.5.
    @Test(
        arguments: [
            ("Zm9vYmFy", .base64, "666f6f626172"), ("Zm9vYmE=\n", .base64, "666f6f6261"),
            ("Zm9vYg==", .base64, "666f6f62"), ("Zm9vYg\r\n", .base64, "666f6f62"),
            ("+/+/", .base64, "fbffbf"),
            (
                "uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ==",
                .base64,
                "bb3bc97c1e2edcdd09cb84fb359ef930355cafccd24c89de749b6481cbb8e985b85c1cb33498f105db635247493c1b5b"
                    + "9878480e2ea9725f23b1ab2395332d0d"
            ),
            ("666F6f626172\n", .hex, "666f6f626172"), ("00", .hex, "00"),
        ] as [(String, SignatureEncoding, String)])
    func decoded(text: String, encoding: SignatureEncoding, hex: String) throws {
        let secret = try CredentialSecret.decoded(SecureBytes(copyingPublic: text.utf8), encoding)
        #expect(Hex.encode(secret.published()) == hex)
        let again = try CredentialSecret.encoded(secret, .hex)
        #expect(String(decoding: again.published(), as: UTF8.self) == hex)
        let base64 = try CredentialSecret.encoded(secret, .base64)
        #expect(String(decoding: base64.published(), as: UTF8.self) == Base64.encode(secret.published()))
    }

    @Test(
        arguments: [
            ("", .base64, .empty), ("\n", .hex, .empty), ("====", .base64, .notEncoded(.base64, offset: 0)),
            ("Zm9vY", .base64, .incomplete(.base64)), ("Zm9vYg=", .base64, .incomplete(.base64)),
            ("Zh==", .base64, .incomplete(.base64)), ("Zm9=", .base64, .incomplete(.base64)),
            ("Zm-_", .base64, .notEncoded(.base64, offset: 2)), ("Zm9v YmFy", .base64, .incomplete(.base64)),
            ("Zm9v YmF", .base64, .notEncoded(.base64, offset: 4)),
            ("=m9v", .base64, .notEncoded(.base64, offset: 0)),
            ("Zm9\u{0}", .base64, .notEncoded(.base64, offset: 3)),
            ("Zm9vYg==\n\n", .base64, .incomplete(.base64)),
            ("é123", .hex, .incomplete(.hex)), ("0g", .hex, .notEncoded(.hex, offset: 1)),
            ("0x12", .hex, .notEncoded(.hex, offset: 1)), ("123", .hex, .incomplete(.hex)),
            (String(repeating: "0", count: 8_194), .hex, .tooLong(limit: 4_096)),
        ] as [(String, SignatureEncoding, SecretFault)])
    func refusedEncoding(text: String, encoding: SignatureEncoding, fault: SecretFault) throws {
        #expect(throws: HTTPSigningError.secret(fault)) {
            _ = try CredentialSecret.decoded(SecureBytes(copyingPublic: text.utf8), encoding)
        }
    }

    @Test(arguments: [("secret~!", true), ("a b", false), ("a\u{7f}", false), ("é", false), ("a\n", false)])
    func plainText(text: String, isPlain: Bool) throws {
        #expect(CredentialSecret.isPlainText(try SecureBytes(copyingPublic: text.utf8)) == isPlain)
    }
}
