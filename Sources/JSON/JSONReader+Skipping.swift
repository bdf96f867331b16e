extension JSONReader {
    /// Reads a value and discards it. Duplicate keys are refused too.
    public mutating func skipValue() throws(JSONError) {
        switch try peek() {
        case .object:
            try beginObject()
            var keys = JSONKeySet()
            while let key = try nextKey() {
                guard withBytes(of: key, { keys.insert(Array($0)) }) else { throw duplicateKey(key) }
                try skipValue()
            }
        case .array:
            try beginArray()
            while try nextElement() { try skipValue() }
        case .null, .boolean, .number, .string: try skipScalar()
        }
    }

    /// Skips a value that the caller reads again later. Duplicate keys are found then, not here.
    public mutating func skipValueForLater() throws(JSONError) {
        switch try peek() {
        case .object:
            try beginObject()
            while try nextKey() != nil { try skipValueForLater() }
        case .array:
            try beginArray()
            while try nextElement() { try skipValueForLater() }
        case .null, .boolean, .number, .string: try skipScalar()
        }
    }

    private mutating func skipScalar() throws(JSONError) {
        switch try peek() {
        case .null: try readNull()
        case .boolean: _ = try readBoolean()
        case .number: _ = try readNumber()
        case .string: _ = try readString()
        case .array, .object: throw unexpected()
        }
    }
}
