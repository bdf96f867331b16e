import ABICodec
import Codecs
import JSON

extension Action {
    /// The actions of a list in a transaction's JSON.
    static func list(
        _ members: JSONMembers, _ name: String, required: Bool, abis: ContractABIs
    ) throws(TransactionError) -> [Action] {
        guard let value = members[name] else {
            guard required else { return [] }
            throw .value(ABIError(.missingField(name)))
        }
        guard let elements = value.array else {
            throw .value(ABIError(.expected(.array, found: value.kind)).inside(.field(name)))
        }
        var actions: [Action] = []
        for (index, element) in elements.enumerated() {
            do {
                actions.append(try Action(json: element, abis: abis))
            } catch let error {
                throw error.inside(field: name, element: index)
            }
        }
        return actions
    }

    /// `data` is JSON, to be packed by the contract's ABI, or hex. `hex_data` stands beside it where cleos unpacked the data
    /// (`--unpack-data`); then both must say the same.
    private init(json: JSONValue, abis: ContractABIs) throws(TransactionError) {
        let members = try JSONMembers(json, allowing: ["account", "name", "authorization", "data", "hex_data"])
        let account = try members.required("account") { value throws(ABIError) in try Name(value.expectText()) }
        let name = try members.required("name") { value throws(ABIError) in try Name(value.expectText()) }
        let authorization = try members.required("authorization") { value throws(ABIError) in
            try value.expectList { element throws(ABIError) in try PermissionLevel(json: element) }
        }
        let given = try members.optional("hex_data", nil) { value throws(ABIError) in try value.hexBytes() }
        let data: [UInt8]
        switch members["data"] {
        case nil:
            guard let given else { throw .value(ABIError(.missingField("data"))) }
            data = given
        case .string: data = try members.required("data") { value throws(ABIError) in try value.hexBytes() }
        case .some(let value): data = try abis.encode(value, account: account, action: name)
        }
        guard given == nil || given == data else { throw .dataDisagrees(path: "data") }
        self.init(account: account, name: name, authorization: authorization, data: data)
    }
}

extension PermissionLevel {
    fileprivate init(json: JSONValue) throws(ABIError) {
        let members = try JSONMembers(fields: json, allowing: ["actor", "permission"])
        func name(_ field: String) throws(ABIError) -> Name {
            let value = try members.value(field)
            do { return try Name(value.expectText()) } catch { throw error.inside(.field(field)) }
        }
        self.init(actor: try name("actor"), permission: try name("permission"))
    }
}

extension TransactionError {
    /// The same error, seen from the list that the action stands in.
    fileprivate func inside(field: String, element: Int) -> TransactionError {
        let prefix = "\(field)[\(element)]"
        return switch self {
        case .value(let error): .value(error.inside(.element(element)).inside(.field(field)))
        case .noABI(let path, let account): .noABI(path: "\(prefix).\(path)", account: account)
        case .unknownAction(let path, let account, let action):
            .unknownAction(path: "\(prefix).\(path)", account: account, action: action)
        case .actionNotBuiltIn(let path, let account, let action):
            .actionNotBuiltIn(path: "\(prefix).\(path)", account: account, action: action)
        case .dataDisagrees(let path): .dataDisagrees(path: "\(prefix).\(path)")
        default: self
        }
    }
}
