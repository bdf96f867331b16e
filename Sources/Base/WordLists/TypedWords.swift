import SecureMemory

/// A typed text as words, separated by spaces, tabs or line endings.
package enum TypedWords {
    /// The longest accepted text, in bytes. 24 words of 8 letters take 215, 59 words take 530; the
    /// rest is room for layout.
    package static let maximumTextCount = 1_024

    /// Calls `body` with the index of each word and its letters in lower case, in the form of the
    /// list. The letters are nil for a word that is too long or has other characters than letters.
    ///
    /// The time reveals the lengths of the words, but not their letters. The caller wipes the words
    /// that this leaves on the stack.
    /// - Returns: the number of words.
    /// - Throws: `tooLong`.
    @inline(never)
    @discardableResult
    package static func forEach(
        in text: borrowing SecureBytes, _ body: (_ index: Int, _ letters: UInt64?) -> Void
    ) throws(SecureMemoryError) -> Int {
        guard text.count <= maximumTextCount else { throw .tooLong(limit: maximumTextCount) }
        return text.withBytes { text in forEach(in: text, body) }
    }

    @inline(never)
    @discardableResult
    static func forEach(in text: RawSpan, _ body: (_ index: Int, _ letters: UInt64?) -> Void) -> Int {
        var (index, offset) = (0, 0)
        while true {
            while offset < text.byteCount, isSpace(text[byte: offset]) { offset += 1 }
            let start = offset
            while offset < text.byteCount, !isSpace(text[byte: offset]) { offset += 1 }
            if start == offset { return index }
            body(index, letters(text.extracting(start..<offset)))
            index += 1
        }
    }

    /// Discloses where a word ends.
    private static func isSpace(_ byte: UInt8) -> Bool {
        disclosed(byte == 0x20 || byte &- 0x09 <= 0x0d - 0x09)
    }

    private static func letters(_ word: RawSpan) -> UInt64? {
        guard word.byteCount <= WordList.longestWord else { return nil }
        var (letters, others) = (0 as UInt64, 0 as UInt16)
        for offset in (0..<word.byteCount).reversed() {
            let letter = word[byte: offset] | 0x20
            // Negative in 16 bits for a byte outside of a to z.
            others |= (UInt16(letter) &- 0x61) | (0x7a &- UInt16(letter))
            letters = letters << 8 | UInt64(letter)
        }
        // Discloses whether the word has other characters: then it is no word of a list.
        return disclosed(others >> 15) == 0 ? letters : nil
    }
}
