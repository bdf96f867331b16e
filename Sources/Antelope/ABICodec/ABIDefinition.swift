import JSON

/// An ABI as its author wrote it, before it is compiled into an ``ABI``: all of an `abi_def`
/// (AntelopeIO/spring, libraries/chain/include/eosio/chain/abi_def.hpp), in JSON or in the raw form
/// that a chain stores.
///
/// It stores the definitions unchecked; ``ABI`` checks them.
package struct ABIDefinition: ABIEntry {
    struct Alias: ABIEntry {
        var name = ""
        var type = ""

        static let rawType = "type_def"
        static let members = [ABIMember("new_type_name", \Self.name), ABIMember("type", \Self.type)]
    }

    package struct Field: ABIEntry {
        package internal(set) var name = ""
        package internal(set) var type = ""

        static let rawType = "field_def"
        static let members = [ABIMember("name", \Self.name), ABIMember("type", \Self.type)]
    }

    struct Struct: ABIEntry {
        var name = ""
        /// Empty when the struct has no base.
        var base = ""
        var fields: [Field] = []

        static let rawType = "struct_def"
        static let members = [
            ABIMember("name", \Self.name), ABIMember("base", \Self.base), ABIMember("fields", \Self.fields),
        ]
    }

    struct Action: ABIEntry {
        var name = Name(rawValue: 0)
        var type = ""
        var ricardianContract = Prose.empty

        static let rawType = "action_def"
        static let members = [
            ABIMember("name", \Self.name), ABIMember("type", \Self.type),
            ABIMember("ricardian_contract", \Self.ricardianContract),
        ]
    }

    struct Table: ABIEntry {
        var name = Name(rawValue: 0)
        var indexType = Prose.empty
        var keyNames: [Prose] = []
        var keyTypes: [Prose] = []
        var type = ""

        static let rawType = "table_def"
        static let members = [
            ABIMember("name", \Self.name), ABIMember("index_type", \Self.indexType),
            ABIMember("key_names", \Self.keyNames), ABIMember("key_types", \Self.keyTypes),
            ABIMember("type", \Self.type),
        ]
    }

    struct Clause: ABIEntry {
        var id = Prose.empty
        var body = Prose.empty

        static let rawType = "clause_pair"
        static let members = [ABIMember("id", \Self.id), ABIMember("body", \Self.body)]
    }

    struct ErrorMessage: ABIEntry {
        var code: UInt64 = 0
        var text = Prose.empty

        static let rawType = "error_message"
        static let members = [ABIMember("error_code", \Self.code), ABIMember("error_msg", \Self.text)]
    }

    struct Extension: ABIEntry {
        var tag: UInt16 = 0
        var value = HexBytes.empty

        static let rawType = "extension"
        static let members = [ABIMember("tag", \Self.tag), ABIMember("value", \Self.value)]

        /// Accepts `{"tag", "value"}` and the pair that nodeos prints.
        init(_ json: JSONValue, of form: Form) throws(ABIError) {
            let pair = json.array.flatMap {
                $0.count == 2 ? ["tag": $0[0], "value": $0[1]] as JSONValue : nil
            }
            try self.init(members: pair ?? json, of: form)
        }

        init() {}

        func json(for form: Form) -> JSONValue {
            form == .raw ? members(for: form) : .array([.integer(UInt64(tag)), .string(value.hex)])
        }
    }

    struct Variant: ABIEntry {
        var name = ""
        var types: [String] = []

        static let rawType = "variant_def"
        static let members = [ABIMember("name", \Self.name), ABIMember("types", \Self.types)]
    }

    struct ActionResult: ABIEntry {
        var name = Name(rawValue: 0)
        var type = ""

        static let rawType = "action_result_def"
        static let members = [ABIMember("name", \Self.name), ABIMember("result_type", \Self.type)]
    }

    /// A function that other contracts call within an action; since ABI 1.3.
    struct Call: ABIEntry {
        var name = ""
        var type = ""
        var id: UInt64 = 0
        /// Empty when the call has no result.
        var resultType = ""

        static let rawType = "call_def"
        static let members = [
            ABIMember("name", \Self.name), ABIMember("type", \Self.type), ABIMember("id", \Self.id),
            ABIMember("result_type", \Self.resultType),
        ]
    }

    var version = ""
    var aliases: [Alias] = []
    var structs: [Struct] = []
    var actions: [Action] = []
    var tables: [Table] = []
    var clauses: [Clause] = []
    var errorMessages: [ErrorMessage] = []
    var extensions: [Extension] = []
    // These lists were added after version 1.0, at the end of the raw form. nil means that the list
    // is absent from the bytes; an empty list takes one byte.
    var variants: [Variant]? = []
    var actionResults: [ActionResult]? = []
    var calls: [Call]?

    static let rawType = "abi_def"
    static let members = [
        ABIMember("version", \Self.version), ABIMember("types", \Self.aliases),
        ABIMember("structs", \Self.structs),
        ABIMember("actions", \Self.actions), ABIMember("tables", \Self.tables),
        ABIMember("ricardian_clauses", \Self.clauses), ABIMember("error_messages", \Self.errorMessages),
        ABIMember("abi_extensions", \Self.extensions), ABIMember("variants", \Self.variants),
        ABIMember("action_results", \Self.actionResults), ABIMember("calls", \Self.calls),
    ]

    init() {}

    /// The fields of an action, without the fields of a base type; nil if the ABI lacks the action.
    package func fields(of action: Name) -> [Field]? {
        let type = actions.first { $0.name == action }?.type
        return structs.first { $0.name == type }?.fields
    }

    /// The names of the actions, sorted by their text.
    package var actionNames: [Name] { actions.map(\.name).sorted { $0.text < $1.text } }
    /// The names of the tables, in the order of the definitions.
    package var tableNames: [Name] { tables.map(\.name) }

    /// True if `bitset` is built in: always in ABI 1.3, and in earlier versions unless the ABI
    /// defines the name. nodeos has the type since Spring 2. An earlier ABI that defines `bitset`
    /// means its own definition.
    var hasBuiltInBitset: Bool {
        let name = Builtin.bitset.rawValue
        return version == "eosio::abi/1.3"
            || !(structs.contains { $0.name == name } || aliases.contains { $0.name == name }
                || (variants ?? []).contains { $0.name == name })
    }

    // MARK: - JSON

    /// Reads the definitions from a JSON tree, as `get_abi` returns them and compilers write them.
    ///
    /// As in nodeos, unknown members are ignored and omitted members are empty. Null members are
    /// empty too, except integers. Only the version is required. The raw form may lack its last
    /// three lists: `variants` and `action_results` are absent when they are null, and empty when
    /// they are omitted, as cleos packs them. `calls` is present when the JSON has it.
    package init(_ json: JSONValue) throws(ABIError) { try self.init(json, of: .text) }

    init(_ json: JSONValue, of form: Form) throws(ABIError) {
        guard case .object = json else { throw ABIError(.expected(.object, found: json.kind)) }
        guard json["version"] != nil else { throw ABIError(.missingField("version")) }
        // Its fault is reported before faults of the lists, which another version may define.
        let version: String = try json.part("version", of: form)
        guard (0...3).contains(where: { version == "eosio::abi/1.\($0)" }) else {
            throw ABIError(.unsupportedVersion(version)).inside(.field("version"))
        }
        try self.init(members: json, of: form)
        guard form == .text else { return }
        if json["variants"] == nil { variants = [] }
        if json["action_results"] == nil, variants != nil { actionResults = [] }
    }

    /// The definitions in the order and spelling of `get_abi`. A list that the raw form lacks is
    /// null.
    package var json: JSONValue { json(for: .text) }

    func json(for form: Form) -> JSONValue {
        let members = members(for: form).object ?? []
        return .object(members.filter { !$0.value.isNull || form == .text && $0.key != "calls" })
    }

    /// The places of text that is not UTF-8, in the order of the definitions. `json` replaces such
    /// text, so it does not pack to the same raw form.
    package var unprintable: [String] {
        Self.members.flatMap { member in member.unprintable(self).map { member.key + $0 } }
    }
}
