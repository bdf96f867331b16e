import Glibc

/// The number of an open file, and the calls that read, write and inspect it. A call that a signal
/// interrupts is repeated.
///
/// It does not close the file; ``OpenFile`` does.
package struct FileDescriptor: Equatable, Sendable {
    package let number: Int32

    package init(_ number: Int32) { self.number = number }

    package static let standardInput = FileDescriptor(STDIN_FILENO)
    package static let standardOutput = FileDescriptor(STDOUT_FILENO)
    package static let standardError = FileDescriptor(STDERR_FILENO)

    /// - Throws: `system`.
    package var status: FileStatus { get throws(FileError) { try FileStatus(of: self) } }

    // MARK: reading

    /// Reads once, directly into memory of the caller, which may be guarded.
    /// - Parameters:
    ///   - range: the part of the buffer that is filled.
    ///   - offset: the position in the file; nil for the next byte of a stream.
    /// - Returns: how many bytes were read; 0 at the end of the file.
    /// - Throws: `system`.
    package func read(
        into buffer: inout MutableRawSpan, in range: Range<Int>, at offset: Int64? = nil
    ) throws(FileError) -> Int {
        precondition(range.lowerBound >= 0 && range.upperBound <= buffer.byteCount)
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return 0 }
            let start = unsafe base + range.lowerBound
            return Self.repeating {
                if let offset {
                    unsafe pread(number, start, range.count, Int(offset))
                } else {
                    unsafe Glibc.read(number, start, range.count)
                }
            }
        }
        guard count >= 0 else { throw .last(.read) }
        return count
    }

    /// Reads until the buffer is full or the file ends.
    /// - Parameter offset: the position in the file; nil for the next byte of a stream.
    /// - Returns: how many bytes were read.
    /// - Throws: `system`.
    package func fill(_ buffer: inout MutableRawSpan, at offset: Int64? = nil) throws(FileError) -> Int {
        var filled = 0
        while filled < buffer.byteCount {
            let count = try read(
                into: &buffer, in: filled..<buffer.byteCount, at: offset.map { $0 + Int64(filled) })
            guard count > 0 else { break }
            filled += count
        }
        return filled
    }

    /// Reads `count` bytes at a position, or fewer if the file ends earlier.
    /// - Throws: `system`.
    package func bytes(_ count: Int, at offset: Int64) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let filled = try bytes.withMutableRawSpan { span throws(FileError) in try fill(&span, at: offset) }
        bytes.removeLast(count - filled)
        return bytes
    }

    /// Reads to the end. The bytes must not be secret.
    /// - Parameter limit: reading ends when more than `limit` bytes were read. The caller decides
    ///   whether this is an error.
    /// - Throws: `system`.
    package func bytesToEnd(atMost limit: Int) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while bytes.count <= limit {
            let count = try buffer.withMutableRawSpan { span throws(FileError) in
                try read(into: &span, in: 0..<span.byteCount)
            }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// Drops the file's pages from the cache, so that the next read gets what the disk returns.
    package func dropCache() { posix_fadvise(number, 0, 0, POSIX_FADV_DONTNEED) }

    // MARK: writing

    /// Writes all bytes.
    /// - Throws: `system`.
    package func write(_ bytes: RawSpan) throws(FileError) {
        let isWritten = unsafe bytes.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                let count = Self.repeating {
                    unsafe Glibc.write(
                        number, bytes.baseAddress.map { unsafe $0 + offset }, bytes.count - offset)
                }
                if count == 0 { errno = EIO }
                guard count > 0 else { return false }
                offset += count
            }
            return true
        }
        guard isWritten else { throw .last(.write) }
    }

    /// Waits until the disk has the content, or the names in a folder.
    /// - Throws: `system`.
    package func sync() throws(FileError) {
        guard fsync(number) == 0 else { throw .last(.sync) }
    }

    private static func repeating(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}

extension [UInt8] {
    /// Passes the bytes to `body` for writing.
    package mutating func withMutableRawSpan<Result, Failure: Error>(
        _ body: (inout MutableRawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var elements = mutableSpan
        var bytes = unsafe elements.mutableBytes
        return try body(&bytes)
    }
}
