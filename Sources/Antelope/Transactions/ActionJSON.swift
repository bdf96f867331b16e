import ABICodec
import JSON

/// The actions in one list of a transaction's JSON.
struct ActionList {
    var actions: [Action] = []
    /// The indices of actions whose decoded data could not be compared with their bytes.
    var unchecked: [Int] = []

    init(
        _ members: JSONMembers, _ name: String, required: Bool, abis: ContractABIs
    ) throws(TransactionError) {
        guard let text = members.text(name) else {
            guard required else { return }
            throw .value(ABIError(.missingField(name)))
        }
        let elements: [(key: String, text: [UInt8])]
        do { elements = try JSONMembers.parts(of: text, .array, as: .array) } catch {
            throw error.inside([.field(name)])
        }
        for (index, element) in elements.enumerated() {
            do {
                let action = try ActionJSON(element.text, abis: abis)
                actions.append(action.action)
                if !action.isChecked { unchecked.append(index) }
            } catch let error {
                throw error.inside([.field(name), .element(index)])
            }
        }
    }
}

/// An action as tools write it: with data in hex, decoded data, or both.
struct ActionJSON {
    let action: Action
    /// False if decoded data is next to hex and no known ABI can encode it, so that they could not
    /// be compared.
    let isChecked: Bool

    /// `data` is hex or decoded, `hex_data` is hex, `json_data` is decoded. If there are several of
    /// them, they must agree. Decoded data that no known ABI can pack is allowed next to hex; then
    /// the hex is used.
    init(_ text: [UInt8], abis: ContractABIs) throws(TransactionError) {
        let members = try JSONMembers(text)
        try members.expectOnly(["account", "name", "authorization", "data", "hex_data", "json_data"])
        let account = try members.required("account") { value throws(ABIError) in try Name(value.expectText())
        }
        let name = try members.required("name") { value throws(ABIError) in try Name(value.expectText()) }
        let authorization = try members.required("authorization") { value throws(ABIError) in
            try value.expectList { element throws(ABIError) in try PermissionLevel(json: element) }
        }
        let hex = try Self.hex(members)
        var data = hex
        var isChecked = true
        for field in ["data", "json_data"] {
            guard let text = members.text(field), field != "data" || !Self.isString(text) else { continue }
            do {
                data = try abis.encode(text, account: account, action: name, field: field, expecting: data)
            } catch {
                guard hex != nil, error.isOfMissingABI else { throw error }
                isChecked = false
            }
        }
        guard let data else { throw .value(ABIError(.missingField("data"))) }
        action = Action(account: account, name: name, authorization: authorization, data: data)
        self.isChecked = isChecked
    }

    private static func isString(_ text: [UInt8]) -> Bool { text.first == UInt8(ascii: "\"") }

    /// The bytes of `hex_data`, and of `data` if it is text. Nil if there are neither.
    private static func hex(_ members: JSONMembers) throws(TransactionError) -> [UInt8]? {
        let given = try members.optional("hex_data", nil) { value throws(ABIError) in try value.hexBytes() }
        guard let text = members.text("data"), isString(text) else { return given }
        let data = try members.required("data") { value throws(ABIError) in try value.hexBytes() }
        guard given == nil || given == data else { throw .dataDisagrees(path: "data") }
        return data
    }
}

extension PermissionLevel {
    init(json: JSONValue) throws(ABIError) {
        try json.expectMembers(["actor", "permission"])
        func name(_ field: String) throws(ABIError) -> Name {
            let value = try json.member(field)
            do { return try Name(value.expectText()) } catch { throw error.inside(.field(field)) }
        }
        self.init(actor: try name("actor"), permission: try name("permission"))
    }
}

extension TransactionError {
    /// True if no known ABI can encode the action, whatever its data is.
    fileprivate var isOfMissingABI: Bool {
        switch self {
        case .noABI, .unknownAction, .actionNotBuiltIn, .abi: true
        default: false
        }
    }

    /// The same error with more outer steps in its path.
    func inside(_ steps: [ABIError.Step]) -> TransactionError {
        if case .value(let error) = self { return .value(steps.reversed().reduce(error) { $0.inside($1) }) }
        let prefix = ABIError.text(of: steps)
        return at { "\(prefix).\($0)" }
    }

    /// The same error with another path.
    func at(_ path: (String) -> String) -> TransactionError {
        switch self {
        case .noABI(let old, let account): .noABI(path: path(old), account: account)
        case .unknownAction(let old, let account, let action):
            .unknownAction(path: path(old), account: account, action: action)
        case .actionNotBuiltIn(let old, let account, let action):
            .actionNotBuiltIn(path: path(old), account: account, action: action)
        case .dataDisagrees(let old): .dataDisagrees(path: path(old))
        default: self
        }
    }
}
