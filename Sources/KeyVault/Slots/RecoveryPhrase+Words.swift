import SecureMemory

/// Words are found, read and written in a time that depends on the length of a text alone: no
/// look-up, and no branch but on a verdict.
extension RecoveryPhrase {
    /// The longest text that is taken, in bytes: 24 words of 8 letters take 215, the rest is room
    /// for how they are laid out.
    package static let maximumTextCount = 1_024

    /// Bits in a word's number.
    private static let wordBits = 11

    // MARK: from words

    /// Reads the words of a phrase: separated by spaces, tabs or line endings, in any case of
    /// ASCII, each written out.
    /// - Throws: `recoveryPhrase`, `memory(.tooLong)`.
    package init(words text: borrowing SecureBytes) throws(VaultError) {
        guard text.count <= Self.maximumTextCount else { throw .memory(.tooLong(limit: Self.maximumTextCount)) }
        defer { wipeScratch() }
        let words = try TypedWords(text, atMost: Self.wordCount)
        guard words.count == Self.wordCount else { throw .recoveryPhrase(.wordCount(words.count)) }
        // The checksum stands behind the bits; a word's number is read and written as three bytes,
        // so two more follow it.
        var packed = try Self.guarded(Self.count + 3)
        // Whether all are of the list; where one is not, this is no phrase, and the refusal tells
        // which.
        let unknown = disclosed(Self.pack(words, into: &packed))
        guard unknown == 0 else { throw .recoveryPhrase(.unknownWord(position: Int(unknown))) }
        let checksum = packed.withBytes { $0[byte: Self.count] }
        packed.truncate(to: Self.count)
        let expected = try Self.walletChecksum(of: packed)
        // Whether the checksum fits, and if not whether it is a wallet's.
        guard !disclosed(checksum == expected) else { throw .recoveryPhrase(.walletSeed) }
        guard disclosed(checksum == expected ^ Self.version) else { throw .recoveryPhrase(.checksum) }
        bytes = packed
    }

    /// Puts the numbers of the words side by side, from the highest bit down.
    /// - Returns: the position from 1 of the first word that is not in the list; 0 when there is
    ///   none.
    // A frame of its own, so that the caller can wipe what it leaves on the stack.
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

    /// Bytes of a word as it is lent: 8 letters, and a space.
    package static let cellCount = WordList.longestWord + 1

    /// Lends the 24 words, each in as many bytes as the longest one takes, spaces behind it: where
    /// one begins says nothing of the one before.
    /// - Throws: `memory`, and what `body` throws.
    package borrowing func withWords<Result>(
        _ body: (borrowing SecureBytes) throws -> Result
    ) throws -> Result {
        var text = try Self.guarded(Self.wordCount * Self.cellCount)
        let packed = try packed()
        Self.write(packed, into: &text)
        wipeScratch()
        return try body(text)
    }

    /// Whether the word at `position`, from 1, is what was typed, spaces around it and case aside.
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
        // Whether it is the word, and not how much of it.
        return disclosed(ConstantTime.mask(ifEqual: letters, expected) != 0)
    }

    /// The bits, the checksum and two zero bytes, as `number(at:in:)` reads them.
    private borrowing func packed() throws(VaultError) -> SecureBytes {
        let checksum = try Self.walletChecksum(of: bytes) ^ Self.version
        var packed = try Self.guarded(Self.count + 3)
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

    fileprivate static func guarded(_ count: Int) throws(VaultError) -> SecureBytes {
        do { return try SecureBytes(count: count) } catch { throw .memory(error) }
    }
}

extension WordList {
    /// The letters of the word of this number, all of the list looked at.
    static func letters(of number: UInt64) -> UInt64 {
        var found: UInt64 = 0
        forEach { index, letters in found |= letters & ConstantTime.mask(ifEqual: index, number) }
        return found
    }

    /// The number of a word, all of the list looked at; 0 for a word that is not in it.
    /// - Returns: and all ones where it is in the list, else zero.
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

/// A typed phrase as words. Each byte is put into every word, masked by whether it belongs there:
/// how long the words are, and so where each begins, is a secret too.
private struct TypedWords: ~Copyable {
    /// How many there are, also beyond those that are kept.
    let count: Int
    /// Of each word its letters, then all ones where it is no word of letters or too long; 8 bytes
    /// each.
    private var cells: SecureBytes

    init(_ text: borrowing SecureBytes, atMost limit: Int) throws(VaultError) {
        var cells = try RecoveryPhrase.guarded(limit * 16)
        let words = Self.split(text, into: &cells)
        // The number of words, of which a phrase has 24.
        count = Int(disclosed(words))
        self.cells = cells
    }

    /// The letters of a word in lower case, as the list has them; 0 for what can be no word of the
    /// list.
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
                // 256 to the number of letters before this one; 0 behind the eighth.
                var place: UInt64 = 1
                for index in 0..<text.byteCount {
                    let byte = UInt64(text[byte: index])
                    let isSpace =
                        ConstantTime.mask(ifEqual: byte, 0x20) | ConstantTime.mask(byte, isFrom: 0x09, to: 0x0d)
                    // A mask is -1.
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
    /// All ones when both are the same, else zero, without a branch.
    static func mask(ifEqual left: UInt64, _ right: UInt64) -> UInt64 {
        let difference = left ^ right
        return ((difference | (0 &- difference)) &>> 63) &- 1
    }

    /// All ones when low <= value <= high, else zero; for numbers below 2^63.
    static func mask(_ value: UInt64, isFrom low: UInt64, to high: UInt64) -> UInt64 {
        (((value &- low) | (high &- value)) &>> 63) &- 1
    }
}
