import App
import Shell

/// The lines of a stream that arrive in parts. It keeps at most one line that is not complete.
struct LineQueue {
    enum Line: Equatable {
        case text([UInt8])
        case tooLong
    }

    /// The most bytes of a line.
    let limit: Int
    private var bytes: [UInt8] = []
    /// Where the next line begins in `bytes`.
    private var start = 0
    /// How far no line feed was found.
    private var searched = 0
    /// True if the next bytes belong to a line that is too long.
    private var isSkipping = false
    private var isOver = false

    init(limit: Int) { self.limit = limit }

    mutating func add(_ more: ArraySlice<UInt8>) {
        bytes.removeFirst(start)
        (searched, start) = (searched - start, 0)
        bytes += more
    }

    /// No more bytes follow. The last line may lack its line end.
    mutating func end() { isOver = true }

    /// The next line without its LF or CRLF; nil if none is complete.
    mutating func next() -> Line? {
        guard let feed = bytes.firstLineFeed(in: searched..<bytes.count) else {
            searched = bytes.count
            return isOver ? rest() : skip()
        }
        let line = start..<feed
        (start, searched) = (feed + 1, feed + 1)
        return finish(line)
    }

    private mutating func rest() -> Line? {
        let line = start..<bytes.count
        guard !line.isEmpty || isSkipping else { return nil }
        start = bytes.count
        return finish(line)
    }

    /// Drops the bytes of a line that is already too long.
    private mutating func skip() -> Line? {
        if isSkipping || bytes.count - start > limit + 1 {
            isSkipping = true
            (bytes, start, searched) = ([], 0, 0)
        }
        return nil
    }

    private mutating func finish(_ range: Range<Int>) -> Line {
        defer { isSkipping = false }
        let hasReturn = !range.isEmpty && bytes[range.upperBound - 1] == UInt8(ascii: "\r")
        let line = bytes[range.lowerBound..<(range.upperBound - (hasReturn ? 1 : 0))]
        return isSkipping || line.count > limit ? .tooLong : .text(Array(line))
    }
}
