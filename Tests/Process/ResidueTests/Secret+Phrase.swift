import CResidue
import SecureMemory
import Shell
import TestSupport

@testable import App
@testable import KeyVault

extension Secret {
    /// A recovery phrase: its bits, its words as text and in the displayed grid, and their numbers.
    static func phrase(_ name: String, _ bits: [UInt8]) throws -> Secret {
        .bytes(name, bits, try wordForms(bits))
    }

    static func wordForms(_ bits: [UInt8]) throws -> [Form] {
        let phrase = RecoveryPhrase(bytes: try SecureBytes(copyingPublic: bits))
        let (text, grid) = try phrase.withWords { words in
            (words.copied(), try PhraseGrid.lay(words).copied())
        }
        let words = text.split(separator: UInt8(ascii: " ")).map(Array.init)
        let numbers = words.compactMap { word in WordList.number(of: letters(word)).map { UInt16($0) } }
        // The program keeps the letters of all words, so two neighbours of the list are no sign of
        // the phrase.
        let pairs = numbers.indices.dropLast().filter { numbers[$0] + 1 != numbers[$0 + 1] }
        return [
            Form("words", text, pieces: piecesOfTwoWords(text)),
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
