extension JSONWriter {
    /// Writes a tree.
    public mutating func write(_ value: JSONValue) {
        switch value {
        case .null: writeNull()
        case .boolean(let boolean): write(boolean: boolean)
        case .number(let text): write(number: text)
        case .string(let text): write(string: text)
        case .array(let elements):
            beginArray()
            for element in elements { write(element) }
            endArray()
        case .object(let members):
            beginObject()
            for member in members {
                write(key: member.key)
                write(member.value)
            }
            endObject()
        }
    }
}

extension JSONValue {
    /// The text of the tree.
    public func text(_ style: JSONWriter.Style = .compact) -> String {
        var writer = JSONWriter(style: style)
        writer.write(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
