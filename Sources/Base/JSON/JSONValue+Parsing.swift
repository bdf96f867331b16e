extension JSONValue {
    /// Parses a whole text: one value, with white space around it.
    public static func parse(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError)
        -> JSONValue
    {
        try JSONReader.read(bytes, limits: limits) { reader throws(JSONError) in
            let value = try JSONValue(from: &reader)
            try reader.expectEnd()
            return value
        }
    }

    /// Reads the reader's next value as a tree. The reader limits its depth.
    public init(from reader: inout JSONReader) throws(JSONError) {
        switch try reader.peek() {
        case .null:
            try reader.readNull()
            self = .null
        case .boolean: self = .boolean(try reader.readBoolean())
        case .number: self = .number(reader.text(of: try reader.readNumber()))
        case .string: self = .string(reader.text(of: try reader.readString()))
        case .array:
            var elements: [JSONValue] = []
            try reader.beginArray()
            while try reader.nextElement() { elements.append(try JSONValue(from: &reader)) }
            self = .array(elements)
        case .object:
            var members: [JSONMember] = []
            var keys = JSONKeySet()
            try reader.beginObject()
            while let key = try reader.nextKey() {
                guard keys.insert(key, of: &reader) else { throw reader.duplicateKey(key) }
                members.append(JSONMember(reader.text(of: key), try JSONValue(from: &reader)))
            }
            self = .object(members)
        }
    }
}

extension JSONReader {
    /// The exact text of a number, or the value of a string.
    public mutating func text(of token: JSONToken) -> String {
        withBytes(of: token) { bytes in
            // The bytes are valid UTF-8, because `readString` checked them; nothing is replaced.
            unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
        }
    }
}

extension [UInt8] {
    /// Copies the bytes of a span.
    init(_ span: Span<UInt8>) {
        self = unsafe span.withUnsafeBufferPointer { unsafe Array($0) }
    }
}
