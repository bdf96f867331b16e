/// The keys of one object, compared byte for byte. Swift compares strings by canonical equivalence,
/// so it would treat some keys with different bytes as equal.
struct JSONKeySet {
    /// Up to this many keys, a linear search in the text is faster than hashing.
    private static let few = 8
    private var tokens: [JSONToken] = []
    private var set: Set<[UInt8]> = []

    /// Returns false if the key occurred before.
    /// - Parameter reader: the reader that read all keys.
    mutating func insert(_ key: JSONToken, of reader: inout JSONReader) -> Bool {
        if !set.isEmpty { return set.insert(reader.bytes(of: key)).inserted }
        for index in tokens.indices where reader.areEqual(tokens[index], key) { return false }
        tokens.append(key)
        if tokens.count > Self.few {
            for token in tokens { set.insert(reader.bytes(of: token)) }
        }
        return true
    }
}

extension JSONReader {
    /// A copy of the bytes of a number, or of a string with its escapes replaced.
    fileprivate mutating func bytes(of token: JSONToken) -> [UInt8] { withBytes(of: token) { Array($0) } }

    /// True if two strings have the same value. Only an escape gives a value another text.
    fileprivate mutating func areEqual(_ one: JSONToken, _ other: JSONToken) -> Bool {
        guard !one.hasEscapes, !other.hasEscapes else { return bytes(of: one) == bytes(of: other) }
        let count = one.end &- one.start
        guard count == other.end &- other.start else { return false }
        // Both are inside the text: the reader made them.
        for index in 0..<count
        where unsafe base[one.start &+ index] != base[other.start &+ index] { return false }
        return true
    }
}
