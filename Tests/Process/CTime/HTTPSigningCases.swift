import Codecs
import HTTPSigning
import SecureMemory

enum HTTPSigningCases {
    private static func sign(_ profile: SigningProfile, _ secret: borrowing SecureBytes) throws
        -> SignedRequest
    {
        try profile.sign(
            HTTPRequest(
                method: HTTPMethod("POST"), url: RequestURL("https://example.com/"),
                body: Array("what do ya want for nothing?".utf8), time: RequestTime(0, .seconds)),
            keyID: KeyID("key"), secret: secret)
    }

    /// The fault alone: to copy the whole error, the compiler also reads bytes of the stack that
    /// its case does not use.
    private static func refusal(of secret: inout SecureBytes) throws -> SecretFault? {
        do throws(HTTPSigningError) { try CredentialSecret.check(&secret) } catch {
            guard case .secret(let fault) = error else { throw error }
            return fault
        }
        return nil
    }

    static let all = [
        // RFC 2202 and RFC 4231, test case 2
        Case("http signature: hmac") {
            for (hash, expected) in [
                ("sha1", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
                ("sha256", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
            ] {
                let key = try secret("Jefe")
                let profile = try SigningProfile(
                    name: "hmac", parameters: ["template": "{body}", "hash": hash])
                let signed = try sign(profile, key)
                try expect(
                    signed.headers.contains { $0.value == expected }, "the signature with \(hash) is wrong")
                try expectSecret(key, "the key")
            }
        },
        Case("http signature: long keys") {
            for hash in ["sha1", "sha256", "sha512"] {
                let key = try secret(String(repeating: "a", count: 129))
                let profile = try SigningProfile(
                    name: "hmac", parameters: ["template": "{body}", "hash": hash])
                let signed = try sign(profile, key)
                try expect(signed.headers.count == 3, "a header is missing")
            }
        },
        Case("http signature: basic") {
            let key = try secret("secret")
            let signed = try sign(SigningProfile(name: "basic"), key)
            let value = try signed.revealing(Array(SignedRequest.placeholder.utf8))
            // Only "Basic " and the base64 of the key id are public.
            try expect(value.secretCount() >= value.count - 13, "the header is not secret")
            try expect(value.disclosedText() == "Basic a2V5OnNlY3JldA==", "the header is wrong")
        },
        Case("http signature: encoded secrets") {
            for (text, encoding) in [
                ("Zm9vYmE=", SignatureEncoding.base64), ("+/9vYmE=\r\n", .base64), ("666F6f6261", .hex),
            ] {
                let decoded = try CredentialSecret.decoded(secret(text), encoding)
                try expectSecret(decoded, "the secret")
                let again = try CredentialSecret.encoded(decoded, encoding)
                // The padding is public.
                try expect(again.secretCount() >= again.count - 2, "the text is not secret")
                let expected = text.dropLast(text.hasSuffix("\r\n") ? 1 : 0)
                try expect(
                    again.disclosedText() == (encoding == .hex ? expected.lowercased() : String(expected)),
                    "the text differs")
            }
            for (text, encoding, expected) in [
                ("Zm-v", SignatureEncoding.base64, SecretFault.notEncoded(.base64, offset: 2)),
                ("Zh==", .base64, .incomplete(.base64)), ("0g", .hex, .notEncoded(.hex, offset: 1)),
            ] {
                let typed = try secret(text)
                var refusal: SecretFault?
                do throws(HTTPSigningError) { _ = try CredentialSecret.decoded(typed, encoding) } catch {
                    guard case .secret(let fault) = error else { throw error }
                    refusal = fault
                }
                try expect(refusal == expected, "\(text): another refusal")
            }
        },
        Case("http signature: plain text of a secret") {
            try expect(CredentialSecret.isPlainText(secret("a-secret~")), "the text is plain")
            try expect(!CredentialSecret.isPlainText(secret("a secret")), "a space is not plain")
        },
        Case("http signature: text of a secret") {
            for (text, offset) in [
                ("a secret", 1), ("as\u{a0}", 2), ("a\u{2003}b", 1), ("a\u{3000}", 1), ("\u{feff}a", 0),
            ] {
                var typed = try secret(text)
                try expect(refusal(of: &typed) == .character(offset: offset), "\(text): another offset")
            }
            var typed = try secret("as\u{e9}cret\r\n")
            try CredentialSecret.check(&typed)
            try expectSecret(typed, "the secret")
        },
    ]
}
