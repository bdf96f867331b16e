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
}
