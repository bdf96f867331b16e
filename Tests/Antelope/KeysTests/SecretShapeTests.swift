import Testing

@testable import Keys

/// Which arguments are recognised as private keys, and which are not.
struct SecretShapeTests {
    static let wif = "5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3"

    @Test(arguments: [
        wif, "-k" + wif, "x" + wif, wif + "_", "--key=" + wif, "\"\(wif)\"", "EOS" + wif, "FIO" + wif,
        "PUB_" + wif,
        "PUB_K1_" + wif,
        "key" + wif, String(wif.dropLast(3)), String(wif.prefix(20) + " " + wif.dropFirst(20)),
        "5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD4",
        "KzytyCJwMRgGo7ojw81uKhCxJNDerAiKYa8FbSPoWtCkaAqyRtWR",
        "PVT_K1_2bfGi9rYsXQSXXTvJbDAPhHLQUojjaNLomdm3cEJ1XTzMqUt3V",
        "pvt_r1_2wkBESjd7JjPhhQyfe9kCoij1ARUxanfqUbWrXtgCa4sxo7RRB",
        "PVT_XX_rS6naiDriAJeQf6XvbzBu2EY9sXGdmLiYrA8VFRcWbnbmt7Yq",
    ])
    func isFound(text: String) {
        #expect(holdsPrivateKey(text))
    }

    /// This key has almost no digits; it is recognised by its checksum (Vectors/private-keys.json).
    @Test func keyWithFewDigitsIsFound() {
        let text = "5KJkRAyJEAnXbCQeBaDxcqzZReiGPTcDJybZPnEhkoGaSXHBgB5"
        #expect(looksLikePrivateKey(text))
        #expect(holdsPrivateKey("\(text.prefix(7)) \(text.dropFirst(7))"))
        #expect(throws: KeyTextError.privateKeyGiven) { try PublicKey(text) }
        #expect(throws: KeyTextError.privateKeyGiven) { try Signature(text) }
    }

    /// A part of a signing request can have a key's shape. A key with its checksum is refused.
    @Test func keysInLinks() throws {
        let link = "esr://g2NgZD6gN_5W05UTvBiYrDNKSgqKrfT1k5P0EvOSM1KL9HIy87L1DZMNTU2Sk-AAA"
        #expect(!holdsPrivateKey(link))
        #expect(holdsPrivateKey(String(link.dropFirst(6))))
        #expect(holdsPrivateKey("web+esr:a5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3"))
    }

    @Test(arguments: [
        "", "sign", "transfer.json", "Ledger/transactions/2026-12-01/transfer-to-exchange.json",
        "Kunden/2026/Tresor/hauptschluessel-produktion-vault.db",
        "Kraken withdrawal account of the treasury department 1",
        "\"Lieferung der bestellten Ware gemaess Vertrag vom ersten\"", "pvt_key.txt",
        "50c300000000000004454f5300000000086162636465666768",
        "aca376f206b8fc25a6ed44dbdc66547c36c6c33e3a119ffbeaef943642f0e906",
        "PUB_K1_5p78kHbL33Rn3JWkTWRE2B9uz6gy4r1KbfAKLNQGE3ovLY8E9M",
        "EOS5p78kHbL33Rn3JWkTWRE2B9uz6gy4r1KbfAKLNQGE3ovMBS5bu",
        "PUB_R1_5heuFua8V4pL7Fj8ZAgXwgpvYHaKcJHetApqc5KcFr77aUdyFy",
        "SIG_K1_KBeduu9pU6K53ZPbwBLdd6whfgPiBsakFQe6ZaoxcXu7q639zZFuNNgXRSpuBJ985nYUbfKYJKHBVy3J4rDEpbJi41a3HL",
    ])
    func isNotFound(text: String) {
        #expect(!holdsPrivateKey(text))
    }
}
