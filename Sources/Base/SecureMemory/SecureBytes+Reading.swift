import Files

extension SecureBytes {
    /// Reads a file to its end with read(2) directly into guarded memory. stdio and `readLine`
    /// would leave a copy on the heap.
    /// - Parameter limit: the maximum length of the secret in bytes. A longer input is an error,
    ///   detected after `limit` + 1 bytes.
    package static func read(from file: FileDescriptor, atMost limit: Int) throws(SecureMemoryError)
        -> SecureBytes
    {
        var bytes = try SecureBytes(count: limit + 1)
        let length: Int
        do {
            length = try bytes.withMutableBytes { span throws(FileError) in try file.fill(&span) }
        } catch { throw .unreadable(errno: error.number) }
        guard length <= limit else { throw .tooLong(limit: limit) }
        bytes.truncate(to: length)
        return bytes
    }

    /// Drops one final LF or CRLF: the line ending of a file that contains one secret.
    public mutating func dropFinalLineEnding() {
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
    public subscript(byte offset: Int) -> UInt8 {
        precondition(offset >= 0 && offset < byteCount)
        return unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }
}

extension RawSpan {
    /// True if the byte at `offset` is a separator: a byte that ends a secret or is between two
    /// secrets, and is part of neither. The result is public, because the length of the kept bytes
    /// reveals it.
    public func isSeparator(_ separator: UInt8, at offset: Int) -> Bool {
        disclosed(self[byte: offset] == separator)
    }

    /// The offset of the first separator in `range`.
    public func firstOffset(ofSeparator separator: UInt8, in range: Range<Int>) -> Int? {
        range.first { isSeparator(separator, at: $0) }
    }

    /// True if the text begins with `prefix`, which identifies the form of the text. The timing
    /// reveals nothing else, in particular not how much of the prefix matches.
    public func starts(with prefix: String) -> Bool {
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
    public subscript(byte offset: Int) -> UInt8 {
        get {
            precondition(offset >= 0 && offset < byteCount)
            return unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
        }
        set { storeBytes(of: newValue, toByteOffset: offset, as: UInt8.self) }
    }
}
