import SecureMemory

/// A list of English words, each of which has a number. No word of a phrase is ever a `String`.
///
/// No two words of a list have the same first four letters. A lookup reads the whole list, so its
/// time does not depend on the word.
package struct WordList: Sendable {
    /// Letters, a to z, so that a word fits in a `UInt64`.
    package static let longestWord = 8
    /// The bytes of a word as it is lent: 8 letters and a space.
    package static let cellCount = longestWord + 1

    /// The words, each followed by a line feed.
    package let text: [UInt8]
    /// The letters of each word from the lowest byte up, then zeros.
    package let words: [UInt64]
    /// The number of bits in the number of a word.
    package let bitCount: Int

    /// The 2,048 words of BIP-39, in its order: the file bip-0039/english.txt of bitcoin/bips, byte
    /// for byte.
    package static let bip39 = WordList(PackageResources.bip39_english_txt, bitCount: 11)

    /// The 1,024 words of SLIP-0039, in its order: the file shamir_mnemonic/wordlist.txt of
    /// trezor/python-shamir-mnemonic, byte for byte.
    package static let slip39 = WordList(PackageResources.slip39_english_txt, bitCount: 10)

    /// - Parameter bitCount: the list has 2^bitCount words.
    private init(_ text: [UInt8], bitCount: Int) {
        self.text = text
        self.bitCount = bitCount
        words = text.split(separator: UInt8(ascii: "\n")).map { word in
            word.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    /// Reads both lists. A program calls this before it reads a secret.
    package static func start() { _ = (bip39.words.count, slip39.words.count) }

    /// The number of a complete word.
    package func number(of letters: UInt64) -> Int? { number(of: letters, in: .max) }

    /// Like `number(of:)`, for a word that may be abbreviated to its first letters, four at least
    /// (BIP-39, "Wordlist"; SLIP-0039, "Wordlist").
    package func number(ofAbbreviated letters: UInt64) -> Int? {
        // One bits up to the last letter. The highest bit of a letter is bit 6.
        var mask = letters
        for shift in [1, 2, 4, 8, 16, 32] as [UInt64] { mask |= mask >> shift }
        mask |= mask << 1
        // Fewer than four letters are compared as a complete word.
        return number(of: letters, in: mask | WordList.mask(letters >> 24, equals: 0))
    }

    /// - Parameter mask: one bits for the letters that are compared. At most one word matches.
    private func number(of letters: UInt64, in mask: UInt64) -> Int? {
        var (number, found) = (0 as UInt64, 0 as UInt64)
        var index: UInt64 = 0
        for word in words {
            let match = Self.mask(word & mask, equals: letters)
            number |= index & match
            found |= match
            index &+= 1
        }
        // Discloses whether the word is in the list: the position of an unknown word is reported.
        return disclosed(found & 1) == 1 ? Int(truncatingIfNeeded: number) : nil
    }

    /// The letters of a word.
    package func letters(of number: Int) -> UInt64 {
        let number = UInt64(truncatingIfNeeded: number)
        var letters: UInt64 = 0
        var index: UInt64 = 0
        for word in words {
            letters |= word & Self.mask(index, equals: number)
            index &+= 1
        }
        return letters
    }

    /// All bits one if the numbers are equal, otherwise zero, without a branch.
    @inline(__always)
    static func mask(_ left: UInt64, equals right: UInt64) -> UInt64 {
        let difference = left ^ right
        return ((difference | (0 &- difference)) >> 63) &- 1
    }
}
