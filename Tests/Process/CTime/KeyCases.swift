import Keys
import SecureMemory

enum KeyTextCases {
    private static let wif = "5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3"
    private static let k1 = "PVT_K1_2bfGi9rYsXQSXXTvJbDAPhHLQUojjaNLomdm3cEJ1XTzMqUt3V"
    private static let publicK1 = "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"

    /// Texts that are refused, with their errors (`PrivateKeyTextTests` has the sources).
    private static let refused: [(text: String, error: KeyTextError)] = [
        ("5JqqtGzM6bHCmXFSiY2X9pnsjX3XoUVDodPJpB8YAGowxFh9Yyz", .checksumMismatch),
        ("PVT_K1_22ZJbYG28iDWWsAgLad4n3kWvDFbLd95pKXb15nvPxJni2UkVi", .checksumMismatch),
        ("5JfigU2oJKH9Zenw8jNW5Ee9T8ynjQVr4XcdPJXzfVNExCZbdd9", .singleHashWIF),
        ("5LcTrhUq9jxNhUNe3JzW2ZEvNFbWP7LirAgjdTDtf9NdSiWfFJR", .wrongWIFVersion(0x81)),
        ("KzytyCJwMRgGo7ojw81uKhCxJNDerAiKYa8FbSPoWtCkaAqyRtWR", .compressedWIF),
        ("FXjQL6s", .unknownPrefix(expected: ["5", "PVT_K1_", "PVT_R1_"])),
        ("PVT_K1_4mBnYBnwkQg4t7R9RVbRR6cSkW9zc1Gi2PZyJ3gfdjeXoL9uT3n", .wrongLength),
        ("5HpHagT65TZzG1PH3CSu63k8DbpvD8s5ip4nEB3kEsreAbuatmU", .curve(.scalarOutOfRange(.k1))),
        ("5Km2kuu7vtFDPpxywn4u3NLpbr5jKpTB3jsuDU2KYEqetyuszSh", .curve(.scalarOutOfRange(.k1))),
        ("PVT_R1_2wkBESjd7JjPhhQyfe9kCoij1ARUxanfqUbWrXtgCa4t8NcYXY", .curve(.scalarOutOfRange(.r1))),
        ("PVT_R1_2wkBET2rRgE8pahuaczxKbmv7ciehqsne57F9gtzf1PVbpxnFo", .curve(.scalarOutOfRange(.r1))),
        ("PVT_K1_2M2JvVDaTzC9QDAz3AjrWaqHSLWau4Z1oGzK4kKzCCvsctvTEk", .checksumOfOtherForm(suffix: "R1")),
        ("PVT_XX_rS6naiDriAJeQf6XvbzBu2EY9sXGdmLiYrA8VFRcWbnbmt7Yq", .unknownCurve(expected: ["K1", "R1"])),
        ("PVT_K1__rS6naiDriAJeQf6XvbzBu2EY9sXGdmLiYrA8VFRcWbnWjAEsB", .invalidCharacter(offset: 7)),
        ("PUB_K1_6EErSkLDYdjcw6vVC8E2xjitdAG3wSduiLRcMhQp4BqQwxhjrH", .publicKeyGiven),
        ("5JfigU2oJKH9Zenw8jNW5Ee9T8ynjQVr4XcdPJXzfVNEx7q6H6G\n", .unexpectedCharacter(offset: 51)),
        ("5JfigU2oJKH9Zenl8jNW5Ee9T8ynjQVr4XcdPJXzfVNEx7q6H6G", .invalidCharacter(offset: 15)),
        ("15JfigU2oJKH9Zenw8jNW5Ee9T8ynjQVr4XcdPJXzfVNEx7q6H6G", .wrongLength),
    ]

    static let all = [
        Case("key text: WIF") { try parse(wif, publicKey: publicK1) },
        Case("key text: PVT_K1") { try parse(k1, publicKey: publicK1) },
        Case("key text: PVT_R1") {
            try parse(
                "PVT_R1_2wkBESjd7JjPhhQyfe9kCoij1ARUxanfqUbWrXtgCa4sxo7RRB",
                publicKey: "PUB_R1_5heuFua8V4pL7Fj8ZAgXwgpvYHaKcJHetApqc5KcFr77aUdyFy")
        },
        Case("key text: refusals") {
            for (text, expected) in refused {
                var refusal: KeyTextError?
                do throws(KeyTextError) { _ = try PrivateKey.parse(try secret(text)) } catch {
                    refusal = error
                }
                try expect(refusal == expected, "\(text) is refused with \(String(describing: refusal))")
            }
        },
        Case("key text: print WIF") {
            guard let text = try PrivateKey.parse(secret(k1)).exportPlaintextWIF() else {
                throw Unexpected(description: "no WIF")
            }
            try expectSecret(text, "the text")
            try expect(text.disclosedText() == wif, "the text differs")
        },
        Case("key text: print PVT_K1") {
            let text = try PrivateKey.parse(secret(wif)).exportPlaintext()
            let (count, all) = (text.secretCount(), text.count)
            try expect(count == all - 7, "\(count) of \(all) bytes are secret")
            try expect(text.disclosedText() == k1, "the text differs")
        },
    ]

    private static func secret(_ text: String) throws(KeyTextError) -> SecureBytes {
        do throws(SecureMemoryError) {
            let bytes = try SecureBytes(copyingPublic: text.utf8)
            bytes.classify()
            return bytes
        } catch { throw .memory(error) }
    }

    private static func parse(_ text: String, publicKey: String) throws {
        let key = try PrivateKey.parse(secret(text))
        try expect(key.publicKey.text == publicKey, "the public key is \(key.publicKey.text)")
        let count = key.withScalar { $0.secretCount() }
        try expect(count == PrivateKey.size, "\(count) bytes of the scalar are secret")
    }
}

enum CurveCases {
    static let all = [
        Case("curve: a new key") {
            let key = try PrivateKey.generate(.k1)
            try expect(key.withScalar { $0.secretCount() } == PrivateKey.size, "the scalar is not secret")
        },
        Case("curve: the ends of the range") {
            let order: [UInt8] = [
                0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                0xfe,
                0xba, 0xae, 0xdc, 0xe6, 0xaf, 0x48, 0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36, 0x41,
                0x41,
            ]
            for (scalar, isGood) in [
                (order.dropLast() + [0x40], true), (order, false),
                ([UInt8](repeating: 0, count: 31) + [1], true),
                ([UInt8](repeating: 0, count: 32), false),
            ] {
                let bytes = try SecureBytes(copyingPublic: scalar)
                bytes.classify()
                var taken = true
                do throws(CurveError) { _ = try PrivateKey(curve: .k1, scalar: bytes) } catch {
                    taken = false
                }
                try expect(taken == isGood, "\(scalar) is \(taken ? "accepted" : "refused")")
            }
        },
        Case("curve: signing") {
            let scalar = try SecureBytes(copyingPublic: (1...32).map { UInt8($0) })
            scalar.classify()
            let key = try PrivateKey(curve: .k1, scalar: scalar)
            var attempts = 0
            var most = 0
            for number in 0..<24 as Range<UInt8> {
                let signed = try key.sign(SigningDigest(sha256: [number]))
                attempts += signed.attempts
                most = max(most, signed.attempts)
            }
            try expect(most > 2 && attempts > 24, "no signature candidate was discarded")
            try expect(key.withScalar { $0.secretCount() } == PrivateKey.size, "the scalar is not secret")
        },
        Case("curve: signing with R1") {
            let scalar = try SecureBytes(copyingPublic: (1...32).map { UInt8($0) })
            scalar.classify()
            let key = try PrivateKey(curve: .r1, scalar: scalar)
            for number in 0..<24 as Range<UInt8> { _ = try key.sign(SigningDigest(sha256: [number])) }
            try expect(key.withScalar { $0.secretCount() } == PrivateKey.size, "the scalar is not secret")
        },
    ]
}
