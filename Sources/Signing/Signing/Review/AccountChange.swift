import ABICodec
import Transactions

/// A change or another effect of an action on an account, other than moving tokens.
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
        case effect(ActionEffect)

        /// The kind of the change, for programs.
        package var code: String {
            switch self {
            case .created: "new-account"
            case .permissionReplaced: "change-permission"
            case .permissionDeleted: "delete-permission"
            case .linked: "link"
            case .unlinked: "unlink"
            case .codeReplaced: "replace-code"
            case .codeRemoved: "remove-code"
            case .abiReplaced: "replace-abi"
            case .privilegesChanged: "change-privileges"
            case .effect(let effect): effect.kind.rawValue
            }
        }
    }

    package let account: Name
    package let kind: Kind
    /// The number of bytes of RAM; nil for a change without a number.
    package let amount: Int64?

    init(account: Name, kind: Kind, amount: Int64? = nil) {
        (self.account, self.kind, self.amount) = (account, kind, amount)
    }

    /// The changes that an action of a built-in contract makes.
    static func all(in action: Action, _ value: TypedValue) -> [AccountChange] {
        if let effect = ActionEffect.change(of: action, value) { return [effect] }
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
            guard let contract = value["code"]?.name, let permission = value["requirement"]?.name else {
                return []
            }
            return change(.linked(contract: contract, action: type, permission: permission))
        case "unlinkauth":
            return value["code"]?.name.map { change(.unlinked(contract: $0, action: type)) } ?? []
        case "setcode":
            guard let code = value["code"]?.bytes else { return [] }
            return change(code.isEmpty ? .codeRemoved : .codeReplaced(size: code.count))
        case "setabi": return change(.abiReplaced)
        case "setpriv": return change(.privilegesChanged)
        default: return []
        }
    }
}
