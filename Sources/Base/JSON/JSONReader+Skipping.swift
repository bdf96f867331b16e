extension JSONReader {
    /// Reads a value and discards it. Duplicate keys are refused too.
    public mutating func skipValue() throws(JSONError) { try skipValue(findingDuplicates: true) }

    /// Skips a value that the caller reads again later. Duplicate keys are found then, not here.
    public mutating func skipValueForLater() throws(JSONError) { try skipValue(findingDuplicates: false) }

    private mutating func skipValue(findingDuplicates: Bool) throws(JSONError) {
        switch try peek() {
        case .object:
            try beginObject()
            var keys = JSONKeySet()
            while let key = try nextKey() {
                guard !findingDuplicates || keys.insert(key, of: &self) else { throw duplicateKey(key) }
                try skipValue(findingDuplicates: findingDuplicates)
            }
        case .array:
            try beginArray()
            while try nextElement() { try skipValue(findingDuplicates: findingDuplicates) }
        case .null: try readNull()
        case .boolean: _ = try readBoolean()
        case .number: _ = try readNumber()
        case .string: _ = try readString()
        }
    }

    /// The kind of the value that is the whole text, and the texts of its parts, which the caller
    /// reads later: members with their keys, or elements with empty keys. Duplicate keys are not
    /// looked for.
    /// - Parameter limit: reading ends after one part more. The caller refuses it.
    public static func parts(
        of text: [UInt8], atMost limit: Int = .max
    ) throws(JSONError) -> (kind: JSONKind, parts: [(key: String, text: [UInt8])]) {
        try read(text) { reader throws(JSONError) in
            let kind = try reader.peek()
            var parts: [(key: String, text: [UInt8])] = []
            parts.reserveCapacity(min(limit, 8))
            if kind == .object {
                try reader.beginObject()
                while parts.count <= limit, let key = try reader.nextKey() {
                    parts.append((reader.text(of: key), try reader.readText()))
                }
            } else if kind == .array {
                try reader.beginArray()
                while parts.count <= limit, try reader.nextElement() {
                    parts.append(("", try reader.readText()))
                }
            }
            return (kind, parts)
        }
    }

    /// The text of the next value, without the white space around it.
    private mutating func readText() throws(JSONError) -> [UInt8] {
        skipWhitespace()
        let start = offset
        try skipValueForLater()
        // In bounds: the value that was just skipped.
        return unsafe Array(UnsafeBufferPointer(start: base + start, count: offset - start))
    }
}
