import JSON

/// Reads the members of an ABI's lists.
extension JSONValue {
    /// The text at a key of an object; empty when it is omitted or null, as in nodeos.
    func text(_ key: String, limit: Int = Layout.definitionLengthLimit) throws(ABIError) -> String {
        guard let member = try member(key), !member.isNull else { return "" }
        do { return try member.text(limit: limit) } catch { throw error.inside(.field(key)) }
    }

    func text(limit: Int) throws(ABIError) -> String {
        let text = try expectText()
        guard text.utf8.count <= limit else { throw ABIError(.definitionTooLong(limit: limit)) }
        return text
    }

    /// The name at a key of an object; the empty name when it is omitted or null.
    func name(_ key: String) throws(ABIError) -> Name {
        let text = try text(key)
        do { return try Name(text) } catch { throw error.inside(.field(key)) }
    }

    /// The integer at a key of an object; 0 when it is omitted.
    func integer<Value: FixedWidthInteger>(_ key: String, type: StaticString) throws(ABIError) -> Value {
        guard let member = try member(key) else { return 0 }
        do { return try member.expectInteger(type) } catch { throw error.inside(.field(key)) }
    }

    /// An integer as nodeos prints it: in quotes above 2^32 - 1, because readers that have only
    /// doubles may lose digits.
    static func integer(_ value: UInt64) -> JSONValue { value > 0xffff_ffff ? .string("\(value)") : .number(value) }

    /// The member of an object at a key; nil when it is omitted.
    private func member(_ key: String) throws(ABIError) -> JSONValue? {
        guard case .object = self else { throw ABIError(.expected(.object, found: kind)) }
        return self[key]
    }

    /// The list at a key, read element by element; nil when it is omitted or null.
    func list<Element>(_ key: String, _ read: (JSONValue) throws(ABIError) -> Element) throws(ABIError) -> [Element]? {
        guard let member = self[key], !member.isNull else { return nil }
        do throws(ABIError) {
            guard member.array?.count ?? 0 <= Layout.definitionLimit else {
                throw ABIError(.tooManyDefinitions(limit: Layout.definitionLimit))
            }
            return try member.expectList(read)
        } catch { throw error.inside(.field(key)) }
    }

    /// The list of texts at a key; empty when it is omitted or null.
    func texts(_ key: String) throws(ABIError) -> [String] {
        try list(key) { json throws(ABIError) in try json.text(limit: Layout.definitionLengthLimit) } ?? []
    }
}
