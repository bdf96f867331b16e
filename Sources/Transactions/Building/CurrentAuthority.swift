import ABICodec
import Codecs
import JSON

/// A permission of an account as a node reported it: what `updateauth` replaces.
package struct CurrentAuthority: Sendable {
    package let parent: Name
    package let authority: Authority

    /// Reads a node's answer to get_account, as cleos prints it with `-j`. Only the permission's
    /// members are read.
    /// - Returns: nil if the account does not have the permission.
    package static func find(
        _ permission: Name, of account: Name, in answer: [UInt8]
    ) throws(BuildError) -> CurrentAuthority? {
        let members = try JSONMembers.parsed(answer)
        let (stated, permissions) = try members.building { members throws(TransactionError) in
            (
                try members.required("account_name") { value throws(ABIError) in try value.expectText() },
                try members.required("permissions") { value throws(ABIError) in
                    try value.expectList { element throws(ABIError) in
                        (try element.member("perm_name").expectText(), element)
                    }
                }
            )
        }
        guard stated == account.text else { throw .account(.otherAccount(stated: stated)) }
        guard let found = permissions.first(where: { $0.0 == permission.text }) else { return nil }
        let (parent, required) = try converting(BuildError.value, Self.parts(of: found.1))
        return CurrentAuthority(parent: parent, authority: try AuthorityText(json: required).authority(LabelledKeys()))
    }

    /// nodeos refuses to change the parent of an existing permission.
    package func expectParent(_ new: Name) throws(BuildError) {
        guard parent == new else { throw .account(.otherParent(parent)) }
    }

    private static func parts(of permission: JSONValue) throws(ABIError) -> (parent: Name, authority: JSONValue) {
        (try Name(permission.member("parent").expectText()), try permission.member("required_auth"))
    }
}
