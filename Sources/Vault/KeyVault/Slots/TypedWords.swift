import SecureMemory

/// A typed text as words, separated by spaces, tabs or line endings.
enum TypedWords {
    /// Calls `body` with the index of each word and its letters in lower case, in the form of the
    /// list. The letters are nil for a word that is too long or has other characters than letters.
    ///
    /// The caller wipes the words that this leaves on the stack.
    /// - Returns: the number of words.
    /// - Throws: `memory(.tooLong)`.
    @inline(never)
    @discardableResult
    static func forEach(
        in text: borrowing SecureBytes, _ body: (_ index: Int, _ letters: UInt64?) -> Void
    ) throws(VaultError) -> Int {
        guard text.count <= RecoveryPhrase.maximumTextCount else {
            throw .machine(.memory(.tooLong(limit: RecoveryPhrase.maximumTextCount)))
        }
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

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }

    private static func letters(_ word: RawSpan) -> UInt64? {
        guard word.byteCount <= WordList.longestWord else { return nil }
        var letters: UInt64 = 0
        for offset in (0..<word.byteCount).reversed() {
            let letter = word[byte: offset] | 0x20
            guard (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) else { return nil }
            letters = letters << 8 | UInt64(letter)
        }
        return letters
    }
}
