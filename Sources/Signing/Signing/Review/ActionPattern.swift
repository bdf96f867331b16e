import ABICodec
import Policy
import Transactions

/// `ACCOUNT::ACTION`: an action that may be signed as bytes if it can't be decoded.
package struct ActionPattern: Hashable, Sendable {
    package let account: Name
    package let action: Name

    /// - Returns: nil for text in any other form.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].isEmpty, !parts[0].isEmpty, !parts[2].isEmpty else { return nil }
        guard let account = try? Name(parts[0]), let action = try? Name(parts[2]) else { return nil }
        self.account = account
        self.action = action
    }

    init(_ action: Action) { self.init(account: action.account, action: action.name) }

    init(_ key: KeyPolicy.ActionKey) { self.init(account: key.contract, action: key.action) }

    private init(account: Name, action: Name) { (self.account, self.action) = (account, action) }

    package var text: String { "\(account.text)::\(action.text)" }
}
