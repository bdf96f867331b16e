import JSON

/// Validates a value with a JSON Schema (draft 2020-12, core and validation), as far as the schema
/// of `help json --schema` uses it. It has nothing of the shapes from which the program makes it.
enum JSONSchemaCheck {
    private static let annotations: Set = ["description", "x-stream"]

    /// Why a value does not match; nil if it does. A keyword that is not known here is a fault too.
    static func fault(of value: JSONValue, _ schema: JSONValue, _ path: String) -> String? {
        guard let keywords = schema.object else { return "\(path): no schema" }
        for keyword in keywords where !annotations.contains(keyword.key) {
            if let fault = fault(of: value, keyword, schema, path) { return fault }
        }
        return nil
    }

    private static func fault(
        of value: JSONValue, _ keyword: JSONMember, _ schema: JSONValue, _ path: String
    ) -> String? {
        switch keyword.key {
        case "type": return isOf(keyword.value.string ?? "", value) ? nil : "\(path) is not \(keyword.value)"
        case "anyOf":
            let faults = (keyword.value.array ?? []).map { fault(of: value, $0, path) }
            return faults.contains(nil) ? nil : "\(path) matches no schema of anyOf"
        case "items":
            return (value.array ?? []).lazy.compactMap { fault(of: $0, keyword.value, path + "[]") }.first
        case "required":
            let missing = (keyword.value.array ?? []).compactMap(\.string).first {
                value.object != nil && value[$0] == nil
            }
            return missing.map { "\(path).\($0) is missing" }
        case "properties":
            return (value.object ?? []).lazy.compactMap { member in
                keyword.value[member.key].flatMap { fault(of: member.value, $0, "\(path).\(member.key)") }
            }.first
        default: return "\(path): the keyword \(keyword.key) is not known"
        }
    }

    /// The types of section 6.1.1 of the validation specification.
    private static func isOf(_ type: String, _ value: JSONValue) -> Bool {
        switch (type, value) {
        case ("object", .object), ("array", .array), ("string", .string), ("boolean", .boolean),
            ("null", .null):
            true
        case ("integer", .number(let text)): text.allSatisfy { $0.isNumber || $0 == "-" }
        default: false
        }
    }
}
