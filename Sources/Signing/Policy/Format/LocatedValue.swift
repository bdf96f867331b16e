import JSON

/// A JSON value with its offset, so that a refusal states where it is.
struct LocatedValue {
    enum Content {
        /// A value that has no parts.
        case scalar(JSONValue)
        case array([LocatedValue])
        case object([Member])
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
        }
    }

    var scalar: JSONValue? { if case .scalar(let value) = content { value } else { nil } }

    /// Reads a whole text, strictly: no comments, no member twice.
    static func parse(_ text: [UInt8], limits: JSONLimits) throws(JSONError) -> LocatedValue {
        try JSONReader.read(text, limits: limits) { reader throws(JSONError) in
            let value = try LocatedValue(from: &reader, in: text)
            try reader.expectEnd()
            return value
        }
    }

    /// - Parameter text: The text of the reader.
    private init(from reader: inout JSONReader, in text: [UInt8]) throws(JSONError) {
        let kind = try reader.peek()
        offset = text.count - reader.remaining
        switch kind {
        case .null, .boolean, .number, .string: content = .scalar(try JSONValue(from: &reader))
        case .array:
            var elements: [LocatedValue] = []
            try reader.beginArray()
            while try reader.nextElement() { elements.append(try LocatedValue(from: &reader, in: text)) }
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
                members.append(Member(key: key, offset: offset, value: try LocatedValue(from: &reader, in: text)))
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
