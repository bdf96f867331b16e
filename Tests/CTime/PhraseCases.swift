import KeyVault
import SecureMemory

enum PhraseCases {
    /// The words for 256 one bits; the last word contains the checksum (`RecoveryPhraseTests`).
    private static let words = String(repeating: "zoo ", count: 23) + "volume"

    static let all = [
        Case("phrase: words of new bits") {
            let phrase = try RecoveryPhrase.random()
            let again = try phrase.withWords { words in
                try expect(words.secretCount() > RecoveryPhrase.wordCount * 3, "the words are not secret")
                return words.disclosedText()
            }
            _ = try RecoveryPhrase(words: secret(again))
        },
        Case("phrase: typed") {
            for text in [
                words, "\n\t " + words.uppercased().split(separator: " ").joined(separator: " \r\n\t") + " \n",
            ] {
                try RecoveryPhrase(words: secret(text)).withWords { words in
                    let text = words.disclosedText().split(separator: " ")
                    try expect(text.count == 24 && text.last == "volume", "the words differ")
                }
            }
        },
        Case("phrase: refusals") {
            for (text, expected) in [
                (String(words.dropFirst(4)), RecoveryPhraseProblem.wordCount(23)), (words + " zoo", .wordCount(25)),
                ("zooo " + words.dropFirst(4), .unknownWord(position: 1)),
                ("zoo abstractly " + words.dropFirst(8), .unknownWord(position: 2)),
                ("zone " + words.dropFirst(4), .checksum), (String(words.dropLast(6)) + "vote", .walletSeed),
            ] {
                var refusal: VaultError?
                do throws(VaultError) { _ = try RecoveryPhrase(words: VaultCases.secret(text)) } catch {
                    refusal = error
                }
                try expect(refusal == .input(.recoveryPhrase(expected)), "refused with \(String(describing: refusal))")
            }
        },
        Case("phrase: a word typed again") {
            let phrase = try RecoveryPhrase(words: secret(words))
            try expect(phrase.isWord(24, equalTo: secret(" VOLUME ")), "the word is refused")
            try expect(phrase.isWord(24, equalTo: secret("volu")), "the first four letters are refused")
            try expect(!phrase.isWord(24, equalTo: secret("vol")), "three letters are accepted")
            try expect(!phrase.isWord(24, equalTo: secret("zoo")), "another word is accepted")
            try expect(!phrase.isWord(24, equalTo: secret("volume volume")), "two words are accepted")
        },
        Case("phrase: typed word by word") {
            var typed = try TypedPhrase()
            for (line, expected) in [
                ("zzzz ZOO\tabstractly", TypedPhrase.Answer.taken(unknown: [1, 3])), ("zoo zoo", .tooMany(2)),
                ("zo", .taken(unknown: [1])), ("zoo", .taken(unknown: [])), ("zoo", .taken(unknown: [])),
                (String(repeating: "zoo ", count: 20) + "Volu", .taken(unknown: [])),
            ] {
                let answer = try typed.take(secret(line))
                try expect(answer == expected, "\(line): \(answer)")
            }
            try typed.phrase().withWords { words in
                try expect(words.disclosedText().hasSuffix("volume   "), "the words differ")
            }
        },
        Case("phrase: a word corrected by its number") {
            var typed = try TypedPhrase()
            _ = try typed.take(secret(String(repeating: "zoo ", count: 23) + "wage"))
            var refusal: VaultError?
            do throws(VaultError) { _ = try typed.phrase() } catch { refusal = error }
            try expect(refusal == .input(.recoveryPhrase(.checksum)), "refused with \(String(describing: refusal))")
            try typed.withWords { words in
                try expect(words.disclosedText().hasSuffix("wage     "), "the words differ")
            }
            for (line, position) in [("24", 24), ("25", nil), ("0", nil), ("zoo", nil), ("7", 7)] as [(String, Int?)] {
                try expect(TypedPhrase.position(typed: secret(line)) == position, "the position \(line)")
            }
            for (line, isAll) in [("all", true), ("ALL", true), ("zoo", false), ("all all", false), ("", false)] {
                try expect(TypedPhrase.isAll(typed: secret(line)) == isAll, "all words: \(line)")
            }
            typed.drop(24)
            _ = try typed.take(secret("volume"))
            _ = try typed.phrase()
        },
    ]
}
