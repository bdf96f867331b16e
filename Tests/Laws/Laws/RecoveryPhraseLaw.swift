import KeyVault
import Messages
import SecureMemory
import WordLists

/// A recovery phrase has one form. Only white space and letter case of the input may differ from
/// it. A person may type it on any number of lines, and abbreviate its words to four letters.
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
        return (texts + wallets + ["", "zoo", "24", "25", "abst zzzz act acti"]).map { Array($0.utf8) }
    }

    private static func repeated(_ word: String, last: String) -> String {
        String(repeating: word + " ", count: RecoveryPhrase.wordCount - 1) + last
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        let given = try must("guarded memory") { try SecureBytes(copyingPublic: input) }
        try checkLine(given, input)
        guard let phrase = try? RecoveryPhrase(words: given) else { return }
        let cells = try must("a phrase that was read is written") {
            try phrase.withWords { words in bytes(words) }
        }
        try law(
            cells.count == RecoveryPhrase.wordCount * RecoveryPhrase.cellCount,
            "words are written in cells of the same size"
        )
        let written = Array(cells.split(separator: 0x20).joined(separator: [0x20]))
        let words = words(input).map { $0.map { (0x41...0x5a).contains($0) ? $0 + 0x20 : $0 } }
        try law(
            Array(words.joined(separator: [0x20])) == written,
            "the written words equal the words read: \(text(written))")
        for (index, word) in words.enumerated() {
            let isWord = try must("a word is compared") {
                try phrase.isWord(index + 1, equalTo: SecureBytes(copyingPublic: word))
            }
            try law(isWord, "word \(index + 1) equals the input")
        }
        try checkTyped(words, as: cells)
    }

    /// Any line fills some of the open positions, or none.
    private static func checkLine(_ line: borrowing SecureBytes, _ input: [UInt8]) throws(LawBroken) {
        let digits = text(input).allSatisfy { $0.isASCII && $0.isNumber } ? Int(text(input)) ?? 0 : 0
        try law(
            TypedPhrase.position(typed: line, of: RecoveryPhrase.wordCount)
                == ((1...RecoveryPhrase.wordCount).contains(digits) ? digits : nil),
            "a position is a number from 1 to 24")
        guard input.count <= RecoveryPhrase.maximumTextCount else { return }
        let count = words(input).count
        let isAll = try must("a line is read") { try TypedPhrase.isAll(typed: line) }
        try law(
            isAll == (words(input).map { $0.map { $0 | 0x20 } } == [Array("all".utf8)]), "`all` is one word")
        var typed = try must("guarded memory") {
            try TypedPhrase(list: .bip39, count: RecoveryPhrase.wordCount)
        }
        switch try must("a line is taken", { try typed.take(line) }) {
        case .tooMany(let found):
            try law(found == count && count > RecoveryPhrase.wordCount, "\(count) words are counted")
            try law(typed.openPositions == 1..<25, "no word is taken")
        case .taken(let unknown):
            try law(count <= RecoveryPhrase.wordCount, "\(count) words are too many")
            try law(
                unknown == Array(Set(unknown)).sorted(), "unknown words are reported once, in their order")
            try law(unknown.allSatisfy { (1...count).contains($0) }, "unknown words are words of the line")
            let next = unknown.first ?? count + 1
            try law(typed.openPositions.first == (next > 24 ? nil : next), "the next position is \(next)")
        }
    }

    /// The same words, each on a line of its own and abbreviated, are the same phrase.
    private static func checkTyped(_ words: [[UInt8]], as cells: [UInt8]) throws(LawBroken) {
        var typed = try must("guarded memory") {
            try TypedPhrase(list: .bip39, count: RecoveryPhrase.wordCount)
        }
        for word in words {
            let answer = try must("a word is taken") {
                try typed.take(SecureBytes(copyingPublic: word.prefix(4)))
            }
            try law(answer == .taken(unknown: []), "\(text(word.prefix(4))) is known")
        }
        let written = try must("the typed words are a phrase") {
            try RecoveryPhrase(typed: typed).withWords { bytes($0) }
        }
        try law(written == cells, "the typed words are the same phrase")
    }

    private static func words(_ input: [UInt8]) -> [[UInt8]] {
        let spaces: [UInt8] = [0x20] + Array(0x09...0x0d)
        return input.split { spaces.contains($0) }.map(Array.init)
    }

    private static func bytes(_ secret: borrowing SecureBytes) -> [UInt8] {
        secret.withBytes { span in (0..<span.byteCount).map { span[byte: $0] } }
    }
}
