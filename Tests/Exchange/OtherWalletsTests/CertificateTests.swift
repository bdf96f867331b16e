import JSON
import Keys
import OtherWallets
import SecureMemory
import TestSupport
import Testing

/// Certificates on paper: the words in place of the text.
@Suite struct CertificateTests {
    private static let rows = Result {
        let json = try JSONValue.parse(try repositoryFile("Vectors/imports/anchor/certificates.json"))
        return (json["tests"]?.array ?? []).filter { $0["result"]?.string == "valid" }
    }

    @Test func wordsGiveTheSameKey() throws {
        let rows = try Self.rows.get()
        #expect(rows.count >= 13)
        for row in rows {
            let wallet = try Self.read(words: Self.words("key_words", row), row)
            #expect(
                wallet.summary.keys.map(\.publicKey.canonicalText) == [
                    row["key"]?["public_key"]?.string ?? ""
                ])
            #expect(wallet.summary.keys.map(\.label) == [nil])
        }
    }

    @Test func textHasALabel() throws {
        for row in try Self.rows.get() {
            let wallet = try Self.read(words: row["text"]?.string ?? "", row)
            let label = "\(row["actor"]?.string ?? "")@\(row["permission"]?.string ?? "")"
            #expect(wallet.summary.keys.map(\.label) == [label])
        }
    }

    @Test(arguments: [
        (26, WalletError.words(.wrongCount(given: 26, expected: 28))),
        (1, .form(.anchorCertificate, .missingPart("anchorcert:"))),
        (32, .words(.wrongCount(given: 32, expected: 28))),
    ])
    func otherCountsAreRefused(count: Int, error: WalletError) throws {
        let row = try #require(try Self.rows.get().first)
        let words = [String](repeating: "zoo", count: count).joined(separator: " ")
        #expect(throws: error) { _ = try Self.read(words: words, row) }
    }

    @Test func wrongWordsAreRefused() throws {
        let row = try #require(try Self.rows.get().first)
        var words = Self.words("key_words", row).split(separator: " ").map(String.init)
        words[3] = "pancetta"
        #expect(throws: WalletError.words(.unknownWord(number: 4))) {
            _ = try Self.read(words: words.joined(separator: " "), row)
        }
        // More than 38 bytes, and a zero byte without its word.
        for first in ["zoo", "ability"] {
            let words = [first] + [String](repeating: "abandon", count: first == "zoo" ? 27 : 28)
            #expect(throws: WalletError.words(.malformed)) {
                _ = try Self.read(words: words.joined(separator: " "), row)
            }
        }
    }

    private static func words(_ name: String, _ row: JSONValue) -> String {
        (row[name]?.array ?? []).compactMap(\.string).joined(separator: " ")
    }

    private static func read(words: String, _ row: JSONValue) throws -> WalletFile {
        let file = try SecureBytes(copyingPublic: Array(words.utf8))
        let password = try SecureBytes(copyingPublic: Array(self.words("password_words", row).utf8))
        return try WalletFile.read(file, as: .anchorCertificate, password: password)
    }
}
