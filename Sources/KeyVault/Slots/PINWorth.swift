import Glibc
import SecureMemory

/// What a PIN is worth against whoever has the vault's file: how many PINs have its shape. Of the
/// PIN itself it holds nothing but counts.
package struct PINWorth: Equatable, Sendable {
    /// The kinds of characters that occur.
    package struct Alphabet: OptionSet, Hashable, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        package static let digits = Alphabet(rawValue: 1)
        package static let lowerCase = Alphabet(rawValue: 2)
        package static let upperCase = Alphabet(rawValue: 4)
        /// The space and the 32 signs of ASCII.
        package static let signs = Alphabet(rawValue: 8)

        /// How many characters it has.
        var count: Int {
            (contains(.digits) ? 10 : 0) + (contains(.lowerCase) ? 26 : 0) + (contains(.upperCase) ? 26 : 0)
                + (contains(.signs) ? 33 : 0)
        }
    }

    package let alphabet: Alphabet
    /// Characters.
    package let length: Int
    /// Runs of letters with one space or hyphen between them, when there are several and the PIN
    /// has nothing else.
    package let words: Int?

    /// Below so many years against a thousand cores a PIN is called weak.
    static let weakYears = 100.0
    package static let secondsPerYear = 365.25 * 86_400

    /// The words that a thief tries, as people choose them: a list thrown with five dice has as
    /// many.
    package static let wordListCount = 7_776

    /// How many PINs have the shape. Words count as words: as letters they would look worth far
    /// more.
    package var count: Double {
        let spelled = pow(Double(alphabet.count), Double(length))
        return words.map { min(pow(Double(Self.wordListCount), Double($0)), spelled) } ?? spelled
    }

    /// Seconds in which all PINs of the shape are tried.
    package func seconds(perGuess: Double, cores: Int) -> Double { count * perGuess / Double(cores) }

    package func isWeak(secondsPerGuess: Double) -> Bool {
        seconds(perGuess: secondsPerGuess, cores: 1_000) < Self.weakYears * Self.secondsPerYear
    }
}

extension PIN {
    /// What a PIN of this shape is worth.
    package var worth: PINWorth {
        bytes.withBytes { span in
            var counts = CharacterCounts()
            for index in 0..<span.byteCount { counts.add(span[byte: index]) }
            return PINWorth(
                alphabet: counts.alphabet, length: span.byteCount, words: counts.isOfWords ? counts.words : nil)
        }
    }
}

/// The kinds of characters that occur, and how many words they make.
private struct CharacterCounts {
    private(set) var alphabet: PINWorth.Alphabet = []
    private(set) var words = 0
    private var signs = 0
    /// Spaces and hyphens with a letter before them.
    private var separators = 0
    private var isInWord = false

    mutating func add(_ byte: UInt8) {
        let wasInWord = isInWord
        isInWord = false
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): alphabet.insert(.digits)
        case UInt8(ascii: "a")...UInt8(ascii: "z"):
            alphabet.insert(.lowerCase)
            isInWord = true
        case UInt8(ascii: "A")...UInt8(ascii: "Z"):
            alphabet.insert(.upperCase)
            isInWord = true
        default:
            alphabet.insert(.signs)
            signs += 1
            if wasInWord, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "-") { separators += 1 }
        }
        if isInWord, !wasInWord { words += 1 }
    }

    var isOfWords: Bool { words > 1 && signs == separators && !alphabet.contains(.digits) }
}
