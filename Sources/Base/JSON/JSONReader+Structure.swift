extension JSONReader {
    /// The kind of the next value. The value is not read.
    @inlinable @inline(__always)
    public mutating func peek() throws(JSONError) -> JSONKind {
        skipWhitespace()
        switch byte() {
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): return .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .boolean
        case UInt8(ascii: "n"): return .null
        default: throw unexpected()
        }
    }

    // MARK: - objects

    /// Reads `{`.
    @inlinable
    public mutating func beginObject() throws(JSONError) { try open(UInt8(ascii: "{")) }

    /// Reads the next key and its colon. At `}`, reads it and returns nil.
    @inlinable
    public mutating func nextKey() throws(JSONError) -> JSONToken? {
        guard try advance(to: UInt8(ascii: "}")) else { return nil }
        let key = try readString()
        skipWhitespace()
        guard byte() == UInt8(ascii: ":") else { throw unexpected() }
        offset &+= 1
        return key
    }

    /// Reads the comma, the next key and its colon if the key is spelled exactly as
    /// `names[start..<start + count]` (quotes included). Otherwise returns false and does not move.
    /// - Parameter head: The first eight bytes of that text, in little-endian order and padded with
    ///   zeros. They are compared instead of the bytes in `names`.
    @inlinable @inline(__always)
    public mutating func skipKey(quoted names: [UInt8], from start: Int, count: Int, head: UInt64) -> Bool {
        let before = offset
        skipWhitespace()
        if !isFresh {
            guard byte() == UInt8(ascii: ",") else {
                offset = before
                return false
            }
            offset &+= 1
            skipWhitespace()
        }
        guard matches(names, from: start, count: count, head: head) else {
            offset = before
            return false
        }
        offset &+= count
        skipWhitespace()
        guard byte() == UInt8(ascii: ":") else {
            offset = before
            return false
        }
        offset &+= 1
        isFresh = false
        return true
    }

    @inlinable @inline(__always)
    func matches(_ names: [UInt8], from start: Int, count: Int, head: UInt64) -> Bool {
        var compared = 0
        if let word = eightBytes() {
            guard (word ^ head) &<< UInt64(64 &- 8 &* min(count, 8)) == 0 else { return false }
            compared = 8
        }
        // Bytes after the end of the text are read as zeros, which no quoted name contains.
        while compared < count {
            guard byte(ahead: compared) == names[start &+ compared] else { return false }
            compared &+= 1
        }
        return true
    }

    // MARK: - arrays

    /// Reads `[`.
    @inlinable
    public mutating func beginArray() throws(JSONError) { try open(UInt8(ascii: "[")) }

    /// True if another element follows. Reads its comma, or `]` if there is none.
    @inlinable
    public mutating func nextElement() throws(JSONError) -> Bool { try advance(to: UInt8(ascii: "]")) }

    // MARK: - both

    @inlinable
    mutating func open(_ bracket: UInt8) throws(JSONError) {
        skipWhitespace()
        guard byte() == bracket else { throw unexpected() }
        guard depth < depthLimit else { throw failure(.tooDeep(limit: depthLimit)) }
        offset &+= 1
        depth &+= 1
        isFresh = true
    }

    /// Reads the comma before the next member. At the closing bracket, reads it and returns false.
    @inlinable
    mutating func advance(to bracket: UInt8) throws(JSONError) -> Bool {
        skipWhitespace()
        let next = byte()
        if next == bracket {
            offset &+= 1
            depth &-= 1
            isFresh = false
            return false
        }
        if isFresh {
            isFresh = false
            return true
        }
        guard next == UInt8(ascii: ",") else { throw unexpected() }
        offset &+= 1
        skipWhitespace()
        // A member must follow a comma.
        guard byte() != bracket else { throw unexpected() }
        return true
    }
}
