import ABICodec
import Codecs
import Transactions

/// A transaction in the data of an action, decoded like the outer one. It is a class because few of
/// many actions have one.
package final class NestedTransaction: Sendable {
    /// How the outer action refers to the transaction.
    package enum Role: String, Sendable {
        /// `propose`: can run later if it is approved.
        case proposed
        /// `exec` of eosio.wrap: runs with the outer action.
        case wrapped
        /// `approve`: the proposal in a file, whose hash the action states.
        case approved
        /// `exec` of eosio.msig: the proposal in a file, which the action does not bind.
        case stated
    }

    package let role: Role
    /// The bytes as the contract stores them, and the transaction in them.
    package let transaction: SignedTransaction
    package let contextFreeActions: [ReviewedAction]
    package let actions: [ReviewedAction]

    init(
        role: Role, transaction: SignedTransaction, contextFreeActions: [ReviewedAction],
        actions: [ReviewedAction]
    ) {
        (self.role, self.transaction) = (role, transaction)
        (self.contextFreeActions, self.actions) = (contextFreeActions, actions)
    }

    /// SHA-256 of the stored bytes: the transaction id, and the `proposal_hash` of eosio.msig.
    package var hash: [UInt8] { transaction.idBytes }
}

extension NestedTransaction {
    /// The deepest level of nested transactions that is decoded.
    package static let depthLimit = 8

    /// The bytes of the transaction at the end of an action's data, and its role; nil for an action
    /// that contains none.
    ///
    /// The interfaces of eosio.msig and eosio.wrap count at any account: `propose` with name, name,
    /// list of permission levels, transaction; `exec` with name, transaction.
    static func bytes(in action: Action, _ value: TypedValue) -> (role: Role, bytes: [UInt8])? {
        guard action.name == .propose || action.name == .exec, case .fields(let fields) = value,
            let last = fields.last?.value, last.isTransaction
        else { return nil }
        let first = fields.dropLast().map(\.value)
        if action.name == .propose {
            guard first.count == 3, first[0].name != nil, first[1].name != nil, let requested = first[2].list,
                requested.allSatisfy(\.isPermissionLevel)
            else { return nil }
            return action.dataAfter(names: 2, permissionLevels: true).map { (.proposed, $0) }
        }
        guard first.count == 1, first[0].name != nil else { return nil }
        return action.dataAfter(names: 1, permissionLevels: false).map { (.wrapped, $0) }
    }
}

extension TypedValue {
    /// A struct with the same fields as a transaction, whatever their names are: expiration, five
    /// numbers, and the lists of context-free actions, actions and extensions.
    package var isTransaction: Bool {
        guard let fields, fields.count == 9 else { return false }
        return fields.prefix(6).allSatisfy { $0.value.plain != nil }
            && fields.suffix(3).allSatisfy { $0.value.list != nil }
    }

    /// The proposer and the name of a proposal: the first two fields of `propose`, `approve` and
    /// `exec` of eosio.msig, whatever their names are.
    var proposal: (proposer: Name, name: Name)? {
        guard let fields, fields.count > 2, let proposer = fields[0].value.name,
            let name = fields[1].value.name
        else {
            return nil
        }
        return (proposer, name)
    }

    /// The account and the permission of a permission level; nil for any other value.
    package var level: PermissionLevel? {
        guard let fields, fields.count == 2, let actor = self["actor"]?.name,
            let permission = self["permission"]?.name
        else { return nil }
        return PermissionLevel(actor: actor, permission: permission)
    }

    /// True if the value has the form of a permission level, whatever the names of its fields are.
    var isPermissionLevel: Bool {
        fields.map { $0.count == 2 && $0.allSatisfy { $0.value.name != nil } } ?? false
    }
}
