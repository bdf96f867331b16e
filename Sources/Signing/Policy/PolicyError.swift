import JSON
import Keys
import Transactions

/// Why a text is not a policy, and where.
package struct PolicyError: Error, Equatable {
    package enum Reason: Equatable, Sendable {
        /// The text is not JSON, or has a member twice.
        case json(JSONError.Reason)
        /// JSON has no comments.
        case comment
        /// The text, or its canonical form, has more bytes than the limit.
        case tooLong(limit: Int)
        /// A list has more elements than the limit.
        case tooMany(limit: Int)
        /// `version` is another number than 1.
        case version(String)
        case expected(JSONKind, found: JSONKind)
        case missingMember(String)
        case unknownMember(String, known: [String])
        /// A member that needs another one.
        case needs(String, with: String)
        /// Of these members, exactly one is required.
        case exactlyOne([String])
        case value(PolicyValueFault)
    }

    package let reason: Reason
    package let place: TextPlace
}

/// Why a value of a policy is refused.
package enum PolicyValueFault: Equatable, Sendable {
    /// A list or an object without elements.
    case empty
    /// A list has the value twice, or two parts have the same name.
    case duplicate(String)
    /// A value of a template that the user must replace.
    case placeholder(String)
    /// The value is none of these texts.
    case notOneOf([String])
    /// Not an integer in this range.
    case integer(ClosedRange<UInt32>)
    /// Neither a string nor an integer nor a boolean.
    case scalar
    /// Not 1 to 64 printable characters.
    case label
    /// Not a name of an account, an action or a permission.
    case name
    case chain(ChainError)
    /// Not `ACTOR@PERMISSION`.
    case authorization
    /// Not `PRECISION,CODE@CONTRACT`.
    case token
    /// Not `AMOUNT CODE@CONTRACT`, or negative.
    case amount
    /// Neither an integer of 128 bits nor an amount with its symbol.
    case bound
    /// No value is at least `min` and at most `max`.
    case emptyRange
    /// Not a JSON pointer (RFC 6901), or with more parts than the limit.
    case pointer
    /// Not a pattern. The offset is in characters.
    case pattern(PatternFault, offset: Int)
    /// Not `DAY HH:MM-HH:MM` or `DAY-DAY HH:MM-HH:MM`.
    case hours
    /// The end of hours is not after their start: hours past midnight are two entries.
    case hoursOrder
    case key(KeyTextError)
    /// Neither a time in UTC, such as `2026-12-01T09:30:00Z`, nor seconds since 1970.
    case time
    /// A transaction that is neither an object nor a string.
    case transaction
}

package enum PatternFault: Equatable, Sendable {
    case tooLong(limit: Int)
    /// A backslash at the end.
    case escape
    /// A `[` without `]`.
    case open
    /// A `]` without `[`.
    case close
    /// A class without characters.
    case emptyClass
    /// A range whose first character is after its last one.
    case range
}

/// A refusal before its place is computed.
struct PolicyFault: Error {
    let reason: PolicyError.Reason
    let offset: Int

    func place(in text: [UInt8]) -> TextPlace { TextPlace.all(of: [offset], in: text)[0] }
}
