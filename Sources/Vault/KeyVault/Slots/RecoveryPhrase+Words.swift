import SecureMemory

/// Words and their numbers are only in guarded memory, and in scratch memory that is wiped.
extension RecoveryPhrase {
    /// The longest accepted text, in bytes. 24 words of 8 letters take 215; the rest is room for
    /// layout.
    package static let maximumTextCount = 1_024

    // MARK: from words

    /// Reads the words of a phrase: separated by spaces, tabs or line endings, in upper or lower
    /// case of ASCII, each complete.
    /// - Throws: `recoveryPhrase`, `memory(.tooLong)`.
    package init(words text: borrowing SecureBytes) throws(VaultError) {
        defer { wipeScratch() }
        var numbers = try WordNumbers()
        var unknown: Int?
        let count = try TypedWords.forEach(in: text) { index, letters in
            guard index < Self.wordCount else { return }
            if let number = letters.flatMap(WordList.number(of:)) {
                numbers[index] = number
            } else if unknown == nil {
                unknown = index + 1
            }
        }
        guard count == Self.wordCount else { throw .input(.recoveryPhrase(.wordCount(count))) }
        if let unknown { throw .input(.recoveryPhrase(.unknownWord(position: unknown))) }
        try self.init(numbers)
    }

    /// - Throws: `recoveryPhrase(.checksum)`, `recoveryPhrase(.walletSeed)`.
    init(_ numbers: borrowing WordNumbers) throws(VaultError) {
        defer { wipeScratch() }
        let bits = try numbers.bits()
        let expected = try Self.walletChecksum(of: bits)
        guard numbers.checksum != expected else { throw .input(.recoveryPhrase(.walletSeed)) }
        guard numbers.checksum == expected ^ Self.version else { throw .input(.recoveryPhrase(.checksum)) }
        bytes = bits
    }

    // MARK: into words

    /// The bytes of a word as it is lent: 8 letters and a space.
    package static let cellCount = WordList.longestWord + 1

    /// Lends the 24 words, each padded with spaces to the length of the longest one. So the
    /// position of a word does not disclose the length of the word before it.
    /// - Throws: `memory`, and the errors of `body`.
    package borrowing func withWords<Result: ~Copyable>(
        _ body: (borrowing SecureBytes) throws -> Result
    ) throws -> Result {
        let text = try WordNumbers(of: self).text()
        wipeScratch()
        return try body(text)
    }

    /// True if the word at `position`, from 1, is the typed text. Spaces around the text and upper
    /// case are ignored, and the first four letters of the word are enough.
    /// - Throws: `memory`.
    package borrowing func isWord(_ position: Int, equalTo text: borrowing SecureBytes) throws(VaultError)
        -> Bool
    {
        precondition((1...Self.wordCount).contains(position))
        defer { wipeScratch() }
        guard text.count <= Self.maximumTextCount else { return false }
        return try WordNumbers(of: self).isWord(position - 1, text)
    }
}
