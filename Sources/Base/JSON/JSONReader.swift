/// A cursor over JSON text (RFC 8259, strict) that allocates nothing per value.
///
/// It exists only inside `JSONReader.read`. The closure reads token after token:
/// ```swift
/// // Given bytes: [UInt8]
/// try JSONReader.read(bytes) { reader throws(JSONError) in
///     try reader.beginArray()
///     while try reader.nextElement() { try reader.skipValue() }
///     try reader.expectEnd()
/// }
/// ```
/// A caller of `nextKey` must check for duplicate keys; `skipValue` and `JSONValue` check for them.
@safe
public struct JSONReader: ~Copyable {
    @usableFromInline let base: UnsafePointer<UInt8>
    @usableFromInline let end: Int
    @usableFromInline let depthLimit: Int
    @usableFromInline var offset = 0
    @usableFromInline var depth = 0
    /// True if the array or object was just opened, so that its next value has no comma before it.
    @usableFromInline var isFresh = false
    /// The buffer for the values of strings with escapes.
    @usableFromInline var scratch: [UInt8] = []

    @unsafe @inlinable
    init(base: UnsafePointer<UInt8>, count: Int, depthLimit: Int) {
        unsafe self.base = unsafe base
        end = count
        self.depthLimit = depthLimit
    }

    /// Runs the closure with a reader over `bytes`. The closure calls `expectEnd` to refuse unread
    /// bytes.
    /// - Throws: `.tooLong` or `.byteOrderMark` before the closure is called, or the error of the
    ///   closure.
    @inlinable
    public static func read<Result, Failure: Error>(
        _ bytes: [UInt8], limits: JSONLimits = JSONLimits(),
        orThrow failure: (JSONError) -> Failure,
        _ body: (inout JSONReader) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The buffer is valid during the closure's call, and a noncopyable reader can't escape it.
        unsafe try bytes.withUnsafeBufferPointer { buffer throws(Failure) in
            unsafe try read(buffer, limits: limits, orThrow: failure, body)
        }
    }

    /// Reads text in memory of the caller, which may be guarded. `copyValue` copies a secret; the
    /// functions that return text would leave it in memory that is not wiped.
    @inlinable
    public static func read<Result: ~Copyable, Failure: Error>(
        _ bytes: RawSpan, limits: JSONLimits = JSONLimits(),
        orThrow failure: (JSONError) -> Failure,
        _ body: (inout JSONReader) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe try bytes.withUnsafeBytes { bytes throws(Failure) in
            let buffer = unsafe bytes.bindMemory(to: UInt8.self)
            return unsafe try read(buffer, limits: limits, orThrow: failure, body)
        }
    }

    @unsafe @inlinable
    static func read<Result: ~Copyable, Failure: Error>(
        _ buffer: UnsafeBufferPointer<UInt8>, limits: JSONLimits, orThrow failure: (JSONError) -> Failure,
        _ body: (inout JSONReader) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // An empty array may have no address. The placeholder byte is never read.
        var nothing: UInt8 = 0
        return unsafe try withUnsafePointer(to: &nothing) { placeholder throws(Failure) in
            var reader = unsafe JSONReader(
                base: buffer.baseAddress ?? placeholder, count: buffer.count, depthLimit: limits.depth)
            guard buffer.count <= limits.size else {
                throw failure(reader.tooLong(limits.size))
            }
            do throws(JSONError) { try reader.refuseByteOrderMark() } catch { throw failure(error) }
            return try body(&reader)
        }
    }

    @inlinable
    public static func read<Result>(
        _ bytes: [UInt8], limits: JSONLimits = JSONLimits(),
        _ body: (inout JSONReader) throws(JSONError) -> Result
    ) throws(JSONError) -> Result {
        try read(bytes, limits: limits, orThrow: { $0 }, body)
    }

    // MARK: - bytes

    /// The byte `distance` bytes ahead; past the end it is 0, a byte that JSON never contains.
    @inlinable @inline(__always)
    func byte(ahead distance: Int = 0) -> UInt8 {
        // `distance` is small and never negative, so the sum can't overflow.
        offset &+ distance < end ? unsafe base[offset &+ distance] : 0
    }

    /// The next eight bytes, the first one in the lowest bits; nil when fewer are left.
    @inlinable @inline(__always)
    func eightBytes() -> UInt64? {
        guard end &- offset >= 8 else { return nil }
        return UInt64(littleEndian: unsafe UnsafeRawPointer(base + offset).loadUnaligned(as: UInt64.self))
    }

    @inlinable @inline(__always)
    mutating func skipWhitespace() {
        while true {
            let next = byte()
            guard next <= 0x20, next == 0x20 || next == 0x0a || next == 0x0d || next == 0x09 else { return }
            offset &+= 1
        }
    }

    @usableFromInline
    func refuseByteOrderMark() throws(JSONError) {
        if byte() == 0xef, byte(ahead: 1) == 0xbb, byte(ahead: 2) == 0xbf { throw failure(.byteOrderMark) }
    }

    /// Throws unless only white space is left.
    public mutating func expectEnd() throws(JSONError) {
        skipWhitespace()
        guard offset == end else { throw failure(.trailingBytes) }
    }

    // MARK: - errors

    /// The error at the cursor, with its line and column.
    @usableFromInline @inline(never)
    func failure(_ reason: JSONError.Reason) -> JSONError { failure(reason, at: offset) }

    @usableFromInline @inline(never)
    func failure(_ reason: JSONError.Reason, at place: Int) -> JSONError {
        var line = 1
        var column = 1
        for index in 0..<min(place, end) {
            let byte = unsafe base[index]
            if byte == 0x0a {
                line += 1
                column = 1
            } else if byte & 0xc0 != 0x80 {
                column += 1
            }
        }
        return JSONError(reason: reason, offset: place, line: line, column: column)
    }

    @usableFromInline @inline(never)
    func tooLong(_ limit: Int) -> JSONError {
        JSONError(reason: .tooLong(limit: limit), offset: limit, line: 1, column: 1)
    }

    /// The error for a byte that is not allowed at the cursor.
    @usableFromInline @inline(never)
    func unexpected() -> JSONError {
        failure(offset < end ? .unexpectedByte(byte()) : .unexpectedEnd)
    }

    /// The error for a key that occurred before. `nextKey` returned it just now.
    public func duplicateKey(_ key: JSONToken) -> JSONError { failure(.duplicateKey, at: key.start - 1) }

    // MARK: - places

    /// The number of unread bytes of the text.
    @inlinable public var remaining: Int { end &- offset }

    /// A position between two tokens, to return to later.
    public struct Position: Sendable {
        @usableFromInline let offset: Int
        @usableFromInline let depth: Int
        @usableFromInline let isFresh: Bool

        @inlinable
        init(offset: Int, depth: Int, isFresh: Bool) {
            self.offset = offset
            self.depth = depth
            self.isFresh = isFresh
        }
    }

    @inlinable
    public var position: Position { Position(offset: offset, depth: depth, isFresh: isFresh) }

    /// Returns to a position of this reader.
    @inlinable
    public mutating func go(to position: Position) {
        // A position of another reader could be past the end. Nothing is read there, because every
        // read goes through `byte`.
        offset = min(position.offset, end)
        depth = position.depth
        isFresh = position.isFresh
    }

    // MARK: - values as bytes

    /// Passes to `body` the bytes of a number, or of a string with its escapes replaced.
    @inlinable @inline(__always)
    public mutating func withBytes<Result, Failure: Error>(
        of token: JSONToken, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if token.hasEscapes {
            spellOut(token)
            return try body(scratch.span)
        }
        let count = max(0, min(token.end, end) &- token.start)
        let text = unsafe UnsafeBufferPointer(start: base + token.start, count: count)
        return unsafe try body(Span(_unsafeElements: text))
    }
}
