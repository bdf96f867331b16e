import Files
import Glibc
import SecureMemory

/// Reads the lines of a stream of any length into one guarded buffer. Each line is a secret.
///
/// With another separator than a line feed, the parts between two separators are read as lines are.
package struct SecretLines: ~Copyable {
    private static let bufferSize = 16 * 1024

    /// Nil for a text that is in memory.
    private let file: FileDescriptor?
    /// The most bytes of a line, less than the buffer; a longer line is skipped.
    private let limit: Int
    private let separator: UInt8
    private var buffer: SecureBytes
    /// Positions in the buffer: the current line, the start of the next line, and the end of the
    /// data.
    private var line = 0..<0
    private var next = 0
    private var filled = 0
    /// The following lines that the buffer has whole, the last one first, without their line ends,
    /// and where the line after each starts. They are found in one use of the buffer.
    private var found: [(line: Range<Int>, next: Int)] = []
    private var isAtEnd = false
    /// The bytes that may still be read. What follows them in the stream is ignored.
    private var left: Int
    /// True if a separator follows the current line. The last line may lack it.
    package private(set) var isTerminated = false

    package enum Line {
        case line, tooLong
    }

    /// - Parameter maximum: The stream is not read further after this many bytes.
    package init(
        file: FileDescriptor, limit: Int, separator: UInt8 = UInt8(ascii: "\n"), atMost maximum: Int = .max
    ) throws(InputFile.Failure) {
        (self.file, self.separator, left) = (file, separator, maximum)
        self.limit = min(limit, Self.bufferSize / 2)
        do { buffer = try SecureBytes(count: Self.bufferSize) } catch { throw .memory(error) }
    }

    /// The lines of a text that was read before.
    package init(of text: consuming SecureBytes, limit: Int) {
        (file, separator, left, isAtEnd) = (nil, UInt8(ascii: "\n"), 0, true)
        self.limit = limit
        filled = text.count
        buffer = text
    }

    /// True if the buffer has another whole line.
    package var hasLine: Bool { !found.isEmpty }

    /// Goes to the next line. The last line may lack its line feed.
    /// - Returns: nil at the end of the stream.
    package mutating func advance() throws(InputFile.Failure) -> Line? {
        var isTooLong = false
        while true {
            let (found, end) = firstLine()
            if end != nil || isAtEnd {
                guard end != nil || next < filled || isTooLong else { return nil }
                (line, isTerminated) = (found, end != nil)
                next = end ?? filled
                return isTooLong || line.count > limit ? .tooLong : .line
            }
            if filled - next > limit + 1 {
                isTooLong = true
                next = filled
            }
            try fill()
        }
    }

    /// Lends the start of the stream, at most a buffer of it, before a line is read.
    package mutating func withStart<Result>(
        _ body: (RawSpan) -> Result
    ) throws(InputFile.Failure) -> Result {
        while filled < Self.bufferSize, !isAtEnd { try fill() }
        return withBuffered(body)
    }

    /// Lends the part of the stream that is in the buffer: its start, unless a line was too long or
    /// needed more data than the buffer had.
    package borrowing func withBuffered<Result>(_ body: (RawSpan) -> Result) -> Result {
        defer { wipeShallowScratch() }
        return buffer.withBytes { span in body(span.extracting(0..<filled)) }
    }

    /// Lends the line, without its LF or CRLF.
    package borrowing func withLine<Result: ~Copyable, Failure: Error>(
        _ body: (RawSpan) throws(Failure) -> Result
    )
        throws(Failure) -> Result
    {
        let line = line
        return try buffer.withBytes { span throws(Failure) in try body(span.extracting(line)) }
    }

    /// The next line without its line end, and where the following line starts; nil for that if
    /// the buffer has no separator.
    private mutating func firstLine() -> (line: Range<Int>, next: Int?) {
        if let first = found.popLast() { return first }
        let (next, filled, separator) = (next, filled, separator)
        let (lines, rest) = buffer.withBytes { span in
            func line(_ start: Int, _ end: Int) -> Range<Int> {
                let hasReturn =
                    separator == UInt8(ascii: "\n") && end > start
                    && span.isSeparator(UInt8(ascii: "\r"), at: end - 1)
                return start..<(hasReturn ? end - 1 : end)
            }
            var lines: [(line: Range<Int>, next: Int)] = []
            var start = next
            while let end = span.firstOffset(ofSeparator: separator, in: start..<filled) {
                lines.append((line(start, end), end + 1))
                start = end + 1
            }
            return (lines, line(start, filled))
        }
        found = lines.reversed()
        return found.popLast() ?? (rest, nil)
    }

    /// Moves the rest to the start of the buffer, and reads more data after it.
    private mutating func fill() throws(InputFile.Failure) {
        guard let file else { return }
        let (start, count) = (next, filled - next)
        found = []
        next = 0
        filled = count
        let added: Int
        do {
            added = try buffer.withMutableBytes { span throws(FileError) in
                unsafe span.withUnsafeMutableBytes { bytes in
                    if start > 0, let base = bytes.baseAddress { unsafe memmove(base, base + start, count) }
                }
                // The move leaves bytes in registers, which the system call would save.
                wipeShallowScratch()
                return try file.read(into: &span, in: count..<span.byteCount)
            }
        } catch { throw error.number == EISDIR ? .directory : .unreadable(errno: error.number) }
        filled += added
        left -= min(left, added)
        isAtEnd = added == 0 || left == 0
    }
}
