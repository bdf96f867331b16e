import SecureMemory

/// The numbers of the words of a phrase, by position from 0: 11 bits each, from the highest bit
/// down, which are the bits of the phrase and its checksum.
///
/// The caller wipes the data that these functions leave on the stack, so functions that read words
/// have a separate stack frame.
struct WordNumbers: ~Copyable {
    private static let bitCount = 11

    /// The bits of the phrase, the checksum and a zero byte: a number is read and written as three
    /// bytes.
    private var packed: SecureBytes

    /// All numbers are 0.
    init() throws(VaultError) { packed = try Sodium.guarded(RecoveryPhrase.count + 2) }

    /// The numbers of the words of a phrase.
    init(of phrase: borrowing RecoveryPhrase) throws(VaultError) {
        let checksum = try RecoveryPhrase.walletChecksum(of: phrase.bytes) ^ RecoveryPhrase.version
        try self.init()
        phrase.bytes.withBytes { bits in
            packed.withMutableBytes { packed in
                for index in 0..<RecoveryPhrase.count { packed[byte: index] = bits[byte: index] }
                packed[byte: RecoveryPhrase.count] = checksum
            }
        }
    }

    subscript(position: Int) -> Int {
        get {
            let (first, shift) = Self.place(position)
            return packed.withBytes { packed in
                (first..<first + 3).reduce(0) { $0 << 8 | Int(packed[byte: $1]) } >> shift & 0x7ff
            }
        }
        set {
            let (first, shift) = Self.place(position)
            packed.withMutableBytes { packed in
                for index in 0..<3 {
                    let down = 16 - 8 * index
                    packed[byte: first + index] &= ~UInt8(truncatingIfNeeded: (0x7ff << shift) >> down)
                    packed[byte: first + index] |= UInt8(truncatingIfNeeded: (newValue << shift) >> down)
                }
            }
        }
    }

    /// The first of the three bytes with a number, and the number of bits after it in them.
    private static func place(_ position: Int) -> (first: Int, shift: Int) {
        let bit = position * bitCount
        return (bit / 8, 24 - bitCount - bit % 8)
    }

    // MARK: bits

    /// A copy of the bits, without the checksum.
    func bits() throws(VaultError) -> SecureBytes {
        var bits = try Sodium.guarded(RecoveryPhrase.count)
        packed.withBytes { packed in
            bits.withMutableBytes { bits in
                for index in 0..<RecoveryPhrase.count { bits[byte: index] = packed[byte: index] }
            }
        }
        return bits
    }

    var checksum: UInt8 { packed.withBytes { $0[byte: RecoveryPhrase.count] } }

    // MARK: words

    /// True if the text is one word, which may be abbreviated, and equals the word at `position`.
    @inline(never)
    func isWord(_ position: Int, _ text: borrowing SecureBytes) throws(VaultError) -> Bool {
        let expected = self[position]
        var isEqual = false
        let count = try TypedWords.forEach(in: text) { _, letters in
            isEqual = letters.flatMap(WordList.number(ofAbbreviated:)) == expected
        }
        return count == 1 && isEqual
    }

    /// The words, each in a cell of `RecoveryPhrase.cellCount` bytes.
    @inline(never)
    func text() throws(VaultError) -> SecureBytes {
        var text = try Sodium.guarded(RecoveryPhrase.wordCount * RecoveryPhrase.cellCount)
        for position in 0..<RecoveryPhrase.wordCount {
            var letters = WordList.words[self[position]]
            text.withMutableBytes { text in
                for offset in 0..<RecoveryPhrase.cellCount {
                    let letter = letters == 0 ? UInt8(ascii: " ") : UInt8(truncatingIfNeeded: letters)
                    text[byte: position * RecoveryPhrase.cellCount + offset] = letter
                    letters >>= 8
                }
            }
        }
        return text
    }
}
