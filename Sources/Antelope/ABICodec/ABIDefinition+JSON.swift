import JSON

extension ABIDefinition {
    /// The two users of the JSON form. Both read the same JSON that they write.
    enum Form {
        /// People and programs: the JSON of nodeos.
        case text
        /// The codec, which converts between this JSON and the raw form: a list that is omitted in
        /// the JSON is absent from the bytes.
        case raw
    }

    /// Reads the definitions from a JSON tree, as `get_abi` returns them and compilers write them.
    ///
    /// As in nodeos, unknown members are ignored and omitted members are empty. Null members are
    /// empty too. Only the version is required. The raw form may lack its last three lists:
    /// `variants` and `action_results` are absent when they are null, and empty when they are
    /// omitted, as cleos packs them. `calls` is present when the JSON has it.
    package init(_ json: JSONValue) throws(ABIError) { try self.init(json, of: .text) }

    init(_ json: JSONValue, of form: Form) throws(ABIError) {
        guard case .object = json else { throw ABIError(.expected(.object, found: json.kind)) }
        guard json["version"] != nil else { throw ABIError(.missingField("version")) }
        let version = try json.text("version")
        guard ["eosio::abi/1.0", "eosio::abi/1.1", "eosio::abi/1.2", "eosio::abi/1.3"].contains(version) else {
            throw ABIError(.unsupportedVersion(version)).inside(.field("version"))
        }
        self.init(version: version)
        aliases = try json.list("types", Alias.init) ?? []
        structs = try json.list("structs", Struct.init) ?? []
        actions = try json.list("actions") { json throws(ABIError) in try Action(json, of: form) } ?? []
        tables = try json.list("tables") { json throws(ABIError) in try Table(json, of: form) } ?? []
        clauses = try json.list("ricardian_clauses") { json throws(ABIError) in try Clause(json, of: form) } ?? []
        errorMessages =
            try json.list("error_messages") { json throws(ABIError) in try ErrorMessage(json, of: form) } ?? []
        extensions = try json.list("abi_extensions", Extension.init) ?? []
        variants = try json.list("variants", Variant.init)
        actionResults = try json.list("action_results", ActionResult.init)
        calls = try json.list("calls", Call.init)
        guard form == .text else { return }
        if json["variants"] == nil { variants = [] }
        if json["action_results"] == nil, variants != nil { actionResults = [] }
    }

    /// The definitions in the order and spelling of `get_abi`. A list that the raw form lacks is
    /// null.
    package var json: JSONValue { json(for: .text) }

    func json(for form: Form) -> JSONValue {
        var members: [JSONMember] = [
            JSONMember("version", .string(version)), JSONMember("types", list(aliases)),
            JSONMember("structs", list(structs)),
            JSONMember("actions", .array(actions.map { $0.json(for: form) })),
            JSONMember("tables", .array(tables.map { $0.json(for: form) })),
            JSONMember("ricardian_clauses", .array(clauses.map { $0.json(for: form) })),
            JSONMember("error_messages", .array(errorMessages.map { $0.json(for: form) })),
            JSONMember("abi_extensions", .array(extensions.map { form == .text ? $0.pair : $0.json })),
        ]
        if variants != nil || form == .text { members.append(JSONMember("variants", variants.map(list) ?? .null)) }
        if actionResults != nil || form == .text {
            members.append(JSONMember("action_results", actionResults.map(list) ?? .null))
        }
        if let calls { members.append(JSONMember("calls", list(calls))) }
        return .object(members)
    }

    private func list(_ definitions: [some JSONDefinition]) -> JSONValue { .array(definitions.map(\.json)) }
}

/// An entry of one of the lists of an ABI.
private protocol JSONDefinition {
    init(_ json: JSONValue) throws(ABIError)
    var json: JSONValue { get }
}

extension ABIDefinition.Alias: JSONDefinition {
    init(_ json: JSONValue) throws(ABIError) {
        self.init(name: try json.text("new_type_name"), type: try json.text("type"))
    }
    var json: JSONValue { ["new_type_name": .string(name), "type": .string(type)] }
}

extension ABIDefinition.Field: JSONDefinition {
    init(_ json: JSONValue) throws(ABIError) { self.init(name: try json.text("name"), type: try json.text("type")) }
    var json: JSONValue { ["name": .string(name), "type": .string(type)] }
}

extension ABIDefinition.Struct: JSONDefinition {
    init(_ json: JSONValue) throws(ABIError) {
        self.init(
            name: try json.text("name"), base: try json.text("base"),
            fields: try json.list("fields", ABIDefinition.Field.init) ?? [])
    }
    var json: JSONValue { ["name": .string(name), "base": .string(base), "fields": .array(fields.map(\.json))] }
}

extension ABIDefinition.Action {
    fileprivate init(_ json: JSONValue, of form: ABIDefinition.Form) throws(ABIError) {
        self.init(
            name: try json.name("name"), type: try json.text("type"),
            ricardianContract: try json.prose("ricardian_contract", of: form))
    }
    fileprivate func json(for form: ABIDefinition.Form) -> JSONValue {
        ["name": .string(name.text), "type": .string(type), "ricardian_contract": ricardianContract.json(for: form)]
    }
}

extension ABIDefinition.Table {
    fileprivate init(_ json: JSONValue, of form: ABIDefinition.Form) throws(ABIError) {
        self.init(
            name: try json.name("name"), indexType: try json.prose("index_type", of: form),
            keyNames: try json.proseList("key_names", of: form), keyTypes: try json.proseList("key_types", of: form),
            type: try json.text("type"))
    }
    fileprivate func json(for form: ABIDefinition.Form) -> JSONValue {
        [
            "name": .string(name.text), "index_type": indexType.json(for: form),
            "key_names": .array(keyNames.map { $0.json(for: form) }),
            "key_types": .array(keyTypes.map { $0.json(for: form) }), "type": .string(type),
        ]
    }
}

extension ABIDefinition.Clause {
    fileprivate init(_ json: JSONValue, of form: ABIDefinition.Form) throws(ABIError) {
        self.init(id: try json.prose("id", of: form), body: try json.prose("body", of: form))
    }
    fileprivate func json(for form: ABIDefinition.Form) -> JSONValue {
        ["id": id.json(for: form), "body": body.json(for: form)]
    }
}

extension ABIDefinition.ErrorMessage {
    fileprivate init(_ json: JSONValue, of form: ABIDefinition.Form) throws(ABIError) {
        self.init(code: try json.integer("error_code", type: "uint64"), text: try json.prose("error_msg", of: form))
    }
    fileprivate func json(for form: ABIDefinition.Form) -> JSONValue {
        ["error_code": .integer(code), "error_msg": text.json(for: form)]
    }
}

extension ABIDefinition.Extension: JSONDefinition {
    /// Accepts `{"tag", "value"}` and the pair that nodeos prints.
    init(_ json: JSONValue) throws(ABIError) {
        var json = json
        if let pair = json.array, pair.count == 2 { json = ["tag": pair[0], "value": pair[1]] }
        self.init(tag: try json.integer("tag", type: "uint16"), value: try json.text("value", limit: .max))
    }
    var json: JSONValue { ["tag": .integer(UInt64(tag)), "value": .string(value)] }
    var pair: JSONValue { .array([.integer(UInt64(tag)), .string(value)]) }
}

extension ABIDefinition.Variant: JSONDefinition {
    init(_ json: JSONValue) throws(ABIError) { self.init(name: try json.text("name"), types: try json.texts("types")) }
    var json: JSONValue { ["name": .string(name), "types": .array(types.map { .string($0) })] }
}

extension ABIDefinition.ActionResult: JSONDefinition {
    init(_ json: JSONValue) throws(ABIError) {
        self.init(name: try json.name("name"), type: try json.text("result_type"))
    }
    var json: JSONValue { ["name": .string(name.text), "result_type": .string(type)] }
}

extension ABIDefinition.Call: JSONDefinition {
    init(_ json: JSONValue) throws(ABIError) {
        self.init(
            name: try json.text("name"), type: try json.text("type"), id: try json.integer("id", type: "uint64"),
            resultType: try json.text("result_type"))
    }
    var json: JSONValue {
        ["name": .string(name), "type": .string(type), "id": .integer(id), "result_type": .string(resultType)]
    }
}
