import ABICodec
import Codecs
import JSON

extension PermissionLevel {
    /// `ACCOUNT@PERMISSION`
    /// - Throws: `notAPermission`, and the errors of a name.
    package init(_ text: String) throws(BuildError) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { throw .account(.notAPermission) }
        let actor = try converting(BuildError.value, Name(parts[0]))
        self.init(actor: actor, permission: try converting(BuildError.value, Name(parts[1])))
    }

    /// `ACCOUNT@PERMISSION`, or the object of a node.
    init(jsonOrText value: JSONValue) throws(ABIError) {
        guard let text = value.string else {
            try self.init(json: value)
            return
        }
        do throws(BuildError) { try self.init(text) } catch {
            guard case .transaction(.value(let error)) = error else {
                throw ABIError(.expected(.permission, found: .string))
            }
            throw error
        }
    }

    /// `ACCOUNT@PERMISSION`, or `ACCOUNT` for its active permission, as cleos reads it.
    package init(activeByDefault text: String) throws(BuildError) {
        try self.init(text.contains("@") ? text : "\(text)@\(Self.active)")
    }

    /// The active permission of an account.
    package init(activeOf account: Name) throws(BuildError) {
        self.init(actor: account, permission: try converting(BuildError.value, Name(Self.active)))
    }

    static let active = "active"
    static let owner = "owner"
}

extension PermissionLevel: Comparable {
    /// The order of nodeos: by the 64-bit value of the account, then of the permission
    /// (AntelopeIO/spring, libraries/chain/include/eosio/chain/action.hpp).
    package static func < (left: PermissionLevel, right: PermissionLevel) -> Bool {
        (left.actor.rawValue, left.permission.rawValue) < (right.actor.rawValue, right.permission.rawValue)
    }
}
