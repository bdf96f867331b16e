import ABICodec
import JSON
import Keys
import Policy
import Transactions

/// A fact to know before signing. Its severity decides what it needs: a note and a warning are
/// shown; a danger needs a typed word, or an option that allows it.
///
/// Each warning has one function that makes it, such as `expired(secondsAgo:in:)`, next to the code
/// that finds it. Its code is a row of `WarningCode`. Text, JSON, options and policies read this
/// value.
package struct Warning: Sendable {
    /// The subject of a warning.
    package enum Subject: Equatable, Sendable {
        /// The header of the transaction, or its chain.
        case transaction
        /// The ABI that decodes the actions of an account.
        case abi(Name)
        /// The header of the transaction that an action contains or refers to.
        case nested(ActionReference)
        /// A signature of the file, counted from 0.
        case signature(Int)
        /// - Parameter account: the account that the warning concerns, if any.
        case action(ActionReference, account: Name?)
        /// A permission that an action uses or changes.
        case permission(ActionReference, PermissionLevel)

        package static func action(_ action: ActionReference) -> Subject { .action(action, account: nil) }
    }

    package let code: WarningCode
    package let severity: Severity
    package let subject: Subject
    // A batch finds more warnings than it shows, so both are made when they are read.
    private let makeValues: @Sendable () -> [JSONValue]
    private let makeText: @Sendable () -> String

    /// - Parameters:
    ///   - values: One for each field of the code; null for an absent field.
    ///   - isDanger: True if a warning is a danger whose code has both severities.
    ///   - text: One sentence for the person who is about to sign, without the place of the action.
    init(
        _ code: WarningCode, _ subject: Subject,
        _ values: @autoclosure @escaping @Sendable () -> [JSONValue] = [],
        isDanger: Bool = false, text: @autoclosure @escaping @Sendable () -> String
    ) {
        (self.code, self.subject) = (code, subject)
        severity = isDanger ? .danger : code.severities.first ?? .warning
        (makeValues, makeText) = (values, text)
    }

    package var text: String { makeText() }

    /// The named values, for programs. `list` and `index` are the place in the transaction's JSON.
    package var fields: JSONValue {
        let own = zip(code.fields, makeValues()).compactMap { $1.isNull ? nil : JSONMember($0.name, $1) }
        return subject.fields.adding(.object(own))
    }
}

extension Warning: Equatable {
    /// The code and the text contain all values.
    package static func == (left: Warning, right: Warning) -> Bool {
        (left.code, left.severity, left.subject, left.text) == (
            right.code, right.severity, right.subject, right.text
        )
    }
}

extension Warning {
    /// The action that the warning is about; nil if it is about the whole transaction.
    package var action: ActionReference? {
        switch subject {
        case .nested(let action), .action(let action, _), .permission(let action, _): action
        case .transaction, .abi, .signature: nil
        }
    }

    /// The account that the warning concerns; nil if it concerns none.
    package var account: Name? {
        switch subject {
        case .abi(let account): account
        case .action(_, let account): account
        case .permission(_, let level): level.actor
        case .transaction, .nested, .signature: nil
        }
    }
}

extension Warning.Subject {
    fileprivate var fields: JSONValue {
        switch self {
        case .transaction: [:]
        case .abi(let account): ["account": .string(account.text)]
        case .signature(let index): ["list": .string("signatures"), "index": .number(index)]
        case .nested(let action), .action(let action, _): action.fields
        case .permission(let action, let level): action.fields.adding(["permission": .string(level.text)])
        }
    }

    /// The transaction whose header the warning is about, as the subject of a sentence.
    var transactionText: String {
        if case .nested = self { "the inner transaction" } else { "the transaction" }
    }
}

/// The action that a warning is about.
package struct ActionReference: Equatable, Sendable {
    package let place: ActionPlace
    /// The positions of the actions that contain the action's transaction, the outermost first.
    package let outer: [ActionPlace]
    package let account: Name
    package let name: Name

    /// `ACCOUNT::ACTION`
    package var text: String { "\(account.text)::\(name.text)" }

    package init(_ action: Action, _ place: ActionPlace, outer: [ActionPlace] = []) {
        self.place = place
        self.outer = outer
        account = action.account
        name = action.name
    }

    /// For example `actions[0].inner.actions[2]`.
    package var path: String { (outer + [place]).map(\.path).joined(separator: ".inner.") }

    fileprivate var fields: JSONValue {
        let first = outer.first ?? place
        let members: JSONValue = [
            "account": .string(account.text), "name": .string(name.text),
            "list": .string(first.list), "index": .number(first.index),
        ]
        return outer.isEmpty ? members : members.adding(["path": .string(path)])
    }
}
