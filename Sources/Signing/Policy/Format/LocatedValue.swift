import JSON

/// A JSON value with its offset, so that a refusal states where it is.
struct LocatedValue {
    enum Content {
        /// A value that has no parts.
        case scalar(JSONValue)
        case array([LocatedValue])
        case object([Member])
        /// The text of an array or object that is nested more deeply than the caller reads.
        case unread(JSONKind, ArraySlice<UInt8>)
    }

    struct Member {
        let key: String
        /// The offset of the key's opening quote.
        let offset: Int
        let value: LocatedValue
    }

    /// In bytes.
    let offset: Int
    let content: Content

    var kind: JSONKind {
        switch content {
        case .scalar(let value): value.kind
        case .array: .array
        case .object: .object
        case .unread(let kind, _): kind
        }
    }

    var scalar: JSONValue? { if case .scalar(let value) = content { value } else { nil } }

    /// Reads a whole text, strictly: no comments, no member twice.
    /// - Parameters:
    ///   - levels: how deeply nested arrays and objects are read. Deeper ones are `unread`.
    ///   - mostElements: of each array; more are checked and left out.
    static func parse(
        _ text: [UInt8], limits: JSONLimits, levels: Int = .max, mostElements: Int = .max
    ) throws(JSONError) -> LocatedValue {
        try JSONReader.read(text, limits: limits) { reader throws(JSONError) in
            let value = try LocatedValue(from: &reader, in: text, levels, mostElements)
            try reader.expectEnd()
            return value
        }
    }

    /// - Parameter text: The text of the reader.
    private init(
        from reader: inout JSONReader, in text: [UInt8], _ levels: Int, _ mostElements: Int
    ) throws(JSONError) {
        let kind = try reader.peek()
        offset = text.count - reader.remaining
        switch kind {
        case .null, .boolean, .number, .string: content = .scalar(try JSONValue(from: &reader))
        case .array where levels == 0, .object where levels == 0:
            try reader.skipValue()
            content = .unread(kind, text[offset..<text.count - reader.remaining])
        case .array:
            var elements: [LocatedValue] = []
            try reader.beginArray()
            while try reader.nextElement() {
                guard elements.count < mostElements else {
                    try reader.skipValue()
                    continue
                }
                elements.append(try LocatedValue(from: &reader, in: text, levels - 1, mostElements))
            }
            content = .array(elements)
        case .object:
            var members: [Member] = []
            var keys: Set<[UInt8]> = []
            try reader.beginObject()
            var end = text.count - reader.remaining
            while let token = try reader.nextKey() {
                let key = reader.text(of: token)
                guard keys.insert(Array(key.utf8)).inserted else { throw reader.duplicateKey(token) }
                // Only white space and a comma are before the key.
                let offset = text[end...].firstIndex(of: UInt8(ascii: "\"")) ?? end
                let value = try LocatedValue(from: &reader, in: text, levels - 1, mostElements)
                members.append(Member(key: key, offset: offset, value: value))
                end = text.count - reader.remaining
            }
            content = .object(members)
        }
    }
}

/// A position in a text, for messages.
package struct TextPlace: Hashable, Sendable {
    /// Counted from 1. A line ends with a line feed.
    package let line: Int
    /// The position in the line in characters (Unicode scalars), counted from 1.
    package let column: Int

    package init(line: Int, column: Int) { (self.line, self.column) = (line, column) }

    var text: String { "line \(line), column \(column)" }

    /// The places of some offsets, which are in ascending order.
    static func all(of offsets: [Int], in text: [UInt8]) -> [TextPlace] {
        var places: [TextPlace] = []
        var (line, start, continuations, index) = (1, 0, 0, 0)
        for offset in offsets {
            while index < min(offset, text.count) {
                if text[index] == UInt8(ascii: "\n") {
                    (line, start, continuations) = (line + 1, index + 1, 0)
                } else if text[index] & 0xc0 == 0x80 {
                    continuations += 1
                }
                index += 1
            }
            places.append(TextPlace(line: line, column: index - start - continuations + 1))
        }
        return places
    }
}
