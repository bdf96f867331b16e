import Codecs
import SecureMemory
import WordLists

/// Words and their numbers are only in guarded memory, and in scratch memory that is wiped.
extension RecoveryPhrase {
    /// The longest accepted text, in bytes.
    package static let maximumTextCount = TypedWords.maximumTextCount

    // MARK: from words

    /// Reads the words of a phrase: separated by spaces, tabs or line endings, in upper or lower
    /// case of ASCII, each complete.
    /// - Throws: `recoveryPhrase`, `memory(.tooLong)`.
    package init(words text: borrowing SecureBytes) throws(VaultError) {
        defer { wipeScratch() }
        var numbers = try Self.noNumbers()
        var unknown: Int?
        let count: Int
        do {
            count = try TypedWords.forEach(in: text) { index, letters in
                guard index < Self.wordCount else { return }
                if let number = letters.flatMap(WordList.bip39.number(of:)) {
                    numbers[index] = number
                } else if unknown == nil {
                    unknown = index + 1
                }
            }
        } catch { throw .memory(error) }
        guard count == Self.wordCount else { throw .input(.recoveryPhrase(.wordCount(count))) }
        if let unknown { throw .input(.recoveryPhrase(.unknownWord(position: unknown))) }
        try self.init(numbers)
    }

    /// The phrase of 24 typed words of BIP-39's list.
    /// - Throws: `recoveryPhrase`, but not `unknownWord`.
    package init(typed: borrowing TypedPhrase) throws(VaultError) {
        let count = typed.takenCount
        guard count == Self.wordCount, typed.wordCount == count else {
            throw .input(.recoveryPhrase(.wordCount(count)))
        }
        try self.init(typed.numbers)
    }

    /// - Throws: `recoveryPhrase(.checksum)`, `recoveryPhrase(.walletSeed)`.
    private init(_ numbers: borrowing WordNumbers) throws(VaultError) {
        defer { wipeScratch() }
        let bits: SecureBytes
        do { bits = try numbers.bits(Self.count) } catch { throw .memory(error) }
        let expected = try Self.walletChecksum(of: bits)
        let checksum = numbers.withBits { $0[byte: Self.count] }
        // Discloses whether the words are a phrase, and of which kind.
        let difference = disclosed(checksum ^ expected)
        guard difference != 0 else { throw .input(.recoveryPhrase(.walletSeed)) }
        guard difference == Self.version else { throw .input(.recoveryPhrase(.checksum)) }
        bytes = bits
    }

    private static func noNumbers() throws(VaultError) -> WordNumbers {
        do { return try WordNumbers(list: .bip39, count: wordCount) } catch { throw .memory(error) }
    }

    // MARK: into words

    /// The bytes of a word as it is lent: 8 letters and a space.
    package static let cellCount = WordList.cellCount

    /// Lends the 24 words, each padded with spaces to the length of the longest one. So the
    /// position of a word does not disclose the length of the word before it.
    /// - Throws: `memory`, and the errors of `body`.
    package borrowing func withWords<Result: ~Copyable>(
        _ body: (borrowing SecureBytes) throws -> Result
    ) throws -> Result {
        let text: SecureBytes
        do { text = try numbers().text() } catch let error as SecureMemoryError {
            throw VaultError.memory(error)
        }
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
        let numbers = try numbers()
        do { return try numbers.isWord(position - 1, text) } catch { throw .memory(error) }
    }

    /// The numbers of the words.
    private borrowing func numbers() throws(VaultError) -> WordNumbers {
        let checksum = try Self.walletChecksum(of: bytes) ^ Self.version
        var numbers = try Self.noNumbers()
        bytes.withBytes { bits in
            numbers.withMutableBits { packed in
                for index in 0..<Self.count { packed[byte: index] = bits[byte: index] }
                packed[byte: Self.count] = checksum
            }
        }
        return numbers
    }
}
