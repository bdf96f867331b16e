import SecureMemory

/// Words are found, read and written in the same time, whatever they are. No memory access depends
/// on a secret, and no branch does, except on a result that is disclosed.
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
        let words = try TypedWords(text, atMost: Self.wordCount)
        guard words.count == Self.wordCount else { throw .input(.recoveryPhrase(.wordCount(words.count))) }
        var numbers = try WordNumbers()
        // Discloses whether all words are in the list. If not, the text is not a phrase, and the
        // error names the position of the first unknown word.
        let unknown = disclosed(numbers.take(words))
        guard unknown == 0 else { throw .input(.recoveryPhrase(.unknownWord(position: Int(unknown)))) }
        try self.init(numbers)
    }

    /// - Throws: `recoveryPhrase(.checksum)`, `recoveryPhrase(.walletSeed)`.
    init(_ numbers: borrowing WordNumbers) throws(VaultError) {
        defer { wipeScratch() }
        var packed = try numbers.packed()
        let checksum = packed.withBytes { $0[byte: Self.count] }
        packed.truncate(to: Self.count)
        let expected = try Self.walletChecksum(of: packed)
        // Discloses whether the checksum matches and, if not, whether it is a wallet's.
        guard !disclosed(checksum == expected) else { throw .input(.recoveryPhrase(.walletSeed)) }
        guard disclosed(checksum == expected ^ Self.version) else { throw .input(.recoveryPhrase(.checksum)) }
        bytes = packed
    }

    // MARK: into words

    /// The bytes of a word as it is lent: 8 letters and a space.
    package static let cellCount = WordList.longestWord + 1

    /// Lends the 24 words, each padded with spaces to the length of the longest one. So the
    /// position of a word does not disclose the length of the word before it.
    /// - Throws: `memory`, and what `body` throws.
    package borrowing func withWords<Result>(
        _ body: (borrowing SecureBytes) throws -> Result
    ) throws -> Result {
        let text = try WordNumbers(of: self).text()
        wipeScratch()
        return try body(text)
    }

    /// Whether the word at `position`, from 1, is the typed text. Spaces around the text and upper
    /// case are ignored, and the first four letters of the word are enough.
    /// - Throws: `memory`.
    package borrowing func isWord(_ position: Int, equalTo text: borrowing SecureBytes) throws(VaultError) -> Bool {
        precondition((1...Self.wordCount).contains(position))
        defer { wipeScratch() }
        guard text.count <= Self.maximumTextCount else { return false }
        let words = try TypedWords(text, atMost: 1)
        guard words.count == 1 else { return false }
        return try WordNumbers(of: self).isWord(position - 1, words)
    }
}
