import Keys
import SecureMemory
import Testing

/// Values from Vectors/private-keys.json, each with its exact error.
struct PrivateKeyTextTests {
    static func parse(_ text: String) throws -> String {
        let key = try PrivateKey.parse(SecureBytes(copyingPublic: text.utf8))
        return key.publicKey.text
    }

    static func text(_ bytes: borrowing SecureBytes) -> String {
        bytes.withBytes { span in String(decoding: (0..<span.byteCount).map { span[byte: $0] }, as: UTF8.self)
        }
    }

    @Test(arguments: [
        (
            "5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3",
            "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"
        ),
        (
            "PVT_K1_2bfGi9rYsXQSXXTvJbDAPhHLQUojjaNLomdm3cEJ1XTzMqUt3V",
            "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"
        ),
        (
            "PVT_K1_1111111111111111111111111111111VrqXp1K",
            "EOS73DrQkRHoFqo44MNFJS3P4rUJLLNMYqFLduA9khBHPPucfyzes"
        ),
        (
            "PVT_R1_2wkBESjd7JjPhhQyfe9kCoij1ARUxanfqUbWrXtgCa4sxo7RRB",
            "PUB_R1_5heuFua8V4pL7Fj8ZAgXwgpvYHaKcJHetApqc5KcFr77aUdyFy"
        ),
    ])
    func derives(text: String, publicKey: String) throws {
        #expect(try Self.parse(text) == publicKey)
    }

    @Test func printsBothForms() throws {
        let wif = "5HpHdawPcPYXvGqfnJYDVjgisD6FFfQqrRTSUNAyq7819o39FVz"
        let key = try PrivateKey.parse(SecureBytes(copyingPublic: wif.utf8))
        #expect(
            Self.text(try key.exportPlaintext()) == "PVT_K1_113uVJXvyYfGTPk76KQgwbecGL3XYm8cPfFC8EbEGMzDsbVx8"
        )
        var printed = ""
        if let bytes = try key.exportPlaintextWIF() { printed = Self.text(bytes) }
        #expect(printed == wif)
    }

    @Test(arguments: [
        ("", KeyTextError.empty),
        ("5JqqtGzM6bHCmXFSiY2X9pnsjX3XoUVDodPJpB8YAGowxFh9Yyz", .checksumMismatch),
        ("PVT_K1_22ZJbYG28iDWWsAgLad4n3kWvDFbLd95pKXb15nvPxJni2UkVi", .checksumMismatch),
        ("5JfigU2oJKH9Zenw8jNW5Ee9T8ynjQVr4XcdPJXzfVNExCZbdd9", .singleHashWIF),
        ("5LcTrhUq9jxNhUNe3JzW2ZEvNFbWP7LirAgjdTDtf9NdSiWfFJR", .wrongWIFVersion(0x81)),
        ("92SMGCrLtYMHXiJDm5GQwqC76oLVta33QUUaTvtW1E7Hj9QmeWD", .wrongWIFVersion(0xef)),
        ("KzytyCJwMRgGo7ojw81uKhCxJNDerAiKYa8FbSPoWtCkaAqyRtWR", .compressedWIF),
        ("FXjQL6s", .unknownPrefix(expected: ["5", "PVT_K1_", "PVT_R1_"])),
        ("PVT_K1_4mBnYBnwkQg4t7R9RVbRR6cSkW9zc1Gi2PZyJ3gfdjeXoL9uT3n", .wrongLength),
        ("PVT_K1_3vSYKe", .wrongLength),
        ("PVT_K1_", .wrongLength),
        ("5HpHagT65TZzG1PH3CSu63k8DbpvD8s5ip4nEB3kEsreAbuatmU", .curve(.scalarOutOfRange(.k1))),
        ("5Km2kuu7vtFDPpxywn4u3NLpbr5jKpTB3jsuDU2KYEqetyuszSh", .curve(.scalarOutOfRange(.k1))),
        ("PVT_R1_2wkBESjd7JjPhhQyfe9kCoij1ARUxanfqUbWrXtgCa4t8NcYXY", .curve(.scalarOutOfRange(.r1))),
        ("PVT_R1_2wkBET2rRgE8pahuaczxKbmv7ciehqsne57F9gtzf1PVbpxnFo", .curve(.scalarOutOfRange(.r1))),
        ("PVT_K1_2M2JvVDaTzC9QDAz3AjrWaqHSLWau4Z1oGzK4kKzCCvsctvTEk", .checksumOfOtherForm(suffix: "R1")),
        ("PVT_XX_rS6naiDriAJeQf6XvbzBu2EY9sXGdmLiYrA8VFRcWbnbmt7Yq", .unknownCurve(expected: ["K1", "R1"])),
        ("PVT_K1__rS6naiDriAJeQf6XvbzBu2EY9sXGdmLiYrA8VFRcWbnWjAEsB", .invalidCharacter(offset: 7)),
        ("PUB_K1_6EErSkLDYdjcw6vVC8E2xjitdAG3wSduiLRcMhQp4BqQwxhjrH", .publicKeyGiven),
        ("EOS6EErSkLDYdjcw6vVC8E2xjitdAG3wSduiLRcMhQp4BqR34K2GG", .publicKeyGiven),
        ("FIO6EErSkLDYdjcw6vVC8E2xjitdAG3wSduiLRcMhQp4BqR34K2GG", .fioPublicKey),
        ("5JfigU2oJKH9Zenw8jNW5Ee9T8ynjQVr4XcdPJXzfVNEx7q6H6G\n", .unexpectedCharacter(offset: 51)),
        (" PVT_K1_rS6naiDriAJeQf6XvbzBu2EY9sXGdmLiYrA8VFRcWbnWjAEsB", .unexpectedCharacter(offset: 0)),
        ("5JfigU2oJKH9Zenw8j\u{430}W5Ee9T8ynjQVr4XcdPJXzfVNEx7q6H6G", .unexpectedCharacter(offset: 18)),
        ("5JfigU2oJKH9Zenl8jNW5Ee9T8ynjQVr4XcdPJXzfVNEx7q6H6G", .invalidCharacter(offset: 15)),
        ("15JfigU2oJKH9Zenw8jNW5Ee9T8ynjQVr4XcdPJXzfVNEx7q6H6G", .wrongLength),
        ("5JfigU2oJKH9Zenw8jNW5Ee9T8ynjQVr4XcdPJXzfVNEx7q6H6G1", .wrongLength),
    ])
    func refuses(text: String, error: KeyTextError) {
        #expect(throws: error) { try Self.parse(text) }
    }
}
