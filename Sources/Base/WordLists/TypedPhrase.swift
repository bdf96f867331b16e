import SecureMemory

/// The words of a phrase while a person types them, one or several on a line. Each word is
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

    /// The numbers of the words; 0 for a position without a word.
    package private(set) var numbers: WordNumbers
    /// True if each position has a word.
    private var isTaken: [Bool]

    /// - Parameter count: the number of words, at least 1.
    package init(list: WordList, count: Int) throws(SecureMemoryError) {
        numbers = try WordNumbers(list: list, count: count)
        isTaken = [Bool](repeating: false, count: count)
    }

    /// The number of positions.
    package var wordCount: Int { isTaken.count }

    /// The number of positions that have a word.
    package var takenCount: Int { isTaken.count { $0 } }

    /// The positions that the next line may fill: the first one without a word, and the positions
    /// after it up to the next word. Empty when all positions have a word.
    package var openPositions: Range<Int> {
        guard let first = isTaken.firstIndex(of: false) else { return 0..<0 }
        return first + 1..<(isTaken[first...].firstIndex(of: true) ?? isTaken.count) + 1
    }

    /// Takes the words of a line, for the open positions.
    /// - Throws: `tooLong`.
    package mutating func take(_ line: borrowing SecureBytes) throws(SecureMemoryError) -> Answer {
        defer { wipeScratch() }
        let (positions, list) = (openPositions, numbers.list)
        let count = try TypedWords.forEach(in: line) { _, _ in }
        guard count <= positions.count else { return .tooMany(count) }
        var unknown: [Int] = []
        try TypedWords.forEach(in: line) { index, letters in
            let position = positions.lowerBound + index
            if let number = letters.flatMap(list.number(ofAbbreviated:)) {
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
        precondition((1...wordCount).contains(position))
        numbers[position - 1] = 0
        isTaken[position - 1] = false
    }

    /// Lends the words in cells (`WordNumbers.text`), complete if they were abbreviated. All
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
    /// - Parameter count: the number of positions.
    package static func position(typed line: borrowing SecureBytes, of count: Int) -> Int? {
        defer { wipeScratch() }
        return read(line, atMost: count)
    }

    /// True if a line is the text `all`, in either case.
    /// - Throws: `tooLong`.
    package static func isAll(typed line: borrowing SecureBytes) throws(SecureMemoryError) -> Bool {
        defer { wipeScratch() }
        var isAll = false
        // The letters of `all`, the first one in the lowest byte.
        let count = try TypedWords.forEach(in: line) { _, letters in isAll = letters == 0x6c_6c_61 }
        return count == 1 && isAll
    }

    @inline(never)
    private static func read(_ line: borrowing SecureBytes, atMost count: Int) -> Int? {
        line.withBytes { line in
            var position = 0
            for offset in 0..<line.byteCount {
                let byte = line[byte: offset]
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                position = position * 10 + Int(byte - UInt8(ascii: "0"))
                guard position <= count else { return nil }
            }
            return position == 0 ? nil : position
        }
    }
}
