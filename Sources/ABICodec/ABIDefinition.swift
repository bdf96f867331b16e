import JSON

/// The lists of an ABI as its JSON file states them, before they are compiled into an `ABI`.
struct ABIDefinition {
    struct Alias {
        let name: String
        let type: String
    }

    struct Field {
        let name: String
        let type: String
    }

    struct Struct {
        let name: String
        /// Empty for none.
        let base: String
        let fields: [Field]
    }

    struct Variant {
        let name: String
        let types: [String]
    }

    /// An action, a table or an action's result: a chain name and a type.
    struct Entry {
        let name: Name
        let type: String
    }

    let aliases: [Alias]
    let structs: [Struct]
    let variants: [Variant]
    let actions: [Entry]
    let tables: [Entry]
    let actionResults: [Entry]

    /// Members it does not know are let pass, as nodeos does; lists left out or null are empty, as cleos takes them.
    init(_ json: JSONValue) throws(ABIError) {
        guard case .object = json else { throw ABIError(.expected(.object, found: json.kind)) }
        let version = try json.text("version")
        // 1.3 adds bitset and T[N]; a definition that uses them fails by their names.
        guard ["eosio::abi/1.0", "eosio::abi/1.1", "eosio::abi/1.2", "eosio::abi/1.3"].contains(version) else {
            throw ABIError(.unsupportedVersion(version)).inside(.field("version"))
        }
        aliases = try json.list("types") { json throws(ABIError) in
            Alias(name: try json.text("new_type_name"), type: try json.text("type"))
        }
        structs = try json.list("structs") { json throws(ABIError) in
            let fields = try json.list("fields") { json throws(ABIError) in
                Field(name: try json.text("name"), type: try json.text("type"))
            }
            return Struct(name: try json.text("name"), base: try json.optionalText("base"), fields: fields)
        }
        variants = try json.list("variants") { json throws(ABIError) in
            let types = try json.list("types") { json throws(ABIError) in
                guard let type = json.string else { throw ABIError(.expected(.text, found: json.kind)) }
                guard type.utf8.count <= Layout.definitionLengthLimit else {
                    throw ABIError(.definitionTooLong(limit: Layout.definitionLengthLimit))
                }
                return type
            }
            return Variant(name: try json.text("name"), types: types)
        }
        actions = try json.list("actions") { json throws(ABIError) in try Entry(json, type: "type") }
        tables = try json.list("tables") { json throws(ABIError) in try Entry(json, type: "type") }
        actionResults = try json.list("action_results") { json throws(ABIError) in try Entry(json, type: "result_type") }
    }
}

extension ABIDefinition.Entry {
    init(_ json: JSONValue, type: String) throws(ABIError) {
        let text = try json.text("name")
        do { name = try Name(text) } catch { throw error.inside(.field("name")) }
        self.type = try json.text(type)
    }
}

extension JSONValue {
    /// The text at a key of an object that must have it.
    fileprivate func text(_ key: String) throws(ABIError) -> String {
        guard case .object = self else { throw ABIError(.expected(.object, found: kind)) }
        guard let member = self[key] else { throw ABIError(.missingField(key)) }
        guard let text = member.string else { throw ABIError(.expected(.text, found: member.kind)).inside(.field(key)) }
        guard text.utf8.count <= Layout.definitionLengthLimit else {
            throw ABIError(.definitionTooLong(limit: Layout.definitionLengthLimit)).inside(.field(key))
        }
        return text
    }

    /// The text at a key; empty when it is left out or null.
    fileprivate func optionalText(_ key: String) throws(ABIError) -> String {
        guard let member = self[key], !member.isNull else { return "" }
        return try text(key)
    }

    /// The list at a key, read element by element; empty when it is left out or null.
    fileprivate func list<Element>(
        _ key: String, _ read: (JSONValue) throws(ABIError) -> Element
    ) throws(ABIError) -> [Element] {
        guard let member = self[key], !member.isNull else { return [] }
        guard let array = member.array else { throw ABIError(.expected(.array, found: member.kind)).inside(.field(key)) }
        guard array.count <= Layout.definitionLimit else {
            throw ABIError(.tooManyDefinitions(limit: Layout.definitionLimit)).inside(.field(key))
        }
        var elements: [Element] = []
        for (index, json) in array.enumerated() {
            do { elements.append(try read(json)) } catch { throw error.inside(.element(index)).inside(.field(key)) }
        }
        return elements
    }
}
