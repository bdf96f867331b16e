import Files
import Glibc

/// Reads the lines of standard input, of any length, and keeps one line in memory.
package struct LineReader {
    /// The most bytes of a line; a longer line is skipped.
    package let limit: Int

    package init(limit: Int) { self.limit = limit }

    /// Calls `body` with each line, without its LF or CRLF. The last line may lack it.
    /// - Parameters:
    ///   - tooLong: called for each line that is too long.
    ///   - waiting: called before each wait for input. It must flush the output: a program that
    ///     waits for an answer to each line would otherwise wait forever.
    package func forEach(
        _ body: ([UInt8]) throws -> Void, tooLong: () throws -> Void, waiting: () throws -> Void
    )
        throws
    {
        var buffer = [UInt8](repeating: 0, count: 256 * 1024)
        var line: [UInt8] = []
        var isTooLong = false
        while true {
            try waiting()
            let count: Int
            do {
                count = try buffer.withMutableRawSpan { span throws(FileError) in
                    try FileDescriptor.standardInput.read(into: &span, in: 0..<span.byteCount)
                }
            } catch { throw InputFile.Failure.unreadable(errno: error.number) }
            if count == 0 { break }
            var start = 0
            while start < count {
                let end = buffer.firstLineFeed(in: start..<count) ?? count
                if line.count + end - start <= limit { line += buffer[start..<end] } else { isTooLong = true }
                start = end
                guard start < count else { break }
                start += 1
                try finish(&line, &isTooLong, body, tooLong)
            }
        }
        if !line.isEmpty || isTooLong { try finish(&line, &isTooLong, body, tooLong) }
    }

    private func finish(
        _ line: inout [UInt8], _ isTooLong: inout Bool, _ body: ([UInt8]) throws -> Void,
        _ tooLong: () throws -> Void
    ) throws {
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        if isTooLong { try tooLong() } else { try body(line) }
        line.removeAll(keepingCapacity: true)
        isTooLong = false
    }
}

extension [UInt8] {
    package func firstLineFeed(in range: Range<Int>) -> Int? {
        unsafe withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress,
                let found = unsafe memchr(base + range.lowerBound, 0x0a, range.count)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - base
        }
    }
}
