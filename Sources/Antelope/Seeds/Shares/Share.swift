import SecureMemory
import WordLists

/// A share of SLIP-0039: its parameters, and its value in guarded memory.
struct Share: ~Copyable {
    let parameters: ShareParameters
    let value: SecureBytes

    /// The bytes of a value: an even number of at least 16. More than a seed (64) is not needed.
    static let valueCounts = 16...64
    /// The bits before the value.
    private static let headCount = 8 * ShareParameters.count
    /// The words with the parameters and the checksum.
    private static let otherWordCount = 4 + ShareChecksum.wordCount
    private static let wordBitCount = 10

    init(parameters: ShareParameters, value: consuming SecureBytes) {
        self.parameters = parameters
        self.value = value
    }

    // MARK: lengths

    /// The number of words for a value.
    static func wordCount(value count: Int) -> Int {
        otherWordCount + (8 * count + wordBitCount - 1) / wordBitCount
    }

    /// The bytes of the value in words; nil if no share has this number of words.
    static func valueCount(words count: Int) -> Int? {
        let bitCount = (count - otherWordCount) * wordBitCount
        // The value is a multiple of 16 bits, with at most 8 bits before it.
        guard bitCount > 0, bitCount % 16 <= 8, valueCounts.contains(bitCount / 16 * 2) else { return nil }
        return bitCount / 16 * 2
    }

    /// The number of zero bits that fill up the first word of a value.
    private static func paddingCount(value count: Int) -> Int {
        (wordCount(value: count) - otherWordCount) * wordBitCount - 8 * count
    }

    // MARK: from words

    /// - Throws: `share`, `memory`.
    init(words text: borrowing SecureBytes) throws(SeedError) {
        SeedLibraries.start()
        defer { wipeScratch() }
        let count = try Self.forEachWord(in: text) { _, _ in }
        guard Self.valueCount(words: count) != nil else { throw .share(.wordCount(count)) }
        var numbers = try Self.noNumbers(count)
        var unknown: Int?
        try Self.forEachWord(in: text) { index, letters in
            // Abbreviations are unique, but only people type them.
            if let number = letters.flatMap(WordList.slip39.number(of:)) {
                numbers[index] = number
            } else if unknown == nil {
                unknown = index + 1
            }
        }
        if let unknown { throw .share(.unknownWord(position: unknown)) }
        try self.init(numbers)
    }

    /// The share of typed words of `WordList.slip39`.
    /// - Throws: `share`, `memory`.
    init(typed: borrowing TypedPhrase) throws(SeedError) {
        SeedLibraries.start()
        defer { wipeScratch() }
        precondition(typed.numbers.list.bitCount == WordList.slip39.bitCount)
        guard typed.takenCount == typed.wordCount, Self.valueCount(words: typed.wordCount) != nil else {
            throw .share(.wordCount(typed.takenCount))
        }
        try self.init(typed.numbers)
    }

    private init(_ numbers: borrowing WordNumbers) throws(SeedError) {
        guard let valueCount = Self.valueCount(words: numbers.count) else {
            throw .share(.wordCount(numbers.count))
        }
        // The parameters are not secret: all programs show them.
        let parameters = ShareParameters(
            numbers.withBits { bits in (0..<ShareParameters.count).map { disclosed(bits[byte: $0]) } })
        // Discloses whether the words are a share.
        let remainder = ShareChecksum.remainder(of: numbers, isExtendable: parameters.isExtendable)
        guard disclosed(remainder) == 1 else { throw .share(.checksum) }
        guard parameters.groupThreshold <= parameters.groupCount else {
            throw .share(.groupThreshold(parameters.groupThreshold, groups: parameters.groupCount))
        }
        guard parameters.exponent <= ShareCipher.maximumExponent else {
            throw .share(.exponent(parameters.exponent, limit: ShareCipher.maximumExponent))
        }
        var value = try guarded(valueCount)
        let padding = Self.paddingCount(value: valueCount)
        let filling = numbers.withBits { bits in
            value.withMutableBytes { value in
                for index in 0..<valueCount {
                    let pair = UInt16(bits[byte: index + 5]) << 8 | UInt16(bits[byte: index + 6])
                    value[byte: index] = UInt8(truncatingIfNeeded: pair >> UInt16(8 - padding))
                }
            }
            return UInt16(bits[byte: 5]) >> UInt16(8 - padding)
        }
        // Discloses whether the share has a form that no program writes.
        guard disclosed(filling) == 0 else { throw .share(.padding) }
        self.parameters = parameters
        self.value = value
    }

    // MARK: into words

    /// The words of the share.
    static func numbers(_ parameters: ShareParameters, _ value: RawSpan) throws(SeedError) -> WordNumbers {
        let padding = paddingCount(value: value.byteCount)
        var numbers = try noNumbers(wordCount(value: value.byteCount))
        numbers.withMutableBits { bits in
            for (index, byte) in parameters.bytes.enumerated() { bits[byte: index] = byte }
            for index in 0..<value.byteCount {
                let pair = UInt16(value[byte: index]) << UInt16(8 - padding)
                bits[byte: index + 5] |= UInt8(truncatingIfNeeded: pair >> 8)
                bits[byte: index + 6] |= UInt8(truncatingIfNeeded: pair)
            }
        }
        ShareChecksum.complete(&numbers, isExtendable: parameters.isExtendable)
        return numbers
    }

    private static func noNumbers(_ count: Int) throws(SeedError) -> WordNumbers {
        do { return try WordNumbers(list: .slip39, count: count) } catch { throw .memory(error) }
    }

    @discardableResult
    private static func forEachWord(
        in text: borrowing SecureBytes, _ body: (_ index: Int, _ letters: UInt64?) -> Void
    ) throws(SeedError) -> Int {
        do { return try TypedWords.forEach(in: text, body) } catch { throw .memory(error) }
    }
}
