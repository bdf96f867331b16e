import JSON

/// JSON values of an ABI's types, made from its definitions alone. Each field has a different
/// value, so that an ABI that swaps two fields prints a different text.
package struct SampleValue {
    package enum Unknown: Error { case type(String) }

    private let abi: JSONValue
    /// Whether binary extensions are present.
    private let hasExtensions: Bool
    private var count = 0

    /// The values of types that are not made from the definitions.
    private let fixed: [String: JSONValue]

    package init(_ abi: JSONValue, hasExtensions: Bool, fixed: [String: JSONValue] = [:]) {
        self.abi = abi
        self.hasExtensions = hasExtensions
        self.fixed = fixed
    }

    package mutating func value(_ type: String) throws -> JSONValue {
        if let value = fixed[type] { return value }
        if type.hasSuffix("[]") {
            let element = String(type.dropLast(2))
            return .array([try value(element), try value(element)])
        }
        if type.hasSuffix("?") { return try value(String(type.dropLast())) }
        if let alias = entry("types", "new_type_name", type)?["type"]?.string { return try value(alias) }
        if let types = entry("variants", "name", type)?["types"]?.array, let last = types.last?.string {
            return .array([.string(last), try value(last)])
        }
        if let definition = entry("structs", "name", type) { return .object(try fields(definition)) }
        return try builtIn(type)
    }

    private func entry(_ list: String, _ key: String, _ name: String) -> JSONValue? {
        abi[list]?.array?.first { $0[key]?.string == name }
    }

    private mutating func fields(_ definition: JSONValue) throws -> [JSONMember] {
        var members: [JSONMember] = []
        if let base = definition["base"]?.string, !base.isEmpty { members = try value(base).object ?? [] }
        for field in definition["fields"]?.array ?? [] {
            guard let name = field["name"]?.string, let type = field["type"]?.string else {
                throw Unknown.type("field")
            }
            let isExtension = type.hasSuffix("$")
            if isExtension, !hasExtensions { continue }
            members.append(JSONMember(name, try value(isExtension ? String(type.dropLast()) : type)))
        }
        return members
    }

    private mutating func builtIn(_ type: String) throws -> JSONValue {
        count += 1
        let letter = String(UnicodeScalar(UInt8(97 + count % 26)))
        switch type {
        case "bool": return .boolean(count % 2 == 0)
        case "name": return .string("account\(letter)")
        case "string": return .string("text \(count)")
        case "bytes": return .string(String(repeating: "0a", count: count))
        case "asset": return .string("\(count).0000 EOS")
        case "symbol": return .string("\(count % 10),EOS")
        case "checksum256":
            return .string(String(repeating: count < 16 ? "0\(String(count, radix: 16))" : "f0", count: 32))
        case "public_key": return .string("EOS6gsQXzM6CLbhbDKLEteS6PZb6W2UaHDLvtQN56gxEGYsBZ6rcC")
        case "time_point_sec": return .string("2026-01-\(count % 20 + 10)T00:00:00")
        case "float64": return .string("\(count).5")
        case _ where type.contains("int"): return .number("\(count)")
        default: throw Unknown.type(type)
        }
    }
}
