/// A cursor over packed bytes. Integers are little-endian, and every length is checked before
/// it is used.
///
/// It exists only inside `ByteReader.read`. The closure calls `expectEnd` to refuse unread bytes:
/// ```swift
/// // Given bytes: [UInt8]
/// let block = try ByteReader.read(bytes) { reader throws(CodecError) in
///     let block: UInt16 = try reader.readInteger()
///     try reader.expectEnd()
///     return block
/// }
/// ```
@safe
public struct ByteReader: ~Copyable {
    @usableFromInline let base: UnsafeRawPointer?
    @usableFromInline let end: Int
    @usableFromInline var cursor = 0

    @unsafe
    private init(base: UnsafeRawPointer?, count: Int) {
        unsafe self.base = base
        end = count
    }

    /// The number of bytes read so far, which is the offset in errors.
    @inlinable public var offset: Int { cursor }
    @inlinable public var remaining: Int { end &- cursor }
    @inlinable public var isAtEnd: Bool { cursor == end }

    /// The next byte; nil at the end.
    @inlinable public var nextByte: UInt8? {
        guard let base = unsafe base, cursor < end else { return nil }
        return unsafe base.load(fromByteOffset: cursor, as: UInt8.self)
    }

    /// Runs the closure with a reader over `bytes`. The closure may leave bytes unread; `expectEnd`
    /// refuses them.
    public static func read<Result, Failure: Error>(
        _ bytes: [UInt8], _ body: (inout ByteReader) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The buffer is valid during the closure's call, and a noncopyable reader can't escape it.
        unsafe try bytes.span.withUnsafeBytes { buffer throws(Failure) in
            var reader = unsafe ByteReader(base: buffer.baseAddress, count: buffer.count)
            return try body(&reader)
        }
    }

    /// Runs the closure with a reader over a part of an array. Offsets are in the part.
    public static func read<Result, Failure: Error>(
        _ bytes: ArraySlice<UInt8>, _ body: (inout ByteReader) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe try bytes.span.withUnsafeBytes { buffer throws(Failure) in
            var reader = unsafe ByteReader(base: buffer.baseAddress, count: buffer.count)
            return try body(&reader)
        }
    }

    /// Runs `body` with a reader of `bytes`. It must read all of them.
    public static func readAll<Result>(
        _ bytes: [UInt8], _ body: (inout ByteReader) throws(CodecError) -> Result
    ) throws(CodecError) -> Result {
        try read(bytes) { reader throws(CodecError) in
            let result = try body(&reader)
            try reader.expectEnd()
            return result
        }
    }

    /// Throws unless every byte was read.
    public func expectEnd() throws(CodecError) {
        guard isAtEnd else { throw .trailingBytes(offset: offset, count: remaining) }
    }

    /// Moves past `count` bytes and returns where they start.
    @inlinable @inline(__always)
    mutating func take(_ count: Int) throws(CodecError) -> UnsafeRawPointer {
        guard let base = unsafe base, count >= 0, count <= end &- cursor else {
            throw .unexpectedEnd(offset: offset, needed: count, remaining: remaining)
        }
        defer { cursor &+= count }
        return unsafe base + cursor
    }

    /// A little-endian integer of any fixed width.
    @inlinable @inline(__always)
    public mutating func readInteger<Value: FixedWidthInteger & BitwiseCopyable>(
        _ type: Value.Type = Value.self
    ) throws(CodecError) -> Value {
        Value(littleEndian: unsafe try take(MemoryLayout<Value>.size).loadUnaligned(as: Value.self))
    }

    @inlinable @inline(__always)
    public mutating func readByte() throws(CodecError) -> UInt8 {
        unsafe try take(1).load(as: UInt8.self)
    }

    /// An LEB128 number of at most 32 bits. Padded forms are refused, because they would be written
    /// with fewer bytes.
    @inlinable @inline(__always)
    public mutating func readVaruint32() throws(CodecError) -> UInt32 {
        let start = offset
        let first = try readByte()
        return first < 0x80 ? UInt32(first) : try readRest(of: first, from: start)
    }

    /// Reads the rest of a number of more than one byte.
    @usableFromInline
    mutating func readRest(of first: UInt8, from start: Int) throws(CodecError) -> UInt32 {
        var value = UInt64(first & 0x7f)
        var shift: UInt64 = 7
        while true {
            let byte = try readByte()
            value |= UInt64(byte & 0x7f) << shift
            if byte & 0x80 == 0 {
                guard value <= UInt64(UInt32.max), byte != 0 else { throw .invalidVaruint(offset: start) }
                return UInt32(truncatingIfNeeded: value)
            }
            shift += 7
            guard shift < 35 else { throw .invalidVaruint(offset: start) }
        }
    }

    public mutating func readBytes(_ count: Int) throws(CodecError) -> [UInt8] {
        let start = unsafe try take(count)
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    /// A varuint32 count, followed by that many bytes.
    public mutating func readPrefixedBytes() throws(CodecError) -> [UInt8] {
        try readBytes(Int(try readVaruint32()))
    }
    /// Moves past `count` bytes and passes them to `body`.
    @inlinable @inline(__always)
    public mutating func withBytes<Result, Failure: Error>(
        _ count: Int, orThrow failure: (CodecError) -> Failure,
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start: UnsafeRawPointer
        do throws(CodecError) { unsafe start = unsafe try take(count) } catch { throw failure(error) }
        let bytes = unsafe UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: count)
        return unsafe try body(Span(_unsafeElements: bytes))
    }
}
