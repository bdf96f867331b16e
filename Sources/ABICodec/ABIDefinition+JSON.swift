import JSON

extension ABIDefinition {
    /// What writes the JSON that is read, and reads the JSON that is written.
    enum Form {
        /// People and programs, as nodeos does.
        case text
        /// The codec, between this and the raw form: a list that is not there is not in the bytes.
        case raw
    }

    /// The definitions that a JSON tree states, as `get_abi` gives them and compilers write them.
    ///
    /// Members it does not know are let pass, as nodeos does; lists left out or null are empty, as cleos takes them. Of the
    /// lists that the raw form may lack, `variants` and `action_results` are not in it where they are null, and are empty
    /// where they are left out, as cleos packs them; `calls` is in it where it stands here.
    public init(_ json: JSONValue) throws(ABIError) { try self.init(json, of: .text) }

    init(_ json: JSONValue, of form: Form) throws(ABIError) {
        guard case .object = json else { throw ABIError(.expected(.object, found: json.kind)) }
        let version = try json.text("version")
        guard ["eosio::abi/1.0", "eosio::abi/1.1", "eosio::abi/1.2", "eosio::abi/1.3"].contains(version) else {
            throw ABIError(.unsupportedVersion(version)).inside(.field("version"))
        }
        self.init(version: version)
        aliases = try json.list("types", Alias.init) ?? []
        structs = try json.list("structs", Struct.init) ?? []
        actions = try json.list("actions", Action.init) ?? []
        tables = try json.list("tables", Table.init) ?? []
        clauses = try json.list("ricardian_clauses", Clause.init) ?? []
        errorMessages = try json.list("error_messages", ErrorMessage.init) ?? []
        extensions = try json.list("abi_extensions", Extension.init) ?? []
        variants = try json.list("variants", Variant.init)
        actionResults = try json.list("action_results", ActionResult.init)
        calls = try json.list("calls", Call.init)
        guard form == .text else { return }
        if json["variants"] == nil { variants = [] }
        if json["action_results"] == nil, variants != nil { actionResults = [] }
    }

    /// The definitions in the order and spelling of `get_abi`, and null for a list that the raw form lacks.
    public var json: JSONValue { json(for: .text) }

    func json(for form: Form) -> JSONValue {
        var members: [JSONMember] = [
            JSONMember("version", .string(version)), JSONMember("types", list(aliases)), JSONMember("structs", list(structs)),
            JSONMember("actions", list(actions)), JSONMember("tables", list(tables)), JSONMember("ricardian_clauses", list(clauses)),
            JSONMember("error_messages", list(errorMessages)),
            JSONMember("abi_extensions", .array(extensions.map { form == .text ? $0.pair : $0.json })),
        ]
        if variants != nil || form == .text { members.append(JSONMember("variants", variants.map(list) ?? .null)) }
        if actionResults != nil || form == .text { members.append(JSONMember("action_results", actionResults.map(list) ?? .null)) }
        if let calls { members.append(JSONMember("calls", list(calls))) }
        return .object(members)
    }

    private func list(_ definitions: [some JSONDefinition]) -> JSONValue { .array(definitions.map(\.json)) }
}

/// An entry of a list of an ABI.
private protocol JSONDefinition {
    init(_ json: JSONValue) throws(ABIError)
    var json: JSONValue { get }
}

extension ABIDefinition.Alias: JSONDefinition {
    init(_ json: JSONValue) throws(ABIError) { self.init(name: try json.text("new_type_name"), type: try json.text("type")) }
    var json: JSONValue { .object([JSONMember("new_type_name", .string(name)), JSONMember("type", .string(type))]) }
}

extension ABIDefinition.Field: JSONDefinition {
    init(_ json: JSONValue) throws(ABIError) { self.init(name: try json.text("name"), type: try json.text("type")) }
    var json: JSONValue { .object([JSONMember("name", .string(name)), JSONMember("type", .string(type))]) }
}

extension ABIDefinition.Struct: JSONDefinition {
    init(_ json: JSONValue) throws(ABIError) {
        self.init(
            name: try json.text("name"), base: try json.optionalText("base"),
            fields: try json.list("fields", ABIDefinition.Field.init) ?? [])
    }
    var json: JSONValue {
        .object([
            JSONMember("name", .string(name)), JSONMember("base", .string(base)), JSONMember("fields", .array(fields.map(\.json))),
        ])
    }
}

extension ABIDefinition.Action: JSONDefinition {
    init(_ json: JSONValue) throws(ABIError) {
        self.init(
            name: try json.name("name"), type: try json.text("type"),
            ricardianContract: try json.optionalText("ricardian_contract", limit: .max))
    }
    var json: JSONValue {
        .object([
            JSONMember("name", .string(name.text)), JSONMember("type", .string(type)),
            JSONMember("ricardian_contract", .string(ricardianContract)),
        ])
    }
}

extension ABIDefinition.Table: JSONDefinition {
    init(_ json: JSONValue) throws(ABIError) {
        self.init(
            name: try json.name("name"), indexType: try json.optionalText("index_type"),
            keyNames: try json.texts("key_names"),
            keyTypes: try json.texts("key_types"), type: try json.text("type"))
    }
    var json: JSONValue {
        .object([
            JSONMember("name", .string(name.text)), JSONMember("index_type", .string(indexType)),
            JSONMember("key_names", .array(keyNames.map { .string($0) })),
            JSONMember("key_types", .array(keyTypes.map { .string($0) })), JSONMember("type", .string(type)),
        ])
    }
}

extension ABIDefinition.Clause: JSONDefinition {
    init(_ json: JSONValue) throws(ABIError) {
        self.init(id: try json.text("id", limit: .max), body: try json.text("body", limit: .max))
    }
    var json: JSONValue { .object([JSONMember("id", .string(id)), JSONMember("body", .string(body))]) }
}

extension ABIDefinition.ErrorMessage: JSONDefinition {
    init(_ json: JSONValue) throws(ABIError) {
        self.init(code: try json.integer("error_code", type: "uint64"), text: try json.text("error_msg", limit: .max))
    }
    var json: JSONValue { .object([JSONMember("error_code", .integer(code)), JSONMember("error_msg", .string(text))]) }
}

extension ABIDefinition.Extension: JSONDefinition {
    /// `{"tag", "value"}`, or the pair that nodeos prints.
    init(_ json: JSONValue) throws(ABIError) {
        var json = json
        if let pair = json.array, pair.count == 2 { json = .object([JSONMember("tag", pair[0]), JSONMember("value", pair[1])]) }
        self.init(tag: try json.integer("tag", type: "uint16"), value: try json.text("value", limit: .max))
    }
    var json: JSONValue { .object([JSONMember("tag", .integer(UInt64(tag))), JSONMember("value", .string(value))]) }
    var pair: JSONValue { .array([.integer(UInt64(tag)), .string(value)]) }
}

extension ABIDefinition.Variant: JSONDefinition {
    init(_ json: JSONValue) throws(ABIError) {
        self.init(name: try json.text("name"), types: try json.texts("types"))
    }
    var json: JSONValue { .object([JSONMember("name", .string(name)), JSONMember("types", .array(types.map { .string($0) }))]) }
}

extension ABIDefinition.ActionResult: JSONDefinition {
    init(_ json: JSONValue) throws(ABIError) { self.init(name: try json.name("name"), type: try json.text("result_type")) }
    var json: JSONValue { .object([JSONMember("name", .string(name.text)), JSONMember("result_type", .string(type))]) }
}

extension ABIDefinition.Call: JSONDefinition {
    init(_ json: JSONValue) throws(ABIError) {
        self.init(
            name: try json.text("name"), type: try json.text("type"), id: try json.integer("id", type: "uint64"),
            resultType: try json.optionalText("result_type"))
    }
    var json: JSONValue {
        .object([
            JSONMember("name", .string(name)), JSONMember("type", .string(type)), JSONMember("id", .integer(id)),
            JSONMember("result_type", .string(resultType)),
        ])
    }
}
