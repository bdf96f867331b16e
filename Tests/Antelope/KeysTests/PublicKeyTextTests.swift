import Keys
import Testing

/// Values from Vectors/public-keys.json and Vectors/signatures.json, each with its exact error.
struct PublicKeyTextTests {
    @Test func hasAllForms() throws {
        let key = try PublicKey("EOS5p78kHbL33Rn3JWkTWRE2B9uz6gy4r1KbfAKLNQGE3ovMBS5bu")
        #expect(key.canonicalText == "PUB_K1_5p78kHbL33Rn3JWkTWRE2B9uz6gy4r1KbfAKLNQGE3ovLY8E9M")
        #expect(key.text == "EOS5p78kHbL33Rn3JWkTWRE2B9uz6gy4r1KbfAKLNQGE3ovMBS5bu")
        let r1 = try PublicKey("PUB_R1_7eQ5VMbyuk3TvqS38ngVGHbqeuHyK9ASXEw5kmDburVcEgJC8Z")
        #expect(r1.legacyText == nil)
        #expect(r1.text == "PUB_R1_7eQ5VMbyuk3TvqS38ngVGHbqeuHyK9ASXEw5kmDburVcEgJC8Z")
    }

    @Test(arguments: [
        ("", KeyTextError.empty),
        ("EOS5fTqmbaJw9xoftctAcx2EA4Co6t8FifLUQrCEVeC5VMdYGvgxV", .curve(.notOnCurve(.k1))),
        ("PUB_K1_4HVgDJJN7xWV7XDacWE5e8wyWYYQEbm85GKND1WpQBSvMEcEdk", .curve(.notOnCurve(.k1))),
        ("PUB_K1_11111111111111111111111111111111149Mr2R", .curve(.notOnCurve(.k1))),
        ("PUB_R1_5GdR5B7sCE5gi9AYusywwTtPMsY8pGxj1krTqJRmp6LSmb5wZe", .curve(.notOnCurve(.r1))),
        ("PUB_K1_Q5S9EeFpNd97bo95S6tXf1ZtrbsRyJ9ufSjd4MN6h4pggZPUGMT", .wrongLength),
        ("EOS2BhkNhBFAtNSMsHCNYznJcWRqXC7ZGn4ncfevB4amgABSnoGN", .wrongLength),
        ("PUB_R1_6EErSkLDYdjcw6vVC8E2xjitdAG3wSduiLRcMhQp4BqQwxhjrH", .checksumOfOtherForm(suffix: "K1")),
        ("PUB_K1_6EErSkLDYdjcw6vVC8E2xjitdAG3wSduiLRcMhQp4BqR34K2GG", .checksumOfOtherForm(suffix: "")),
        ("EOS6EErSkLDYdjcw6vVC8E2xjitdAG3wSduiLRcMhQp4BqQwxhjrH", .checksumOfOtherForm(suffix: "K1")),
        (
            "PUB_XX_6EErSkLDYdjcw6vVC8E2xjitdAG3wSduiLRcMhQp4BqR1EHr4T",
            .unknownCurve(expected: ["K1", "R1", "WA"])
        ),
        ("PUB_WA_2ZBN9gd9pN6rg36VWycvtbKrbCzy1WSXkPJhgWXg93Qm1tVeeAGdE", .curve(.emptyRelyingParty)),
        ("PUB_WA_7s2kMKtZv48rFJFEsJuariWDsyxrDEwgiVT8ZPLPkVdsHDsYUYjhxY", .curve(.invalidUserPresence(9))),
        ("5JfigU2oJKH9Zenw8jNW5Ee9T8ynjQVr4XcdPJXzfVNEx7q6H6G", .privateKeyGiven),
        ("PVT_K1_rS6naiDriAJeQf6XvbzBu2EY9sXGdmLiYrA8VFRcWbnWjAEsB", .privateKeyGiven),
        ("FIO6EErSkLDYdjcw6vVC8E2xjitdAG3wSduiLRcMhQp4BqR34K2GG", .fioPublicKey),
        ("EOS6EErSkLDYdjc06vVC8E2xjitdAG3wSduiLRcMhQp4BqR34K2GG", .invalidCharacter(offset: 15)),
        ("EOS6EErSkLDYdjcw6v\u{430}C8E2xjitdAG3wSduiLRcMhQp4BqR34K2GG", .unexpectedCharacter(offset: 18)),
        ("PUB_R1_5dUhabD57k8dX KFZoEv7jkD3K5NgDRs1y4yvMPVASieviaV67r", .unexpectedCharacter(offset: 20)),
        ("EOS6EErSkLDYdjcw6vVC8E2xjitdAG3wSduiLRcMhQp4BqR34K2G", .checksumMismatch),
    ])
    func refuses(text: String, error: KeyTextError) {
        #expect(throws: error) { try PublicKey(text) }
    }

    @Test func capsTheLength() {
        let text = "PUB_WA_" + String(repeating: "2", count: 5000)
        #expect(throws: KeyTextError.tooLong(limit: 4096)) { try PublicKey(text) }
    }

    @Test(arguments: [
        ("SIG_K1_", KeyTextError.wrongLength),
        (
            "SIG_K1_MSqwqdKwv2192iyEFTELrkcqSE8JiddTxWVv51t7EsNaNuqSibiENpxKLyENFeuUDxEXjGbQLi76TsdK5e8gV75W8GvTxy",
            .curve(.invalidSignatureHeader(35))
        ),
        (
            "SIG_R1_LsMQTCuusdZKTvrK4q1wmCAMTTzVR7ARLF3Ru7Kg1KVZBXfZyHF4VRJgkAkA3CUpc26UTCiMobxKoiTPHPE7DaAfKGLU5g",
            .checksumOfOtherForm(suffix: "K1")
        ),
        (
            "LsMQTCuusdZKTvrK4q1wmCAMTTzVR7ARLF3Ru7Kg1KVZBXfZyHF4VRJgkAkA3CUpc26UTCiMobxKoiTPHPE7DaAfKGLU5g",
            .unknownPrefix(expected: ["SIG_"])
        ),
    ])
    func refusesSignature(text: String, error: KeyTextError) {
        #expect(throws: error) { try Signature(text) }
    }
}
