import SecureMemory

extension RecoveryPhrase {
    /// The longest text that is taken, in bytes: 24 words of 8 letters take 215, the rest is room for how they are laid out.
    public static let maximumTextCount = 1_024

    /// Bits in a word's number.
    private static let wordBits = 11

    // MARK: from words

    /// Reads the words of a phrase: separated by spaces, tabs or line endings, in any case of ASCII, each written out.
    /// - Throws: `recoveryPhrase`, `memory(.tooLong)`.
    public init(words text: borrowing SecureBytes) throws(VaultError) {
        guard text.count <= Self.maximumTextCount else { throw .memory(.tooLong(limit: Self.maximumTextCount)) }
        defer { wipeScratch() }
        let words = PhraseText.wordCount(in: text)
        guard words == Self.wordCount else { throw .recoveryPhrase(.wordCount(words)) }
        // The checksum stands behind the bits; a word's number is read and written as three bytes, so two more follow it.
        var packed = try Self.guarded(Self.count + 3)
        let unknown = Self.pack(text, into: &packed)
        if let unknown { throw .recoveryPhrase(.unknownWord(position: unknown)) }
        let checksum = packed.withBytes { $0[byte: Self.count] }
        packed.truncate(to: Self.count)
        let expected = try Self.walletChecksum(of: packed)
        guard checksum != expected else { throw .recoveryPhrase(.walletSeed) }
        guard checksum == expected ^ Self.version else { throw .recoveryPhrase(.checksum) }
        bytes = packed
    }

    /// Puts the numbers of the words side by side, from the highest bit down.
    /// - Returns: the position from 1 of the first word that is not in the list.
    // A frame of its own, so that the caller can wipe what it leaves on the stack.
    @inline(never)
    private static func pack(_ text: borrowing SecureBytes, into packed: inout SecureBytes) -> Int? {
        var position = 0
        var unknown: Int?
        PhraseText.forEachWord(in: text) { letters in
            guard position < wordCount else { return }
            let (number, isKnown) = WordList.number(of: letters)
            if !isKnown, unknown == nil { unknown = position + 1 }
            let bit = position * wordBits
            let shifted = number << UInt64(24 - wordBits - bit % 8)
            packed.withMutableBytes { packed in
                for byte in 0..<3 {
                    packed[byte: bit / 8 + byte] |= UInt8(truncatingIfNeeded: shifted >> UInt64(16 - 8 * byte))
                }
            }
            position += 1
        }
        return unknown
    }

    // MARK: into words

    /// Lends the 24 words, one space between them.
    /// - Throws: `memory`, and what `body` throws.
    public borrowing func withWords<Result>(
        _ body: (borrowing SecureBytes) throws -> Result
    ) throws -> Result {
        var text = try Self.guarded(Self.wordCount * (WordList.longestWord + 1))
        let packed = try packed()
        let count = Self.write(packed, into: &text)
        wipeScratch()
        text.truncate(to: count)
        return try body(text)
    }

    /// Whether the word at `position`, from 1, is what was typed, spaces around it and case aside.
    /// - Throws: `memory`.
    public borrowing func isWord(_ position: Int, equalTo text: borrowing SecureBytes) throws(VaultError) -> Bool {
        precondition((1...Self.wordCount).contains(position))
        defer { wipeScratch() }
        guard text.count <= Self.maximumTextCount, PhraseText.wordCount(in: text) == 1 else { return false }
        let packed = try packed()
        return Self.isWord(position, of: packed, equalTo: text)
    }

    @inline(never)
    private static func isWord(_ position: Int, of packed: borrowing SecureBytes, equalTo text: borrowing SecureBytes) -> Bool {
        let expected = WordList.letters(of: number(at: position - 1, in: packed))
        var isEqual = false
        PhraseText.forEachWord(in: text) { isEqual = ConstantTime.mask(ifEqual: $0, expected) != 0 }
        return isEqual
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
            UInt64(packed[byte: bit / 8]) << 16 | UInt64(packed[byte: bit / 8 + 1]) << 8 | UInt64(packed[byte: bit / 8 + 2])
        }
        return three >> UInt64(24 - wordBits - bit % 8) & 0x7ff
    }

    /// Writes the words. How long they are decides where each begins, which whoever sees the screen sees as well.
    /// - Returns: how many bytes they take.
    @inline(never)
    private static func write(_ packed: borrowing SecureBytes, into text: inout SecureBytes) -> Int {
        var end = 0
        for position in 0..<wordCount {
            var letters = WordList.letters(of: number(at: position, in: packed))
            text.withMutableBytes { text in
                if position > 0 {
                    text[byte: end] = UInt8(ascii: " ")
                    end += 1
                }
                while letters != 0 {
                    text[byte: end] = UInt8(truncatingIfNeeded: letters)
                    letters >>= 8
                    end += 1
                }
            }
        }
        return end
    }

    private static func guarded(_ count: Int) throws(VaultError) -> SecureBytes {
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
    static func number(of word: UInt64) -> (number: UInt64, isKnown: Bool) {
        var number: UInt64 = 0
        var known: UInt64 = 0
        forEach { index, letters in
            let mask = ConstantTime.mask(ifEqual: letters, word)
            number |= index & mask
            known |= mask
        }
        return (number, known != 0)
    }
}

/// A typed phrase as words.
private enum PhraseText {
    /// No word of the list: what is longer than any of them, or holds something that is no letter.
    static let noWord: UInt64 = 0

    static func wordCount(in text: borrowing SecureBytes) -> Int {
        var count = 0
        forEachWord(in: text) { _ in count += 1 }
        return count
    }

    /// Calls `body` with each word's letters in lower case, as the list has them.
    static func forEachWord(in text: borrowing SecureBytes, _ body: (UInt64) -> Void) {
        text.withBytes { text in
            var letters: UInt64 = 0
            var length = 0
            var isPlain = true
            for index in 0...text.byteCount {
                let byte = index < text.byteCount ? text[byte: index] : UInt8(ascii: " ")
                guard !isSpace(byte) else {
                    if length > 0 { body(isPlain && length <= WordList.longestWord ? letters : noWord) }
                    (letters, length, isPlain) = (0, 0, true)
                    continue
                }
                let letter = byte | 0x20
                isPlain = isPlain && letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z") && byte < 0x80
                if length < WordList.longestWord { letters |= UInt64(letter) << UInt64(8 * length) }
                length += 1
            }
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
    }
}

private enum ConstantTime {
    /// All ones when both are the same, else zero, without a branch.
    static func mask(ifEqual left: UInt64, _ right: UInt64) -> UInt64 {
        let difference = left ^ right
        return ((difference | (0 &- difference)) >> 63) &- 1
    }
}
