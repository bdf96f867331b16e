import JSON
import Policy
import Shell

extension PolicyError: WordedError {
    package var words: Words {
        Words.words(of: reason).at("line \(place.line), column \(place.column)")
    }
}

extension TransactionLogError: WordedError {
    package var words: Words {
        Words(.policyLog, Words.words(of: reason).message).at("line \(place.line), column \(place.column)")
    }
}

extension Words {
    fileprivate static func words(of reason: PolicyError.Reason) -> Words {
        switch reason {
        case .json(let reason): Words(.invalidPolicy, reason.text)
        case .comment: Words(.invalidPolicy, "a comment: JSON has no comments")
        case .tooLong(let limit): Words(.invalidPolicy, "the policy has more than \(limit) bytes")
        case .tooMany(let limit): Words(.invalidPolicy, "the list has more than \(limit) elements")
        case .version(let version):
            Words(.invalidPolicy, "`version` must be the number 1, and the file has `\(Printable.excerpt(version))`")
        case .expected(let kind, let found):
            Words(.invalidPolicy, "\(found.name), where \(kind.name) is required")
        case .missingMember(let name): Words(.invalidPolicy, "the member `\(name)` is missing")
        case .unknownMember(let name, let known):
            Words(
                .invalidPolicy,
                "unknown member `\(Printable.excerpt(name))`; the members here are " + known.joined(separator: ", "))
        case .needs(let name, let other): Words(.invalidPolicy, "`\(name)` needs the member `\(other)`")
        case .exactlyOne(let names):
            Words(.invalidPolicy, "exactly one of \(names.map { "`\($0)`" }.joined(separator: " and ")) is required")
        case .value(let fault): Words(.invalidPolicy, text(of: fault))
        }
    }

    fileprivate static func text(of fault: PolicyValueFault) -> String {
        switch fault {
        case .empty: "the list or the object is empty"
        case .duplicate(let text): "`\(Printable.excerpt(text))` occurs twice"
        case .placeholder(let text): "`\(text)` is an example value of the template: replace it with your own"
        case .notOneOf(let texts): "the value is not \(texts.map { "`\($0)`" }.joined(separator: " or "))"
        case .integer(let range): "the value is not an integer from \(range.lowerBound) to \(range.upperBound)"
        case .scalar: "a string, an integer, true or false is required"
        case .label: "a name has 1 to 64 printable characters"
        case .name: "the value is not a name of an account, an action or a permission"
        case .chain(let error): error.words.message
        case .authorization: "an authorization is ACTOR@PERMISSION; each of the two parts may be `*`"
        case .token: "a token is PRECISION,CODE@CONTRACT, such as 4,EOS@eosio.token"
        case .amount: "an amount is AMOUNT CODE@CONTRACT, such as 100.0000 EOS@eosio.token, and not negative"
        case .bound: "the value is neither an integer nor an amount such as 100.0000 EOS"
        case .emptyRange: "no value is both at least `min` and at most `max`"
        case .pointer: "the text is not a JSON pointer (RFC 6901) such as /to, with at most 32 parts"
        case .pattern(let fault, let offset): "character \(offset + 1) of the pattern: \(text(of: fault))"
        case .hours: "the text is not DAY HH:MM-HH:MM or DAY-DAY HH:MM-HH:MM, such as mon-fri 08:00-18:00"
        case .hoursOrder:
            "the end is not after the start; hours past midnight are two entries, such as mon 22:00-24:00 and "
                + "tue 00:00-06:00"
        case .key(let error): error.words(kind: .publicKey).message
        case .time: "a time is in UTC, such as 2026-12-01T09:30:00Z, or a number of seconds since 1970"
        case .transaction: "a transaction is an object, or a string with packed hex"
        }
    }

    fileprivate static func text(of fault: PatternFault) -> String {
        switch fault {
        case .tooLong(let limit): "the pattern has more than \(limit) characters"
        case .escape: "a backslash without a character after it"
        case .open: "a `[` without `]`"
        case .close: "a `]` without `[`: write `\\]` for the character"
        case .emptyClass: "a class without characters"
        case .range: "a range whose first character is after its last one"
        }
    }
}
