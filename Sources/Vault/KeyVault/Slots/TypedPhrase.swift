import SecureMemory

/// The words of a recovery phrase while a person types them, one or several on a line. Each word is
/// looked up when its line ends, and may be abbreviated to its first four letters. The checksum is
/// compared last.
///
/// A position without a word stays open, so that one wrong word does not lose the others. Positions
/// are counted from 1.
package struct TypedPhrase: ~Copyable {
    /// The result for the words of a line.
    package enum Answer: Equatable {
        /// All words were taken, except for those at these positions, which are not in the list.
        case taken(unknown: [Int])
        /// None was taken: the line has this number of words, more than it may fill.
        case tooMany(Int)
    }

    private var numbers: WordNumbers
    /// Whether each position has a word.
    private var isTaken = [Bool](repeating: false, count: RecoveryPhrase.wordCount)

    package init() throws(VaultError) { numbers = try WordNumbers() }

    /// The positions that the next line may fill: the first one without a word, and those after it
    /// up to the next word. Empty when all positions have a word.
    package var openPositions: Range<Int> {
        guard let first = isTaken.firstIndex(of: false) else { return 0..<0 }
        return first + 1..<(isTaken[first...].firstIndex(of: true) ?? isTaken.count) + 1
    }

    /// Takes the words of a line, for the open positions.
    /// - Throws: `memory`.
    package mutating func take(_ line: borrowing SecureBytes) throws(VaultError) -> Answer {
        defer { wipeScratch() }
        let words = try TypedWords(line, atMost: RecoveryPhrase.wordCount)
        let positions = openPositions
        guard words.count <= positions.count else { return .tooMany(words.count) }
        var unknown: [Int] = []
        for (word, position) in positions.prefix(words.count).enumerated() {
            let isKnown = numbers.take(word, of: words, at: position - 1)
            isTaken[position - 1] = isKnown
            if !isKnown { unknown.append(position) }
        }
        return .taken(unknown: unknown)
    }

    /// Wipes the word at a position, which is open again.
    package mutating func drop(_ position: Int) {
        precondition((1...RecoveryPhrase.wordCount).contains(position))
        numbers[position - 1] = 0
        isTaken[position - 1] = false
    }

    /// The phrase of the 24 words.
    /// - Throws: `recoveryPhrase`, but not `unknownWord`.
    package func phrase() throws(VaultError) -> RecoveryPhrase {
        let count = isTaken.count { $0 }
        guard count == RecoveryPhrase.wordCount else { throw .input(.recoveryPhrase(.wordCount(count))) }
        return try RecoveryPhrase(numbers)
    }

    /// Lends the words as `RecoveryPhrase.withWords` does, complete if they were abbreviated. All
    /// positions must have a word.
    package func withWords<Result>(_ body: (borrowing SecureBytes) throws -> Result) throws -> Result {
        precondition(openPositions.isEmpty)
        let text = try numbers.text()
        wipeScratch()
        return try body(text)
    }

    // MARK: a position

    /// The position that a line names in decimal digits; nil for any other text, which may be a
    /// word that was typed by mistake.
    package static func position(typed line: borrowing SecureBytes) -> Int? {
        defer { wipeScratch() }
        // Discloses the position, or that the line names none.
        let position = disclosed(read(line))
        return position == 0 ? nil : Int(position)
    }

    /// Whether a line is the text `all`, in either case.
    /// - Throws: `memory`.
    package static func isAll(typed line: borrowing SecureBytes) throws(VaultError) -> Bool {
        defer { wipeScratch() }
        let words = try TypedWords(line, atMost: 1)
        // The letters of `all`, the first one in the lowest byte. Discloses only the result.
        let isAll = disclosed(ConstantTime.mask(ifEqual: words.letters(at: 0), 0x6c_6c_61))
        return words.count == 1 && isAll != 0
    }

    @inline(never)
    private static func read(_ line: borrowing SecureBytes) -> UInt64 {
        line.withBytes { line in
            var position: UInt64 = 0
            var isBad: UInt64 = 0
            for offset in 0..<line.byteCount {
                let byte = UInt64(line[byte: offset])
                position = position &* 10 &+ (byte &- 0x30)
                isBad |= ~ConstantTime.mask(byte, isFrom: 0x30, to: 0x39)
                isBad |= ~ConstantTime.mask(position, isFrom: 0, to: UInt64(RecoveryPhrase.wordCount))
            }
            return position & ~isBad
        }
    }
}
