import ABICodec

/// A permission of an account as a node reported it, which `updateauth` replaces.
package struct CurrentAuthority: Sendable {
    package let parent: Name
    package let authority: Authority

    /// Reads a node's answer to get_account.
    /// - Returns: nil if the account does not have the permission.
    package static func find(
        _ permission: Name, of account: Name, in answer: [UInt8]
    ) throws(BuildError) -> CurrentAuthority? {
        let found = try AccountPermissions(answer)
        guard found.account == account.text else { throw .account(.otherAccount(stated: found.account)) }
        return try found.find(permission)
    }

    /// nodeos refuses to change the parent of an existing permission.
    package func expectParent(_ new: Name) throws(BuildError) {
        guard parent == new else { throw .account(.otherParent(parent)) }
    }
}
