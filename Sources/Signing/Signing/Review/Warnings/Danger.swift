import ABICodec
import Policy

/// A danger that a person confirms, or an option allows.
package struct Danger: Hashable, Sendable {
    package let code: WarningCode
    /// The account, or `ACCOUNT::ACTION` of an action that is signed as bytes. A person types it to
    /// confirm, and `--allow CODE=SUBJECT` specifies it.
    package let subject: String

    package init(code: WarningCode, subject: String) {
        self.code = code
        self.subject = subject
    }

    /// - Returns: nil for a warning that is not a danger.
    package init?(_ warning: Warning) {
        guard warning.severity == .danger else { return nil }
        code = warning.code
        // The empty name has no letters to type.
        let account = warning.account?.text ?? ""
        subject = account.isEmpty ? warning.action?.text ?? code.rawValue : account
    }
}
