import JSON
import Keys
import Messages
import SecureMemory
import Seeds
import WordLists

/// The words of a wallet have one form. Only white space and letter case of the input may differ
/// from it.
public enum SeedPhraseLaw: Law {
    public static let name = "SeedPhrase"

    public static func seeds(_ vectors: Vectors) -> [[UInt8]] {
        let published = vectors.texts("seeds/bip39-vectors", "mnemonic")
        let others = vectors.texts("seeds/invalid", "mnemonic")
        let forms = published.prefix(5).flatMap {
            [
                $0.uppercased(), $0.replacing(" ", with: "\r\n\t"), " " + $0 + "\n", $0 + " zoo",
                String($0.dropLast()),
            ]
        }
        return (published + others + forms).map { Array($0.utf8) }
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        let given = try must("guarded memory") { try SecureBytes(copyingPublic: input) }
        guard let phrase = try? SeedPhrase(words: given) else { return }
        let words = WordsOfInput.lowercased(input)
        try law(SeedPhrase.wordCounts.contains(phrase.wordCount), "a phrase has a number of words of BIP-39")
        let joined = try must("a phrase that was read is written") { WordsOfInput.bytes(try phrase.words()) }
        try law(joined == Array(words.joined(separator: [0x20])), "the written words equal the words read")
        let cells = try must("a phrase that was read is lent") {
            try phrase.withWords { WordsOfInput.bytes($0) }
        }
        try law(cells.count == words.count * SeedPhrase.cellCount, "words are lent in cells of one size")
        try law(
            Array(cells.split(separator: 0x20).joined(separator: [0x20])) == joined,
            "the cells have the same words")
        let again = try must("the entropy is a phrase") {
            WordsOfInput.bytes(try SeedPhrase(entropy: phrase.entropy()).words())
        }
        try law(again == joined, "the entropy gives the same words")
    }
}

/// A share has one form, and the words of its value and parameters are the same again.
public enum ShareLaw: Law {
    public static let name = "Share"

    public static func seeds(_ vectors: Vectors) -> [[UInt8]] {
        let rows = vectors.tests("seeds/slip39-official") + vectors.tests("seeds/slip39-sets")
        return rows.compactMap { $0["mnemonics"]?.array?.compactMap(\.string).joined(separator: "\n") }.map {
            Array($0.utf8)
        }
    }

    /// Each line is a share.
    public static func check(_ input: [UInt8]) throws(LawBroken) {
        var join = ShareJoin()
        for line in input.split(separator: 0x0a).prefix(40) {
            let before = join.status
            let share = try must("guarded memory") { try SecureBytes(copyingPublic: line) }
            let wasComplete = before.isComplete
            do { try join.add(words: share) } catch {
                try law(join.status == before, "a refused share changes nothing")
                continue
            }
            try law(!wasComplete, "a complete set takes no share")
            try law(join.wordCount == WordsOfInput.lowercased(Array(line)).count, "each word is read")
            let have = (before.groups + []).reduce(0) { $0 + $1.have }
            try law(join.status.groups.reduce(0) { $0 + $1.have } == have + 1, "a share is counted once")
            try law(join.status.groups.allSatisfy { $0.have <= $0.needed }, "no group has too many shares")
            try law(join.status.groupsNeeded <= join.status.groupCount, "a set has the groups that it needs")
        }
        // Joining derives a key, so it is in the tests.
        guard !join.status.isComplete else { return }
        do {
            _ = try join.secret(passphrase: nil)
            throw LawBroken(description: "shares are joined that are too few")
        } catch let broken as LawBroken { throw broken } catch {
            try law(error as? SeedError == .share(.tooFew(join.status)), "too few shares: \(error)")
        }
    }
}

/// A path has one spelling.
public enum DerivationPathLaw: Law {
    public static let name = "DerivationPath"

    public static func seeds(_ vectors: Vectors) -> [[UInt8]] {
        let paths = (vectors["seeds/paths", "paths"].array ?? []).compactMap { $0["path"]?.string }
        let others = ["", "m/", "m/0h", "m/2147483648", "m/1/2/3/4/5/6/7/8/9/10/11", "44'/194'", "m/00"]
        return (paths + vectors.texts("seeds/bip32-vectors", "path") + others).map { Array($0.utf8) }
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        let string = text(input)
        guard let path = try? DerivationPath(string) else { return }
        try law(path.text == string, "\(string) is printed as \(path.text)")
        try law(path.levels.count <= DerivationPath.maximumLevelCount, "a path has at most 10 levels")
    }
}

/// Rolls of dice are counted, and a refused line adds none.
public enum DiceRollsLaw: Law {
    public static let name = "DiceRolls"

    public static func seeds(_ vectors: Vectors) -> [[UInt8]] {
        let lines = ["", "1", "123456", "1 2 3", "0", "7", "12x", "1\n6", "\t", "é", "66 66", " "]
        return lines.map { Array($0.utf8) } + [[UInt8](repeating: 0x31, count: 1_001)]
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        var rolls = try must("guarded memory") { try DiceRolls() }
        let line = try must("guarded memory") { try SecureBytes(copyingPublic: input) }
        let digits = input.filter { $0 != 0x20 }
        let isGood = digits.allSatisfy { (0x31...0x36).contains($0) } && digits.count <= DiceRolls.limit
        do throws(SeedError) { try rolls.add(line) } catch {
            try law(!isGood && rolls.count == 0, "a good line is refused: \(error)")
            return
        }
        try law(isGood && rolls.count == digits.count, "\(rolls.count) of \(digits.count) rolls are counted")
    }
}

private enum WordsOfInput {
    static func lowercased(_ input: [UInt8]) -> [[UInt8]] {
        let spaces: [UInt8] = [0x20] + Array(0x09...0x0d)
        return input.split { spaces.contains($0) }.map { word in
            word.map { (0x41...0x5a).contains($0) ? $0 + 0x20 : $0 }
        }
    }

    static func bytes(_ secret: borrowing SecureBytes) -> [UInt8] {
        secret.withBytes { span in (0..<span.byteCount).map { span[byte: $0] } }
    }
}
