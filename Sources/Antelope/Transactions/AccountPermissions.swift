import ABICodec
import Codecs
import JSON

/// The permissions of an account, as a node reported them: the answer to get_account, which cleos
/// prints with `-j`.
package struct AccountPermissions: Sendable {
    /// The account's name, as the answer states it.
    package let account: String
    private let permissions: [String: JSONValue]

    /// Only the account's name and its permissions are read.
    package init(_ answer: [UInt8]) throws(BuildError) {
        let members = try JSONMembers.parsed(answer)
        let list: [(String, JSONValue)]
        (account, list) = try members.building { members throws(TransactionError) in
            (
                try members.required("account_name") { value throws(ABIError) in try value.expectText() },
                try members.required("permissions") { value throws(ABIError) in
                    try value.expectList { element throws(ABIError) in
                        (try element.member("perm_name").expectText(), element)
                    }
                }
            )
        }
        var permissions: [String: JSONValue] = [:]
        for (name, permission) in list {
            guard permissions.updateValue(permission, forKey: name) == nil else {
                throw .account(.permissionTwice(name))
            }
        }
        self.permissions = permissions
    }

    /// - Returns: nil if the account does not have the permission.
    package func find(_ permission: Name) throws(BuildError) -> CurrentAuthority? {
        guard let found = permissions[permission.text] else { return nil }
        let (parent, required) = try converting(BuildError.value, Self.parts(of: found))
        return CurrentAuthority(parent: parent, authority: try AuthorityText.reported(required))
    }

    /// All permissions: owner, active, then the others by their names.
    package func authorities() throws(BuildError) -> [(level: PermissionLevel, authority: Authority)] {
        let actor = try converting(BuildError.value, Name(account))
        let known = [PermissionLevel.owner, PermissionLevel.active]
        let names =
            known.filter { permissions[$0] != nil } + permissions.keys.filter { !known.contains($0) }.sorted()
        return try names.map { text throws(BuildError) in
            let name = try converting(BuildError.value, Name(text))
            let authority = try find(name)?.authority
            return authority.map { (PermissionLevel(actor: actor, permission: name), $0) }
        }.compactMap(\.self)
    }

    private static func parts(of permission: JSONValue) throws(ABIError) -> (
        parent: Name, authority: JSONValue
    ) {
        (try Name(permission.member("parent").expectText()), try permission.member("required_auth"))
    }
}
