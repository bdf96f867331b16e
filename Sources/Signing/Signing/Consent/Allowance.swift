import ABICodec
import Policy

/// A danger that a script accepts in advance: `CODE=SUBJECT`.
///
/// Each danger concerns an account or an action, so an allowance specifies it: a script that may
/// change the owner of one account never accepts the change of another.
package struct Allowance: Hashable, Sendable {
    private let danger: Danger

    package enum ParseError: Error, Equatable {
        case unknownCode(known: [String])
        /// The code does not belong to a danger, so nothing needs to be allowed.
        case noDanger(WarningCode)
        /// The code needs an account, or an action for `blind`.
        case noSubject(WarningCode)
    }

    package init(_ text: String) throws(ParseError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        let dangers = WarningCode.allCases.filter { $0.severities.contains(.danger) }
        guard let code = WarningCode(rawValue: parts[0]) else {
            throw .unknownCode(known: dangers.map(\.rawValue))
        }
        guard dangers.contains(code) else { throw .noDanger(code) }
        guard parts.count == 2, !parts[1].isEmpty else { throw .noSubject(code) }
        let isSubject = code == .blind ? ActionPattern(parts[1]) != nil : (try? Name(parts[1])) != nil
        guard isSubject else { throw .noSubject(code) }
        danger = Danger(code: code, subject: parts[1])
    }

    /// The allowance that `--blind ACCOUNT::ACTION` includes.
    package init(blind pattern: ActionPattern) {
        danger = Danger(code: .blind, subject: "\(pattern.account.text)::\(pattern.action.text)")
    }

    func accepts(_ danger: Danger) -> Bool { self.danger == danger }
}
