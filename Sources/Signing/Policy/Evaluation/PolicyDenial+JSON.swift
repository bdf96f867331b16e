import ABICodec
import JSON
import Keys
import Transactions

extension PolicyDenial {
    /// The fields for programs. Members without a value are absent.
    package func json(of policy: KeyPolicy) -> JSONValue {
        var members: [(String, JSONValue?)] = [("member", .string(member))]
        switch part {
        case .policy: break
        case .rule(let index):
            members += Self.json("rule", index, policy.rules[index].name, policy.places.rules[index])
        case .limit(let index):
            members += Self.json("limit", index, policy.limits[index].name, policy.places.limits[index])
        case .amount(let index): members += Self.json("amount", index, nil, policy.places.amounts[index])
        }
        if let action {
            members += [
                ("path", .string(action.path)), ("contract", .string(action.contract.text)),
                ("action", .string(action.action.text)),
            ]
        }
        return CanonicalPolicy.object(members + values)
    }

    private static func json(
        _ part: String, _ index: Int, _ name: String?, _ place: TextPlace
    ) -> [(String, JSONValue?)] {
        [(part, .number(index)), ("name", name.map { .string($0) }), ("line", .number(place.line))]
    }

    /// The value that failed, and the limit.
    private var values: [(String, JSONValue?)] {
        func time(_ seconds: UInt32?) -> JSONValue? {
            seconds.map { .string(TimePointSec(seconds: $0).text + "Z") }
        }
        switch reason {
        case .chain(let chain): return [("value", .string(chain.name))]
        case .identity, .noActions, .contextFree, .undecoded, .noRule, .unknownProposal, .givenABI,
            .unreadablePayment:
            return []
        case .warnings(let codes): return [("value", .array(codes.map { .string($0) }))]
        case .hours(let next): return [("resets", time(next))]
        case .expiration(let seconds, let limit):
            return [("value", .number(seconds)), ("maximum", .number(limit))]
        case .actionCount(let count, let limit):
            return [("value", .number(count)), ("maximum", .number(limit))]
        case .cosigner(let key): return [("required", .string(key.text))]
        case .authorization(let level): return [("value", level.map { .string($0.text) })]
        case .field(let pointer, let test, let value):
            return [
                ("pointer", .string(pointer.text)), ("value", value.map { .string($0) }),
                ("required", test.json),
            ]
        case .unreadableAmount(let pointer): return [("pointer", .string(pointer.text))]
        case .otherPrecision(let token): return [("token", .string(token.text))]
        case .limit(let exceeded):
            let measure = exceeded.limit.measure
            func text(_ value: UInt128) -> JSONValue { .string(measure.text(of: value)) }
            return [
                ("token", measure.token.map { .string($0.text) }),
                ("recipient", exceeded.recipient.map { .string($0.text) }),
                ("per", .string(exceeded.limit.period.rawValue)), ("value", text(exceeded.value)),
                ("maximum", text(measure.limit)), ("used", text(exceeded.used)),
                ("remaining", text(exceeded.remaining)),
                ("restored", time(exceeded.restored)), ("resets", time(exceeded.resets)),
            ]
        case .roomFull(let free):
            return [("maximum", .number(LimitUses.maximumSumCount)), ("resets", time(free))]
        }
    }
}
