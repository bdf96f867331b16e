import Glibc

extension SecureBytes {
    /// What `descriptor` gives up to its end, read with read(2) straight into guarded memory: stdio
    /// and `readLine` leave what they read on the heap.
    /// - Parameter limit: The most bytes the secret may have; one more is an error, found after
    ///   `limit` + 1 bytes.
    package static func read(from descriptor: Int32, atMost limit: Int) throws(SecureMemoryError) -> SecureBytes {
        var bytes = try SecureBytes(count: limit + 1)
        var length = 0
        while length <= limit {
            let count = bytes.withMutableBytes { span in
                unsafe span.withUnsafeMutableBytes { buffer in
                    unsafe Glibc.read(descriptor, buffer.baseAddress.map { unsafe $0 + length }, buffer.count - length)
                }
            }
            if count == 0 { break }
            if count < 0 {
                if errno == EINTR { continue }
                throw .unreadable(errno: errno)
            }
            length += count
        }
        guard length <= limit else { throw .tooLong(limit: limit) }
        bytes.truncate(to: length)
        return bytes
    }

    /// Drops one final LF or CRLF: the line ending of a file that holds one secret.
    package mutating func dropFinalLineEnding() {
        let kept = withBytes { span in
            var kept = span.byteCount
            if kept > 0, span.isSeparator(UInt8(ascii: "\n"), at: kept - 1) {
                kept -= 1
                if kept > 0, span.isSeparator(UInt8(ascii: "\r"), at: kept - 1) { kept -= 1 }
            }
            return kept
        }
        truncate(to: kept)
    }
}

extension RawSpan {
    /// The byte at `offset`; an offset outside the span is a programmer's error and traps.
    @inlinable @inline(__always)
    package subscript(byte offset: Int) -> UInt8 {
        precondition(offset >= 0 && offset < byteCount)
        return unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }
}

extension RawSpan {
    /// Whether what stands at `offset` is a byte that ends a secret or stands between two, and no
    /// part of one. That is public: it shows in the length of what is kept.
    package func isSeparator(_ separator: UInt8, at offset: Int) -> Bool { disclosed(self[byte: offset] == separator) }

    /// Where in `range` a separator stands first.
    package func firstOffset(ofSeparator separator: UInt8, in range: Range<Int>) -> Int? {
        range.first { isSeparator(separator, at: $0) }
    }

    /// Whether text begins with `prefix`, which tells what form of text it is: nothing else shows
    /// of it, also not how much of the prefix fits.
    package func starts(with prefix: String) -> Bool {
        let prefix = prefix.utf8
        guard byteCount >= prefix.count else { return false }
        var difference: UInt8 = 0
        for (offset, byte) in prefix.enumerated() { difference |= self[byte: offset] ^ byte }
        return disclosed(difference == 0)
    }
}

extension MutableRawSpan {
    /// The byte at `offset`; an offset outside the span is a programmer's error and traps.
    @inlinable @inline(__always)
    package subscript(byte offset: Int) -> UInt8 {
        get {
            precondition(offset >= 0 && offset < byteCount)
            return unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
        }
        set { storeBytes(of: newValue, toByteOffset: offset, as: UInt8.self) }
    }
}
