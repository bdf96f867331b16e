import SecureMemory

/// A typed text as words, separated by spaces, tabs or line endings. Each byte is combined with
/// every word, masked by whether it belongs to the word. The length of a word, and so the start of
/// the next word, is secret too. Every text takes the same time, as if spaces followed it up to the
/// greatest length.
struct TypedWords: ~Copyable {
    /// The number of words, including those that are not kept.
    let count: Int
    /// Two fields of 8 bytes for each word: its letters, then all ones if the word is too long or
    /// has other characters than letters.
    private var cells: SecureBytes

    /// - Parameter limit: the number of words that are kept.
    /// - Throws: `memory(.tooLong)`.
    init(_ text: borrowing SecureBytes, atMost limit: Int) throws(VaultError) {
        guard text.count <= RecoveryPhrase.maximumTextCount else {
            throw .machine(.memory(.tooLong(limit: RecoveryPhrase.maximumTextCount)))
        }
        var cells = try Sodium.guarded(limit * 16)
        let words = Self.split(text, into: &cells)
        // Discloses the number of words: a phrase has 24, and a line has at most the missing ones.
        count = Int(disclosed(words))
        self.cells = cells
    }

    /// The letters of a word in lower case, in the form of the list; 0 for a text that can't be in
    /// the list.
    borrowing func letters(at position: Int) -> UInt64 {
        cells.withBytes { cells in cells[word: 2 * position] & ~cells[word: 2 * position + 1] }
    }

    @inline(never)
    private static func split(_ text: borrowing SecureBytes, into cells: inout SecureBytes) -> UInt64 {
        text.withBytes { text in
            cells.withMutableBytes { cells in
                let limit = cells.byteCount / 16
                var position: UInt64 = 0
                var isInWord: UInt64 = 0
                // 256 to the power of the number of letters before this one; 0 after the eighth.
                var place: UInt64 = 1
                for index in 0..<RecoveryPhrase.maximumTextCount {
                    let byte = index < text.byteCount ? UInt64(text[byte: index]) : 0x20
                    let isSpace =
                        ConstantTime.mask(ifEqual: byte, 0x20) | ConstantTime.mask(byte, isFrom: 0x09, to: 0x0d)
                    // A mask is -1, so this adds 1 after a word.
                    position &-= isInWord & isSpace
                    isInWord = ~isSpace
                    let letter = byte | 0x20
                    let isLetter = ConstantTime.mask(letter, isFrom: 0x61, to: 0x7a)
                    let isBad = ~isSpace & (~isLetter | ConstantTime.mask(ifEqual: place, 0))
                    let placed = (letter &* place) & ~isSpace
                    for word in 0..<limit {
                        let isHere = ConstantTime.mask(ifEqual: UInt64(truncatingIfNeeded: word), position)
                        cells[word: 2 * word] |= placed & isHere
                        cells[word: 2 * word + 1] |= isBad & isHere
                    }
                    place = isSpace & 1 | ~isSpace & place &<< 8
                }
                return position &- isInWord
            }
        }
    }
}

extension RawSpan {
    subscript(word index: Int) -> UInt64 {
        unsafe unsafeLoadUnaligned(fromByteOffset: 8 * index, as: UInt64.self)
    }
}

extension MutableRawSpan {
    subscript(word index: Int) -> UInt64 {
        get { unsafe unsafeLoadUnaligned(fromByteOffset: 8 * index, as: UInt64.self) }
        set { storeBytes(of: newValue, toByteOffset: 8 * index, as: UInt64.self) }
    }
}
