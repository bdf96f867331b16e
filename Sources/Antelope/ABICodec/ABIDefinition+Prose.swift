import Codecs
import JSON

extension ABIDefinition {
    /// Text of an ABI that no action needs: a Ricardian contract, an error message, the keys of a
    /// table.
    ///
    /// nodeos stores and hashes these bytes without checking them, so a raw form may contain bytes
    /// that are not UTF-8. They are kept, so that the raw form and its hash stay the same.
    struct Prose: Equatable {
        let bytes: [UInt8]

        init(_ text: String) { bytes = Array(text.utf8) }

        init(bytes: [UInt8]) { self.bytes = bytes }

        /// nil when the bytes are not UTF-8.
        var text: String? { String(validating: bytes, as: UTF8.self) }

        /// The readable text: U+FFFD in place of bytes that are not UTF-8.
        var printable: String { String(decoding: bytes, as: UTF8.self) }

        /// Reads the text. In the codec's form the JSON has hex, which can represent any bytes.
        init(_ json: JSONValue, of form: Form) throws(ABIError) {
            let text = try json.expectText()
            guard form == .raw else {
                bytes = Array(text.utf8)
                return
            }
            var writer = ByteWriter()
            try HexText.parse(Array(text.utf8).span, into: &writer)
            bytes = writer.bytes
        }

        func json(for form: Form) -> JSONValue { .string(form == .raw ? Hex.encode(bytes) : printable) }
    }

    /// The places of text that is not UTF-8, in the order of the definitions. `json` replaces such
    /// text, so it does not pack to the same raw form.
    package var unprintable: [String] {
        var places: [String] = []
        func look(_ prose: Prose, _ place: @autoclosure () -> String) {
            if prose.text == nil { places.append(place()) }
        }
        for (index, action) in actions.enumerated() {
            look(action.ricardianContract, "actions[\(index)].ricardian_contract")
        }
        for (index, table) in tables.enumerated() {
            look(table.indexType, "tables[\(index)].index_type")
            for (key, name) in table.keyNames.enumerated() { look(name, "tables[\(index)].key_names[\(key)]") }
            for (key, type) in table.keyTypes.enumerated() { look(type, "tables[\(index)].key_types[\(key)]") }
        }
        for (index, clause) in clauses.enumerated() {
            look(clause.id, "ricardian_clauses[\(index)].id")
            look(clause.body, "ricardian_clauses[\(index)].body")
        }
        for (index, message) in errorMessages.enumerated() { look(message.text, "error_messages[\(index)].error_msg") }
        return places
    }
}

extension JSONValue {
    /// The prose at a key; empty when it is omitted or null.
    func prose(_ key: String, of form: ABIDefinition.Form) throws(ABIError) -> ABIDefinition.Prose {
        guard case .object = self else { throw ABIError(.expected(.object, found: kind)) }
        guard let member = self[key], !member.isNull else { return ABIDefinition.Prose("") }
        do { return try ABIDefinition.Prose(member, of: form) } catch { throw error.inside(.field(key)) }
    }

    /// The list of prose at a key; empty when it is omitted or null.
    func proseList(_ key: String, of form: ABIDefinition.Form) throws(ABIError) -> [ABIDefinition.Prose] {
        try list(key) { json throws(ABIError) in try ABIDefinition.Prose(json, of: form) } ?? []
    }
}
