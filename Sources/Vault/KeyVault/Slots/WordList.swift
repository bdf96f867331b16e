/// The 2,048 English words of BIP-39, in its order: the file bip-0039/english.txt of bitcoin/bips,
/// byte for byte. No word of a phrase is ever a `String`.
enum WordList {
    /// Letters, a to z, so that a word fits in a `UInt64`.
    static let longestWord = 8

    /// The words, each followed by a line feed.
    static let text: [UInt8] = PackageResources.bip39_english_txt

    /// The letters of each word from the lowest byte up, then zeros.
    static let words = text.split(separator: UInt8(ascii: "\n")).map { word in
        word.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The number of a complete word.
    static func number(of letters: UInt64) -> Int? { words.firstIndex(of: letters) }

    /// Like `number(of:)`, for a word that may be abbreviated to its first letters, four at least.
    /// No two words have the same first four letters (BIP-39, "Wordlist").
    static func number(ofAbbreviated letters: UInt64) -> Int? {
        let missing = letters.leadingZeroBitCount / 8
        guard missing <= longestWord - 4 else { return number(of: letters) }
        return words.firstIndex { $0 & (.max >> (8 * UInt64(missing))) == letters }
    }
}
