import KeyVault
import SecureMemory
import Shell
import WordLists

/// What a person reads above the words.
struct CeremonyTexts {
    let before: String

    static let recoveryPhrase = CeremonyTexts(before: Words.beforePhrase)
}

/// Shows words once at the terminal, and accepts them only after the user has typed some of them.
struct WordCeremony: ~Copyable {
    private static let rounds = 3
    private static let askedWords = 3

    private let terminal: Terminal

    /// - Throws: if there is no terminal: the words are never shown anywhere else.
    init(for purpose: TerminalPurpose) throws { terminal = try Terminal.open(for: purpose) }

    /// A recovery phrase that the user has written down.
    /// - Throws: `wordsNotConfirmed`: the phrase must not be used.
    static func newPhrase() throws -> RecoveryPhrase {
        let phrase = try RecoveryPhrase.random()
        try WordCeremony(for: .newPhrase).confirm(
            RecoveryPhrase.wordCount, .recoveryPhrase, lendingWords: { try phrase.withWords($0) },
            isWord: { try phrase.isWord($0, equalTo: $1) })
        return phrase
    }

    /// Returns when the user has written the words down.
    /// - Parameters:
    ///   - count: the number of words.
    ///   - lendingWords: lends the words in cells, as `WordNumbers.text` makes them.
    ///   - isWord: true if the word at a position, from 1, is the typed text.
    /// - Throws: `refusal`: the words must not be used.
    func confirm(
        _ count: Int, _ texts: CeremonyTexts, orThrow refusal: CommandError = .wordsNotConfirmed,
        lendingWords: ((borrowing SecureBytes) throws -> Void) throws -> Void,
        isWord: (_ position: Int, _ text: borrowing SecureBytes) throws -> Bool
    ) throws {
        for round in 1...Self.rounds {
            try lendingWords { words in
                try terminal.showSecret(
                    PhraseGrid.lay(words, count: count), below: texts.before, prompt: Words.afterPhrase)
            }
            if try isConfirmed(count, isWord) { return }
            if round < Self.rounds { _ = try terminal.readSecret(Words.phraseAgain, limit: 256) }
        }
        throw refusal
    }

    private func isConfirmed(
        _ count: Int, _ isWord: (_ position: Int, _ text: borrowing SecureBytes) throws -> Bool
    ) throws -> Bool {
        for position in (1...count).shuffled().prefix(Self.askedWords) {
            let word = try terminal.readSecret("word \(position): ", limit: 256)
            guard try isWord(position, word) else { return false }
        }
        return true
    }
}

/// Words as a table, numbered from 1, in guarded memory.
enum PhraseGrid {
    private static let columns = 4
    /// The columns of a cell: `12. `, a word of at most 8 letters, and the space before the next
    /// cell.
    private static let width = 15

    /// - Parameters:
    ///   - words: the words in cells. They are padded to the same length, so that nothing depends
    ///     on the length of a word.
    ///   - count: the number of words, at most 99.
    static func lay(_ words: borrowing SecureBytes, count: Int) throws(SecureMemoryError) -> SecureBytes {
        let lines = (count + columns - 1) / columns
        var grid = try SecureBytes(count: lines * (columns * width + 1))
        words.withBytes { words in
            grid.withMutableBytes { grid in
                for offset in 0..<grid.byteCount { grid[byte: offset] = UInt8(ascii: " ") }
                for line in 1...lines { grid[byte: line * (columns * width + 1) - 1] = UInt8(ascii: "\n") }
                for position in 0..<count {
                    let cell = begin(position, in: &grid)
                    let word = position * WordList.cellCount
                    for offset in 0..<WordList.cellCount {
                        grid[byte: cell + offset] = words[byte: word + offset]
                    }
                }
            }
        }
        return grid
    }

    /// Writes the number of a word.
    /// - Returns: the offset of its letters.
    private static func begin(_ position: Int, in grid: inout MutableRawSpan) -> Int {
        let cell = position / columns * (columns * width + 1) + position % columns * width
        let (tens, ones) = (position + 1).quotientAndRemainder(dividingBy: 10)
        if tens > 0 { grid[byte: cell] = UInt8(ascii: "0") + UInt8(tens) }
        grid[byte: cell + 1] = UInt8(ascii: "0") + UInt8(ones)
        grid[byte: cell + 2] = UInt8(ascii: ".")
        return cell + 4
    }
}
