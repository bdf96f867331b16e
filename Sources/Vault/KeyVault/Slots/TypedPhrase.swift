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
        /// All words were taken, except for the words at these positions, which are not in the
        /// list.
        case taken(unknown: [Int])
        /// None was taken: the line has this number of words, more than it may fill.
        case tooMany(Int)
    }

    private var numbers: WordNumbers
    /// True if each position has a word.
    private var isTaken = [Bool](repeating: false, count: RecoveryPhrase.wordCount)

    package init() throws(VaultError) { numbers = try WordNumbers() }

    /// The positions that the next line may fill: the first one without a word, and the positions
    /// after it up to the next word. Empty when all positions have a word.
    package var openPositions: Range<Int> {
        guard let first = isTaken.firstIndex(of: false) else { return 0..<0 }
        return first + 1..<(isTaken[first...].firstIndex(of: true) ?? isTaken.count) + 1
    }

    /// Takes the words of a line, for the open positions.
    /// - Throws: `memory`.
    package mutating func take(_ line: borrowing SecureBytes) throws(VaultError) -> Answer {
        defer { wipeScratch() }
        let positions = openPositions
        let count = try TypedWords.forEach(in: line) { _, _ in }
        guard count <= positions.count else { return .tooMany(count) }
        var unknown: [Int] = []
        try TypedWords.forEach(in: line) { index, letters in
            let position = positions.lowerBound + index
            if let number = letters.flatMap(WordList.number(ofAbbreviated:)) {
                numbers[position - 1] = number
                isTaken[position - 1] = true
            } else {
                unknown.append(position)
            }
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
        return read(line)
    }

    /// True if a line is the text `all`, in either case.
    /// - Throws: `memory`.
    package static func isAll(typed line: borrowing SecureBytes) throws(VaultError) -> Bool {
        defer { wipeScratch() }
        var isAll = false
        // The letters of `all`, the first one in the lowest byte.
        let count = try TypedWords.forEach(in: line) { _, letters in isAll = letters == 0x6c_6c_61 }
        return count == 1 && isAll
    }

    @inline(never)
    private static func read(_ line: borrowing SecureBytes) -> Int? {
        line.withBytes { line in
            var position = 0
            for offset in 0..<line.byteCount {
                let byte = line[byte: offset]
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                position = position * 10 + Int(byte - UInt8(ascii: "0"))
                guard position <= RecoveryPhrase.wordCount else { return nil }
            }
            return position == 0 ? nil : position
        }
    }
}
