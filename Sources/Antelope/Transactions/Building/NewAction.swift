import ABICodec

/// An action that a user describes by its values. Encoding its data needs the contract's ABI.
package struct NewAction: Sendable {
    package let account: Name
    package let name: Name
    /// The permissions that authorize the action, unless the user gives others.
    private(set) var authorization: [PermissionLevel]
    /// The text of the data as JSON.
    let data: [UInt8]

    package init(account: Name, name: Name, authorization: [PermissionLevel], json: [UInt8]) {
        self.account = account
        self.name = name
        self.authorization = authorization
        data = json
    }

    /// The same action, authorized by `levels`, unless there are none.
    package func authorized(by levels: [PermissionLevel]) -> NewAction {
        guard !levels.isEmpty else { return self }
        var action = self
        action.authorization = levels
        return action
    }
}
