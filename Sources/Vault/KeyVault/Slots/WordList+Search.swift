/// Searches read the whole list, whatever they find.
extension WordList {
    /// The letters of the word with this number.
    static func letters(of number: UInt64) -> UInt64 {
        var found: UInt64 = 0
        forEach { index, letters in found |= letters & ConstantTime.mask(ifEqual: index, number) }
        return found
    }

    /// The number of a word; 0 for a word that is not in the list.
    /// - Returns: the number, and all ones if the word is in the list, else zero.
    static func number(of word: UInt64) -> (number: UInt64, known: UInt64) {
        var number: UInt64 = 0
        var known: UInt64 = 0
        forEach { index, letters in
            let mask = ConstantTime.mask(ifEqual: letters, word)
            number |= index & mask
            known |= mask
        }
        return (number, known)
    }

    /// Like `number(of:)`, for a word that may be abbreviated to its first letters, four at least.
    /// The first four letters of each word differ from those of all others (BIP-39, "Wordlist").
    static func number(ofAbbreviated word: UInt64) -> (number: UInt64, known: UInt64) {
        // Bit 6 is set in each letter, and clear in the zeros after the last one.
        let ones = word &>> 6 & 0x0101_0101_0101_0101
        let given = ones &<< 8 &- ones
        let isLongEnough = 0 &- (ones &>> 24 & 1)
        var number: UInt64 = 0
        var known: UInt64 = 0
        forEach { index, letters in
            let isBeginning = ConstantTime.mask(ifEqual: letters & given, word) & isLongEnough
            let mask = ConstantTime.mask(ifEqual: letters, word) | isBeginning
            number |= index & mask
            known |= mask
        }
        return (number, known)
    }
}
