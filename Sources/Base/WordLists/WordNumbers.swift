import SecureMemory

/// The numbers of the words of a phrase, by position from 0: one after another, each from its
/// highest bit down. These are the bits of the phrase and its checksum.
///
/// The caller wipes the data that these functions leave on the stack, so functions that read words
/// have a separate stack frame.
package struct WordNumbers: ~Copyable {
    package let list: WordList
    /// The number of words.
    package let count: Int

    /// The bits, zero bits up to the end of a byte, and zero bytes: a number is read and written as
    /// three bytes.
    private var packed: SecureBytes

    /// All numbers are 0.
    /// - Parameter count: the number of words, at least 1.
    package init(list: WordList, count: Int) throws(SecureMemoryError) {
        self.list = list
        self.count = count
        packed = try SecureBytes(count: (count * list.bitCount + 7) / 8 + 2)
    }

    package subscript(position: Int) -> Int {
        get {
            let (first, shift) = place(position)
            let mask = 1 << list.bitCount - 1
            return packed.withBytes { packed in
                (first..<first + 3).reduce(0) { $0 << 8 | Int(packed[byte: $1]) } >> shift & mask
            }
        }
        set {
            let (first, shift) = place(position)
            let mask = 1 << list.bitCount - 1
            packed.withMutableBytes { packed in
                for index in 0..<3 {
                    let down = 16 - 8 * index
                    packed[byte: first + index] &= ~UInt8(truncatingIfNeeded: (mask << shift) >> down)
                    packed[byte: first + index] |= UInt8(truncatingIfNeeded: (newValue << shift) >> down)
                }
            }
        }
    }

    /// The first of the three bytes with a number, and the number of bits after it in them.
    private func place(_ position: Int) -> (first: Int, shift: Int) {
        precondition((0..<count).contains(position))
        let bit = position * list.bitCount
        return (bit / 8, 24 - list.bitCount - bit % 8)
    }

    // MARK: bits

    /// Lends the bits for reading, and two or more bytes after them.
    package borrowing func withBits<Result: ~Copyable, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result { try packed.withBytes(body) }

    /// Lends the bits for writing. The bytes after them must stay zero.
    package mutating func withMutableBits<Result: ~Copyable, Failure: Error>(
        _ body: (inout MutableRawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result { try packed.withMutableBytes(body) }

    /// A copy of the first bytes of the bits.
    package func bits(_ byteCount: Int) throws(SecureMemoryError) -> SecureBytes {
        var bits = try SecureBytes(count: byteCount)
        packed.withBytes { packed in
            bits.withMutableBytes { bits in
                for index in 0..<byteCount { bits[byte: index] = packed[byte: index] }
            }
        }
        return bits
    }

    // MARK: words

    /// True if the text is one word, which may be abbreviated, and equals the word at `position`.
    @inline(never)
    package func isWord(_ position: Int, _ text: borrowing SecureBytes) throws(SecureMemoryError) -> Bool {
        let expected = self[position]
        var isEqual = false
        let count = try TypedWords.forEach(in: text) { _, letters in
            // Discloses the answer, which the person sees.
            isEqual = letters.flatMap(list.number(ofAbbreviated:)).map { disclosed($0 == expected) } ?? false
        }
        return count == 1 && isEqual
    }

    /// The words, each in a cell of `WordList.cellCount` bytes, padded with spaces. So the position
    /// of a word does not disclose the length of the word before it.
    @inline(never)
    package func text() throws(SecureMemoryError) -> SecureBytes {
        var text = try SecureBytes(count: count * WordList.cellCount)
        for position in 0..<count {
            var letters = list.letters(of: self[position])
            text.withMutableBytes { text in
                for offset in 0..<WordList.cellCount {
                    // A space where no letter is left.
                    let space = WordList.mask(letters & 0xff, equals: 0) & 0x20
                    text[byte: position * WordList.cellCount + offset] =
                        UInt8(truncatingIfNeeded: letters | space)
                    letters >>= 8
                }
            }
        }
        return text
    }

    /// The words, joined by one space. Only the length of the whole text is disclosed.
    @inline(never)
    package func joined() throws(SecureMemoryError) -> SecureBytes {
        let cells = try text()
        var joined = try SecureBytes(count: count * WordList.cellCount)
        let (count, last) = (count, joined.count)
        // No conversion of a secret number may test whether it fits.
        var end: UInt64 = 0
        cells.withBytes { cells in
            joined.withMutableBytes { joined in
                for position in 0..<count {
                    // A letter, or the space after the last letter, goes to a secret offset, so
                    // each byte where it may go is written. The words before have 3 letters or
                    // more.
                    var isSpaceTaken: UInt64 = 0
                    for offset in 0..<WordList.cellCount {
                        let byte = UInt64(cells[byte: position * WordList.cellCount + offset])
                        let isSpace = WordList.mask(byte, equals: 0x20)
                        let isDropped = isSpace & isSpaceTaken
                        // A dropped space has no place.
                        let place = end | isDropped
                        let upper = min(position * WordList.cellCount + offset + 1, last)
                        for target in position * 4..<upper {
                            let isHere = WordList.mask(UInt64(target), equals: place)
                            joined[byte: target] |= UInt8(truncatingIfNeeded: byte & isHere)
                        }
                        end &+= ~isDropped & 1
                        isSpaceTaken |= isSpace
                    }
                }
            }
        }
        // The length of a text is public. The last byte is a space.
        joined.truncate(to: Int(disclosed(end)) - 1)
        return joined
    }
}
