import ABICodec
import Codecs
import JSON

/// An action that a user describes by its values. Encoding its data needs the contract's ABI.
package struct NewAction: Sendable {
    package let account: Name
    package let name: Name
    /// The permissions that authorize the action, unless the user names others.
    private(set) var authorization: [PermissionLevel]
    /// The text of the data as JSON.
    let data: [UInt8]

    /// An action whose data is JSON that the user wrote.
    package init(
        account: Name, name: Name, authorization: [PermissionLevel], json: String
    ) {
        self.account = account
        self.name = name
        self.authorization = authorization
        data = Array(json.utf8)
    }

    /// An action of a contract whose account is a constant.
    init(_ account: String, _ name: String, by level: PermissionLevel, _ json: JSONValue) throws(BuildError) {
        try self.init(converting(BuildError.value, Name(account)), name, by: level, json)
    }

    init(_ account: Name, _ name: String, by level: PermissionLevel, _ json: JSONValue) throws(BuildError) {
        self.account = account
        self.name = try converting(BuildError.value, Name(name))
        authorization = [level]
        data = Array(json.text().utf8)
    }

    /// The same action, authorized by `levels`, unless there are none.
    package func authorized(by levels: [PermissionLevel]) -> NewAction {
        guard !levels.isEmpty else { return self }
        var action = self
        action.authorization = levels
        return action
    }
}

extension Name {
    var json: JSONValue { .string(text) }
}
