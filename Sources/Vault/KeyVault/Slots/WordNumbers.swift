import SecureMemory

/// The numbers of the words of a phrase, by position from 0. The caller wipes what these functions
/// leave on the stack, so each of them has a separate stack frame.
struct WordNumbers: ~Copyable {
    /// The number of bits in a word's number.
    private static let bits = 11

    /// 8 bytes for each number.
    private var cells: SecureBytes

    /// All numbers are 0.
    init() throws(VaultError) { cells = try Sodium.guarded(RecoveryPhrase.wordCount * 8) }

    subscript(position: Int) -> UInt64 {
        get { cells.withBytes { $0[word: position] } }
        set { cells.withMutableBytes { $0[word: position] = newValue } }
    }

    // MARK: bits

    /// The numbers in the bits of a phrase and the checksum after them.
    init(of phrase: borrowing RecoveryPhrase) throws(VaultError) {
        let checksum = try RecoveryPhrase.walletChecksum(of: phrase.bytes) ^ RecoveryPhrase.version
        var packed = try Self.room()
        Self.copy(phrase.bytes, checksum, into: &packed)
        try self.init()
        split(packed)
    }

    /// The bits of a phrase, its checksum and two zero bytes: a number is read and written as three
    /// bytes.
    private static func room() throws(VaultError) -> SecureBytes { try Sodium.guarded(RecoveryPhrase.count + 3) }

    @inline(never)
    private static func copy(_ bytes: borrowing SecureBytes, _ checksum: UInt8, into packed: inout SecureBytes) {
        bytes.withBytes { bytes in
            packed.withMutableBytes { packed in
                for index in 0..<RecoveryPhrase.count { packed[byte: index] = bytes[byte: index] }
                packed[byte: RecoveryPhrase.count] = checksum
            }
        }
    }

    @inline(never)
    private mutating func split(_ packed: borrowing SecureBytes) {
        for position in 0..<RecoveryPhrase.wordCount {
            let bit = position * Self.bits
            let three = packed.withBytes { packed in
                UInt64(packed[byte: bit / 8]) << 16 | UInt64(packed[byte: bit / 8 + 1]) << 8
                    | UInt64(packed[byte: bit / 8 + 2])
            }
            self[position] = three >> UInt64(24 - Self.bits - bit % 8) & 0x7ff
        }
    }

    /// Joins the numbers, from the highest bit down: the bits of a phrase, a byte of checksum, and
    /// two zero bytes.
    @inline(never)
    func packed() throws(VaultError) -> SecureBytes {
        var packed = try Self.room()
        for position in 0..<RecoveryPhrase.wordCount {
            let bit = position * Self.bits
            let shifted = self[position] << UInt64(24 - Self.bits - bit % 8)
            packed.withMutableBytes { packed in
                for byte in 0..<3 {
                    packed[byte: bit / 8 + byte] |= UInt8(truncatingIfNeeded: shifted >> UInt64(16 - 8 * byte))
                }
            }
        }
        return packed
    }

    // MARK: words

    /// Takes the numbers of complete words.
    /// - Returns: the position, from 1, of the first word that is not in the list; 0 when all are.
    @inline(never)
    mutating func take(_ words: borrowing TypedWords) -> UInt64 {
        var unknown: UInt64 = 0
        for position in 0..<RecoveryPhrase.wordCount {
            let (number, known) = WordList.number(of: words.letters(at: position))
            unknown |= UInt64(position + 1) & ~known & ConstantTime.mask(ifEqual: unknown, 0)
            self[position] = number
        }
        return unknown
    }

    /// Takes the number of one word, which may be abbreviated.
    /// - Returns: whether the word is in the list.
    @inline(never)
    mutating func take(_ word: Int, of words: borrowing TypedWords, at position: Int) -> Bool {
        let (number, known) = WordList.number(ofAbbreviated: words.letters(at: word))
        self[position] = number
        // Discloses whether the word is in the list.
        return disclosed(known != 0)
    }

    /// Whether the only one of `words`, which may be abbreviated, is the word at `position`.
    @inline(never)
    func isWord(_ position: Int, _ words: borrowing TypedWords) -> Bool {
        let (number, known) = WordList.number(ofAbbreviated: words.letters(at: 0))
        // Discloses whether the word matches, and not how much of it.
        return disclosed(known & ConstantTime.mask(ifEqual: number, self[position]) != 0)
    }

    /// The words, each in a cell of `RecoveryPhrase.cellCount` bytes.
    @inline(never)
    func text() throws(VaultError) -> SecureBytes {
        var text = try Sodium.guarded(RecoveryPhrase.wordCount * RecoveryPhrase.cellCount)
        for position in 0..<RecoveryPhrase.wordCount {
            var letters = WordList.letters(of: self[position])
            text.withMutableBytes { text in
                for offset in position * RecoveryPhrase.cellCount..<(position + 1) * RecoveryPhrase.cellCount {
                    let isOver = ConstantTime.mask(ifEqual: letters & 0xff, 0)
                    text[byte: offset] = UInt8(truncatingIfNeeded: letters | isOver & UInt64(UInt8(ascii: " ")))
                    letters &>>= 8
                }
            }
        }
        return text
    }
}
