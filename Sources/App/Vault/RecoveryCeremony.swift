import KeyVault
import SecureMemory
import Shell

/// Creates a recovery phrase, shows it once at the terminal, and accepts it only after the user has
/// typed some of its words.
struct RecoveryCeremony: ~Copyable {
    private static let rounds = 3
    private static let askedWords = 3

    private let terminal: Terminal

    /// - Throws: if there is no terminal: the words are never shown anywhere else.
    init() throws { terminal = try Terminal.open(for: .newPhrase) }

    /// A phrase that the user has written down.
    /// - Throws: `phraseNotConfirmed`: the phrase must not be used.
    func newPhrase() throws -> RecoveryPhrase {
        let phrase = try RecoveryPhrase.random()
        for round in 1...Self.rounds {
            try phrase.withWords { words in
                try terminal.showSecret(
                    PhraseGrid.lay(words), below: Words.beforePhrase, prompt: Words.afterPhrase)
            }
            if try isConfirmed(phrase) { return phrase }
            if round < Self.rounds { _ = try terminal.readSecret(Words.phraseAgain, limit: 256) }
        }
        throw CommandError.phraseNotConfirmed
    }

    private func isConfirmed(_ phrase: borrowing RecoveryPhrase) throws -> Bool {
        for position in (1...RecoveryPhrase.wordCount).shuffled().prefix(Self.askedWords) {
            let word = try terminal.readSecret("word \(position): ", limit: 256)
            guard try phrase.isWord(position, equalTo: word) else { return false }
        }
        return true
    }
}

/// The words of a phrase as a table, numbered from 1, in guarded memory.
enum PhraseGrid {
    private static let columns = 4
    /// The columns of a cell: `12. `, a word of at most 8 letters, and the space before the next
    /// cell.
    private static let width = 15

    /// - Parameter words: the words from `RecoveryPhrase.withWords`. They are padded to the same
    ///   length, so that nothing depends on the length of a word.
    static func lay(_ words: borrowing SecureBytes) throws(SecureMemoryError) -> SecureBytes {
        let lines = RecoveryPhrase.wordCount / columns
        var grid = try SecureBytes(count: lines * (columns * width + 1))
        words.withBytes { words in
            grid.withMutableBytes { grid in
                for offset in 0..<grid.byteCount { grid[byte: offset] = UInt8(ascii: " ") }
                for line in 1...lines { grid[byte: line * (columns * width + 1) - 1] = UInt8(ascii: "\n") }
                for position in 0..<RecoveryPhrase.wordCount {
                    let cell = begin(position, in: &grid)
                    let word = position * RecoveryPhrase.cellCount
                    for offset in 0..<RecoveryPhrase.cellCount {
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
