import ABICodec
import Transactions

/// What an action changes for an account, other than its balance.
package struct AccountChange: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case created
        case permissionReplaced(Name)
        case permissionDeleted(Name)
        /// A permission may authorize actions of `contract`; nil for the action means all actions.
        case linked(contract: Name, action: Name?, permission: Name)
        case unlinked(contract: Name, action: Name?)
        case codeReplaced(size: Int)
        case codeRemoved
        case abiReplaced
        case privilegesChanged
    }

    package let account: Name
    package let kind: Kind

    /// The changes that an action of a system contract makes.
    static func all(in action: Action, _ value: TypedValue) -> [AccountChange] {
        guard SystemContract.has(action.account) else { return [] }
        func change(_ kind: Kind) -> [AccountChange] {
            value["account"]?.name.map { [AccountChange(account: $0, kind: kind)] } ?? []
        }
        let type = value["type"]?.name.flatMap { $0.rawValue == 0 ? nil : $0 }
        switch action.name.text {
        case "newaccount", "newaccount2":
            return value["name"]?.name.map { [AccountChange(account: $0, kind: .created)] } ?? []
        case "updateauth": return value["permission"]?.name.map { change(.permissionReplaced($0)) } ?? []
        case "deleteauth": return value["permission"]?.name.map { change(.permissionDeleted($0)) } ?? []
        case "linkauth":
            guard let contract = value["code"]?.name, let permission = value["requirement"]?.name else { return [] }
            return change(.linked(contract: contract, action: type, permission: permission))
        case "unlinkauth": return value["code"]?.name.map { change(.unlinked(contract: $0, action: type)) } ?? []
        case "setcode":
            guard let code = value["code"]?.bytes else { return [] }
            return change(code.isEmpty ? .codeRemoved : .codeReplaced(size: code.count))
        case "setabi": return change(.abiReplaced)
        case "setpriv": return change(.privilegesChanged)
        default: return []
        }
    }
}
