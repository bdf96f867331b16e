import CResidue
import SecureMemory
import Shell
import TestSupport
import WordLists

@testable import App
@testable import KeyVault

extension Secret {
    /// A recovery phrase: its bits, its words as text and in the displayed grid, and their numbers.
    static func phrase(_ name: String, _ bits: [UInt8]) throws -> Secret {
        .bytes(name, bits, try wordForms(bits))
    }

    static func wordForms(_ bits: [UInt8]) throws -> [Form] {
        let phrase = try RecoveryPhrase(bits: SecureBytes(copyingPublic: bits))
        return try wordForms(cells: phrase.withWords { $0.copied() }, .bip39)
    }

    /// - Parameters:
    ///   - text: the words, padded with spaces to 8 letters and a space.
    ///   - known: the number of words at the start that are not secret.
    static func wordForms(cells text: [UInt8], _ list: WordList, known: Int = 0) throws -> [Form] {
        let count = text.count / WordList.cellCount
        let lines = try PhraseGrid.lay(SecureBytes(copyingPublic: text), count: count).copied()
        // The grid of the words that are secret: each cell has `12. ` and 11 more bytes.
        let grid = Array(lines.dropFirst(known / 4 * 61 + known % 4 * 15))
        let text = Array(text.dropFirst(known * WordList.cellCount))
        let words = text.split(separator: UInt8(ascii: " ")).map(Array.init)
        let numbers = words.compactMap { word in list.number(of: letters(word)).map { UInt16($0) } }
        // The program keeps the letters of all words, so two neighbours of either list are no sign
        // of the phrase.
        let pairs = numbers.indices.dropLast().filter { index in
            [WordList.bip39, .slip39].allSatisfy { list in
                let first = list.number(of: letters(words[index]))
                return first == nil || first.map { $0 + 1 } != list.number(of: letters(words[index + 1]))
            }
        }
        let joined = Array(words.joined(separator: [UInt8(ascii: " ")]))
        return [
            Form("words", text, pieces: piecesOfTwoWords(text)),
            Form("words, joined by one space", joined, pieces: piecesOfTwoWords(joined, count: 15)),
            Form("words in the grid", grid, pieces: piecesOfTwoWords(grid, count: 18)),
            Form(
                "letters of the words", words.flatMap { letters($0).littleEndianBytes },
                pieces: pairs.map { 8 * $0..<8 * $0 + 16 }, isWords: false),
            Form("16-bit numbers of the words", numbers.flatMap(\.littleEndianBytes), step: 2),
            Form(
                "32-bit numbers of the words", numbers.flatMap { UInt32($0).littleEndianBytes }, piece: 16,
                step: 4),
            Form(
                "64-bit numbers of the words", numbers.flatMap { UInt64($0).littleEndianBytes }, piece: 32,
                step: 8),
        ]
    }

    private static func letters(_ word: [UInt8]) -> UInt64 {
        word.enumerated().reduce(0) { $0 | UInt64($1.element) << UInt64(8 * $1.offset) }
    }

    /// Pieces with at least three letters of each of two words. Pieces that the program's own word
    /// list contains are left out.
    private static func piecesOfTwoWords(_ text: [UInt8], count: Int = RESIDUE_WORDS) -> [Range<Int>] {
        (0...(text.count - count)).map { $0..<($0 + count) }.filter { piece in
            let words = text[piece].split(whereSeparator: { !isLetter($0) })
            guard words.count(where: { $0.count >= 3 }) == 2 else { return false }
            return count > RESIDUE_WORDS
                || !text[piece].withUnsafeBufferPointer { residue_text_has(programText, $0.baseAddress) }
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
    }

    /// Never freed.
    nonisolated(unsafe) private static let programText: OpaquePointer = {
        let program = (try? Files.read(BuiltProgram.path)) ?? []
        guard let text = residue_text_make(program, program.count) else {
            preconditionFailure("out of memory")
        }
        return text
    }()
}
