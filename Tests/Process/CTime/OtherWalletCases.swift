import Keys
import OtherWallets
import SecureMemory

/// The password of a wallet file, and everything that it decrypts. The files are public.
enum OtherWalletCases {
    private static let keys = [
        "5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3",
        "PVT_R1_2wkBESjd7JjPhhQyfe9kCoij1ARUxanfqUbWrXtgCa4sxo7RRB",
    ]

    static let all = [
        Case("other wallets: keosd") {
            let password = try secret("a password of keosd")
            var writer = try KeosdWriter(capacity: keys.count)
            for key in keys { try writer.add(try PrivateKey.parse(try secret(key))) }
            let file = try SecureBytes(copyingPublic: try writer.write(password: password))
            let wallet = try WalletFile.read(file, as: .keosd, password: password)
            try expect(wallet.summary.keys.count == keys.count, "keys are missing")
            try wallet.forEachKey { _, _, key in
                let count = key.withScalar { $0.secretCount() }
                try expect(count == PrivateKey.size, "the scalar is not secret")
            }
            try expectSecret(password, "the password")
            let wrong = try secret("another one of keosd")
            try expectRefusal(of: wrong, file, .keosd)
        },
        Case("other wallets: SEC") {
            // Header 0x00 (Vectors/imports/anchor/sec.json, made-3).
            let file = try SecureBytes(
                copyingPublic: "SEC_K1_162WbVVzqqJHd3yZMSsf1BYmWSwVMS5GhF6pDhuuQZpxqXHzANYkvZKN".utf8)
            let wallet = try WalletFile.read(file, as: .secK1, password: try secret("a"))
            try expect(wallet.summary.keys.count == 1, "the key is missing")
        },
        Case("other wallets: a wrong password of Anchor") {
            // Zeros instead of salt, IV and ciphertext. The padding is wrong.
            let text = String(repeating: "0", count: 64) + String(repeating: "A", count: 64)
            let file = try SecureBytes(
                copyingPublic:
                    #"{"storage":{"schema":"anchor.v2.storage","data":{"data":"\#(text)"}}}"#.utf8)
            try expectRefusal(of: secret("a password of Anchor"), file, .anchor)
        },
        Case("other wallets: a wrong password of Scatter") {
            let box = #"{"iv":"AAAAAAAAAAAAAAAAAAAAAA==","salt":"AAAAAAAAAAA=","ct":"AAAAAAAAAAAAAAAA"}"#
            let file = try SecureBytes(copyingPublic: (box + "|SLT|SALT_ME").utf8)
            try expectRefusal(of: secret("a password of Scatter"), file, .scatter)
        },
        Case("other wallets: key certificate") {
            // Header 0x00 (Vectors/imports/anchor/certificates.json, made-4).
            let file = try SecureBytes(
                copyingPublic: """
                    anchorcert:rKN28ga4_CWm7UTb3GZUfDbGwz46EZ_76u-UNkLw6QYAAAAAA\
                    OowVQAAAACo7TIyAACIIsYXpwYiJGL1VLBHnrDAfRlN6qxamAhPMPmLvBvhK9Dqc_A
                    """.utf8)
            let words = try secret("abandon myself matrix ticket divide learn")
            let wallet = try WalletFile.read(file, as: .anchorCertificate, password: words)
            try expect(wallet.summary.keys.count == 1, "the key is missing")
            try expectSecret(words, "the words")
        },
        Case("other wallets: cleos create key") {
            let file = try SecureBytes(
                copyingPublic: """
                    Private key: 5KazVKXx1LrxRRxHz7hytAeEhmqLcc25DavFrE83hFBFhu2rzF7
                    Public key: EOS6YkQrmX18jTFXKmUfAcLqEnb1NFDsWvsxPU3U6VK1s9au7GkPX
                    """.utf8)
            file.classify()
            let wallet = try WalletFile.read(file, as: .cleosCreateKey, password: nil)
            try expect(wallet.summary.keys.count == 1, "the key is missing")
        },
    ]

    private static func expectRefusal(
        of password: borrowing SecureBytes, _ file: borrowing SecureBytes, _ format: WalletFormat
    ) throws {
        do throws(WalletError) { _ = try WalletFile.read(file, as: format, password: password) } catch {
            guard case .wrongPassword(format) = error else { throw Unexpected(description: "\(error)") }
            return
        }
        throw Unexpected(description: "a wrong password is not refused")
    }
}
