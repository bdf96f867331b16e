import KeyVault
import SecureMemory

/// A recovery phrase has one form. Only white space and letter case of the input may differ from
/// it.
public enum RecoveryPhraseLaw: Law {
    public static let name = "RecoveryPhrase"

    public static func seeds(_ vectors: Vectors) -> [[UInt8]] {
        let phrases = [
            repeated("abandon", last: "artefact"), repeated("zoo", last: "volume"),
            "hamster diagram private dutch cause delay private meat slide toddler razor book happy fancy "
                + "gospel tennis maple dilemma loan "
                + "word shrug inflict delay lens",
        ]
        let wallets = [repeated("abandon", last: "art"), repeated("zoo", last: "vote")]
        let texts = phrases.flatMap { phrase in
            [
                phrase, phrase.uppercased(), phrase.replacing(" ", with: "\r\n\t"), " " + phrase + "\n",
                phrase + " zoo",
                String(phrase.dropLast()),
            ]
        }
        return (texts + wallets + ["", "zoo"]).map { Array($0.utf8) }
    }

    private static func repeated(_ word: String, last: String) -> String {
        String(repeating: word + " ", count: RecoveryPhrase.wordCount - 1) + last
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        let given = try must("guarded memory") { try SecureBytes(copyingPublic: input) }
        guard let phrase = try? RecoveryPhrase(words: given) else { return }
        let cells = try must("a phrase that was read is written") { try phrase.withWords { words in bytes(words) } }
        try law(
            cells.count == RecoveryPhrase.wordCount * RecoveryPhrase.cellCount,
            "words are written in cells of the same size"
        )
        let written = Array(cells.split(separator: 0x20).joined(separator: [0x20]))
        let spaces: [UInt8] = [0x20] + Array(0x09...0x0d)
        let words = input.split { spaces.contains($0) }.map { $0.map { (0x41...0x5a).contains($0) ? $0 + 0x20 : $0 } }
        try law(
            Array(words.joined(separator: [0x20])) == written,
            "the written words equal the words read: \(text(written))")
        for (index, word) in words.enumerated() {
            let isWord = try must("a word is compared") {
                try phrase.isWord(index + 1, equalTo: SecureBytes(copyingPublic: word))
            }
            try law(isWord, "word \(index + 1) equals the input")
        }
    }

    private static func bytes(_ secret: borrowing SecureBytes) -> [UInt8] {
        secret.withBytes { span in (0..<span.byteCount).map { span[byte: $0] } }
    }
}
