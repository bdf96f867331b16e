import SecureMemory

/// Words are found, read and written in a time that depends only on the length of a text. No memory
/// access depends on a secret, and no branch does, except on a result that is disclosed.
extension RecoveryPhrase {
    /// The longest accepted text, in bytes. 24 words of 8 letters take 215; the rest is room for
    /// layout.
    package static let maximumTextCount = 1_024

    /// The number of bits in a word's number.
    private static let wordBits = 11

    // MARK: from words

    /// Reads the words of a phrase: separated by spaces, tabs or line endings, in upper or lower
    /// case of ASCII, each complete.
    /// - Throws: `recoveryPhrase`, `memory(.tooLong)`.
    package init(words text: borrowing SecureBytes) throws(VaultError) {
        guard text.count <= Self.maximumTextCount else {
            throw .machine(.memory(.tooLong(limit: Self.maximumTextCount)))
        }
        defer { wipeScratch() }
        let words = try TypedWords(text, atMost: Self.wordCount)
        guard words.count == Self.wordCount else { throw .input(.recoveryPhrase(.wordCount(words.count))) }
        // The checksum follows the bits. A word's number is read and written as three bytes, so two
        // more bytes follow the checksum.
        var packed = try Sodium.guarded(Self.count + 3)
        // Discloses whether all words are in the list. If not, the text is not a phrase, and the
        // error names the position of the first unknown word.
        let unknown = disclosed(Self.pack(words, into: &packed))
        guard unknown == 0 else { throw .input(.recoveryPhrase(.unknownWord(position: Int(unknown)))) }
        let checksum = packed.withBytes { $0[byte: Self.count] }
        packed.truncate(to: Self.count)
        let expected = try Self.walletChecksum(of: packed)
        // Discloses whether the checksum matches and, if not, whether it is a wallet's.
        guard !disclosed(checksum == expected) else { throw .input(.recoveryPhrase(.walletSeed)) }
        guard disclosed(checksum == expected ^ Self.version) else { throw .input(.recoveryPhrase(.checksum)) }
        bytes = packed
    }

    /// Joins the numbers of the words, from the highest bit down.
    /// - Returns: the position, from 1, of the first word that is not in the list; 0 when all are.
    // A separate stack frame, so that the caller can wipe what this function leaves on the stack.
    @inline(never)
    private static func pack(_ words: borrowing TypedWords, into packed: inout SecureBytes) -> UInt64 {
        var unknown: UInt64 = 0
        for position in 0..<wordCount {
            let (number, known) = WordList.number(of: words.letters(at: position))
            unknown |= UInt64(position + 1) & ~known & ConstantTime.mask(ifEqual: unknown, 0)
            let bit = position * wordBits
            let shifted = number << UInt64(24 - wordBits - bit % 8)
            packed.withMutableBytes { packed in
                for byte in 0..<3 {
                    packed[byte: bit / 8 + byte] |= UInt8(truncatingIfNeeded: shifted >> UInt64(16 - 8 * byte))
                }
            }
        }
        return unknown
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
        var text = try Sodium.guarded(Self.wordCount * Self.cellCount)
        let packed = try packed()
        Self.write(packed, into: &text)
        wipeScratch()
        return try body(text)
    }

    /// Whether the word at `position`, from 1, is the typed text. Spaces around the text and upper
    /// case are ignored.
    /// - Throws: `memory`.
    package borrowing func isWord(_ position: Int, equalTo text: borrowing SecureBytes) throws(VaultError) -> Bool {
        precondition((1...Self.wordCount).contains(position))
        defer { wipeScratch() }
        guard text.count <= Self.maximumTextCount else { return false }
        let words = try TypedWords(text, atMost: 1)
        guard words.count == 1 else { return false }
        let packed = try packed()
        return Self.isWord(position, of: packed, equalTo: words.letters(at: 0))
    }

    @inline(never)
    private static func isWord(_ position: Int, of packed: borrowing SecureBytes, equalTo letters: UInt64) -> Bool {
        let expected = WordList.letters(of: number(at: position - 1, in: packed))
        // Discloses whether the word matches, and not how much of it.
        return disclosed(ConstantTime.mask(ifEqual: letters, expected) != 0)
    }

    /// The bits, the checksum and two zero bytes, as `number(at:in:)` reads them.
    private borrowing func packed() throws(VaultError) -> SecureBytes {
        let checksum = try Self.walletChecksum(of: bytes) ^ Self.version
        var packed = try Sodium.guarded(Self.count + 3)
        bytes.withBytes { bytes in
            packed.withMutableBytes { packed in
                for index in 0..<Self.count { packed[byte: index] = bytes[byte: index] }
                packed[byte: Self.count] = checksum
            }
        }
        return packed
    }

    /// The 11 bits of the word at `position`, from 0.
    private static func number(at position: Int, in packed: borrowing SecureBytes) -> UInt64 {
        let bit = position * wordBits
        let three = packed.withBytes { packed in
            UInt64(packed[byte: bit / 8]) << 16 | UInt64(packed[byte: bit / 8 + 1]) << 8
                | UInt64(packed[byte: bit / 8 + 2])
        }
        return three >> UInt64(24 - wordBits - bit % 8) & 0x7ff
    }

    /// Writes each word into its cell.
    @inline(never)
    private static func write(_ packed: borrowing SecureBytes, into text: inout SecureBytes) {
        for position in 0..<wordCount {
            var letters = WordList.letters(of: number(at: position, in: packed))
            text.withMutableBytes { text in
                for offset in position * cellCount..<(position + 1) * cellCount {
                    let isOver = ConstantTime.mask(ifEqual: letters & 0xff, 0)
                    text[byte: offset] = UInt8(truncatingIfNeeded: letters | isOver & UInt64(UInt8(ascii: " ")))
                    letters &>>= 8
                }
            }
        }
    }
}

extension WordList {
    /// The letters of the word with this number. The whole list is read.
    static func letters(of number: UInt64) -> UInt64 {
        var found: UInt64 = 0
        forEach { index, letters in found |= letters & ConstantTime.mask(ifEqual: index, number) }
        return found
    }

    /// The number of a word; 0 for a word that is not in the list. The whole list is read.
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
}

/// A typed phrase as words. Each byte is combined with every word, masked by whether it belongs to
/// the word. The length of a word, and so the start of the next word, is secret too.
private struct TypedWords: ~Copyable {
    /// The number of words, including those that are not kept.
    let count: Int
    /// Two fields of 8 bytes for each word: its letters, then all ones if the word is too long or
    /// has other characters than letters.
    private var cells: SecureBytes

    init(_ text: borrowing SecureBytes, atMost limit: Int) throws(VaultError) {
        var cells = try Sodium.guarded(limit * 16)
        let words = Self.split(text, into: &cells)
        // Discloses the number of words; a phrase has 24.
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
                for index in 0..<text.byteCount {
                    let byte = UInt64(text[byte: index])
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
    fileprivate subscript(word index: Int) -> UInt64 {
        unsafe unsafeLoadUnaligned(fromByteOffset: 8 * index, as: UInt64.self)
    }
}

extension MutableRawSpan {
    fileprivate subscript(word index: Int) -> UInt64 {
        get { unsafe unsafeLoadUnaligned(fromByteOffset: 8 * index, as: UInt64.self) }
        set { storeBytes(of: newValue, toByteOffset: 8 * index, as: UInt64.self) }
    }
}

private enum ConstantTime {
    /// All ones when both are equal, else zero, without a branch.
    static func mask(ifEqual left: UInt64, _ right: UInt64) -> UInt64 {
        let difference = left ^ right
        return ((difference | (0 &- difference)) &>> 63) &- 1
    }

    /// All ones when low <= value <= high, else zero; for numbers below 2^63.
    static func mask(_ value: UInt64, isFrom low: UInt64, to high: UInt64) -> UInt64 {
        (((value &- low) | (high &- value)) &>> 63) &- 1
    }
}
