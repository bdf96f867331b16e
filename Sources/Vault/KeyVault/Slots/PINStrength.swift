import Glibc
import SecureMemory

/// The strength of a PIN against anyone who has the vault's file: the number of PINs with the same
/// shape. It contains only counts, and no other information about the PIN.
package struct PINStrength: Equatable, Sendable {
    /// The classes of characters that occur.
    package struct Alphabet: OptionSet, Hashable, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        package static let digits = Alphabet(rawValue: 1)
        package static let lowerCase = Alphabet(rawValue: 2)
        package static let upperCase = Alphabet(rawValue: 4)
        /// The space and the 32 punctuation characters of ASCII.
        package static let signs = Alphabet(rawValue: 8)

        /// The number of characters in the alphabet.
        var count: Int {
            (contains(.digits) ? 10 : 0) + (contains(.lowerCase) ? 26 : 0) + (contains(.upperCase) ? 26 : 0)
                + (contains(.signs) ? 33 : 0)
        }
    }

    package let alphabet: Alphabet
    /// The number of characters in the PIN.
    package let length: Int
    /// The number of words. Nil unless the PIN consists of several runs of letters with one space
    /// or hyphen between them.
    package let words: Int?

    /// A PIN is weak if a thousand cores can try all PINs of its shape in fewer years.
    static let weakYears = 100.0
    package static let secondsPerYear = 365.25 * 86_400

    /// The number of words that an attacker tries, for words that people choose. A word list for
    /// five dice has as many.
    package static let wordListCount = 7_776

    /// The number of PINs with this shape. Words count as words: counted as letters, they would
    /// look far stronger.
    package var count: Double {
        let spelled = pow(Double(alphabet.count), Double(length))
        return words.map { min(pow(Double(Self.wordListCount), Double($0)), spelled) } ?? spelled
    }

    /// The seconds to try all PINs of the shape.
    package func seconds(perGuess: Double, cores: Int) -> Double { count * perGuess / Double(cores) }

    package func isWeak(secondsPerGuess: Double) -> Bool {
        seconds(perGuess: secondsPerGuess, cores: 1_000) < Self.weakYears * Self.secondsPerYear
    }
}

extension PIN {
    /// The strength of a PIN with this shape.
    package var strength: PINStrength {
        bytes.withBytes { span in
            var counts = CharacterCounts()
            for index in 0..<span.byteCount { counts.add(span[byte: index]) }
            return PINStrength(
                alphabet: counts.alphabet, length: span.byteCount,
                words: counts.isOfWords ? counts.words : nil)
        }
    }
}

/// The classes of characters that occur, and the number of words.
private struct CharacterCounts {
    private(set) var alphabet: PINStrength.Alphabet = []
    private(set) var words = 0
    private var signs = 0
    /// Spaces and hyphens directly after a letter.
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
