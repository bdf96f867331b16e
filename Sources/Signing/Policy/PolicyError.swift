import JSON
import Keys
import Messages
import Transactions

/// Why a text is not a policy, and where.
package struct PolicyError: WordedError, Equatable {
    package enum Reason: Equatable, Sendable {
        /// The text is not JSON, or has a member twice.
        case json(JSONError.Reason)
        case comment
        /// The text, or its canonical form.
        case tooLong(limit: Int)
        case tooMany(limit: Int)
        case version(String)
        case expected(JSONKind, found: JSONKind)
        case missingMember(String)
        case unknownMember(String, known: [String])
        case needs(String, with: String)
        case exactlyOne([String])
        case value(PolicyValueFault)

        var text: String {
            switch self {
            case .json(let reason): reason.text
            case .comment: "a comment: JSON has no comments"
            case .tooLong(let limit): "the policy has more than \(limit) bytes"
            case .tooMany(let limit): "the list has more than \(limit) elements"
            case .version(let version):
                "`version` must be the number 1, and the file has `\(Printable.excerpt(version))`"
            case .expected(let kind, let found): "\(found.name), where \(kind.name) is required"
            case .missingMember(let name): "the member `\(name)` is missing"
            case .unknownMember(let name, let known):
                "unknown member `\(Printable.excerpt(name))`; the members here are "
                    + known.joined(separator: ", ")
            case .needs(let name, let other): "`\(name)` needs the member `\(other)`"
            case .exactlyOne(let names):
                "exactly one of \(names.map { "`\($0)`" }.joined(separator: " and ")) is required"
            case .value(let fault): fault.text
            }
        }

        /// Nil for the advice of the code.
        var hint: String? {
            switch self {
            case .json, .comment:
                "correct the file at this place; JSON has no comments and no trailing commas"
            case .tooLong, .tooMany:
                "write fewer or shorter rules, amounts and limits; `one_of` and `pattern` allow several values in one "
                    + "rule"
            case .version: "write `\"version\": 1`, or use the version of eosvault that reads this policy"
            case .expected, .missingMember, .unknownMember, .needs, .exactlyOne, .value: nil
            }
        }
    }

    package let reason: Reason
    package let place: TextPlace

    package var words: Words { Words(.invalidPolicy, reason.text, hint: reason.hint).at(place.text) }
}

/// Why a value of a policy is refused.
package struct PolicyValueFault: Equatable, Sendable {
    let text: String

    static let empty = Self(text: "the list or the object is empty")
    static func duplicate(_ text: String) -> Self { Self(text: "`\(Printable.excerpt(text))` occurs twice") }
    /// A value of a template.
    static func placeholder(_ text: String) -> Self {
        Self(text: "`\(text)` is an example value of the template: replace it with your own")
    }
    static func notOneOf(_ texts: [String]) -> Self {
        Self(text: "the value is not \(texts.map { "`\($0)`" }.joined(separator: " or "))")
    }
    static func integer(_ range: ClosedRange<UInt32>) -> Self {
        Self(text: "the value is not an integer from \(range.lowerBound) to \(range.upperBound)")
    }
    static let scalar = Self(text: "a string, an integer, true or false is required")
    static let label = Self(text: "a name has 1 to 64 printable characters")
    static let name = Self(text: "the value is not a name of an account, an action or a permission")
    static func chain(_ error: ChainError) -> Self { Self(text: error.words.message) }
    static let authorization = Self(
        text: "an authorization is ACTOR@PERMISSION; each of the two parts may be `*`")
    static let token = Self(text: "a token is PRECISION,CODE@CONTRACT, such as 4,EOS@eosio.token")
    static let amount = Self(
        text: "an amount is AMOUNT CODE@CONTRACT, such as 100.0000 EOS@eosio.token, and not negative")
    static let bound = Self(text: "the value is neither an integer nor an amount such as 100.0000 EOS")
    static let emptyRange = Self(text: "no value is both at least `min` and at most `max`")
    static let pointer = Self(
        text: "the text is not a JSON pointer (RFC 6901) such as /to, with at most 32 parts")
    /// - Parameter offset: in characters.
    static func pattern(_ fault: PatternFault, offset: Int) -> Self {
        Self(text: "character \(offset + 1) of the pattern: \(fault.text)")
    }
    static let hours = Self(
        text: "the text is not DAY HH:MM-HH:MM or DAY-DAY HH:MM-HH:MM, such as mon-fri 08:00-18:00")
    static let hoursOrder = Self(
        text:
            "the end is not after the start; hours past midnight are two entries, such as mon 22:00-24:00 and "
            + "tue 00:00-06:00")
    static func key(_ error: KeyTextError) -> Self { Self(text: error.words(kind: .publicKey).message) }
    static let blind = Self(
        text: "a rule with `blind` names its action and has no `fields`: they can't be read in such data"
    )
    static let blindBuiltIn = Self(text: "a rule with `blind` is for a contract without a built-in ABI")
    static let time = Self(
        text: "a time is in UTC, such as 2026-12-01T09:30:00Z, or a number of seconds since 1970")
    static let transaction = Self(text: "a transaction is an object, or a string with packed hex")
}

package struct PatternFault: Equatable, Sendable {
    let text: String

    static func tooLong(limit: Int) -> Self { Self(text: "the pattern has more than \(limit) characters") }
    static let escape = Self(text: "a backslash without a character after it")
    static let open = Self(text: "a `[` without `]`")
    static let close = Self(text: "a `]` without `[`: write `\\]` for the character")
    static let emptyClass = Self(text: "a class without characters")
    static let range = Self(text: "a range whose first character is after its last one")
}

/// A refusal before its place is computed.
struct PolicyFault: Error {
    let reason: PolicyError.Reason
    let offset: Int

    func place(in text: [UInt8]) -> TextPlace { TextPlace.all(of: [offset], in: text)[0] }
}
