import ABICodec
import Codecs
import JSON
import Keys
import Transactions

extension RequestData {
    /// The request as EEP-7 writes it in JSON, action data in hex.
    package var json: JSONValue {
        [
            "chain_id": chain.json, "req": content.json, "flags": .number(flags.rawValue),
            "callback": .string(callback),
            "info": .array(info.map { ["key": .string($0.key), "value": .string(Hex.encode($0.value))] }),
        ]
    }
}

extension RequestedChain {
    /// `["chain_alias", 1]` or `["chain_id", "hex"]`
    package var json: JSONValue {
        switch self {
        case .any: .array([.string("chain_alias"), .number(0)])
        case .alias(let alias): .array([.string("chain_alias"), .number(alias.number)])
        case .id(let id): .array([.string("chain_id"), .string(id.text)])
        }
    }
}

extension RequestContent {
    /// The name of the type, and the value.
    fileprivate var json: JSONValue {
        switch self {
        case .action(let action): .array([.string("action"), action.json])
        case .actions(let actions): .array([.string("action[]"), .array(actions.map(\.json))])
        case .transaction(let transaction): .array([.string("transaction"), transaction.json])
        case .identity(let identity): .array([.string("identity"), identity.json])
        }
    }
}

extension RequestedIdentity {
    fileprivate var json: JSONValue {
        var members = scope.map { [JSONMember("scope", .string($0.text))] } ?? []
        if let permission { members.append(JSONMember("permission", permission.json)) }
        return .object(members)
    }
}
