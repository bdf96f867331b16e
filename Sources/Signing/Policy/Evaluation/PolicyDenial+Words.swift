import ABICodec
import Keys
import Messages
import Transactions

extension PolicyDenial {
    /// - Parameter policy: The policy that denied the signature.
    package func words(of policy: KeyPolicy) -> Words {
        let place =
            switch part {
            case .policy: "the policy"
            case .rule(let index):
                Self.place("rule", index, policy.rules[index].name, policy.places.rules[index])
            case .limit(let index):
                Self.place("limit", index, policy.limits[index].name, policy.places.limits[index])
            case .amount(let index): Self.place("amount", index, nil, policy.places.amounts[index])
            }
        let denied = action.map { "\($0.path) (\($0.contract.text)::\($0.action.text))" } ?? "the signature"
        return Words(reason.code, message(policy), hint: reason.hint).at("\(place) denies \(denied)")
    }

    private static func place(_ kind: String, _ index: Int, _ name: String?, _ place: TextPlace) -> String {
        "\(kind) " + (name.map { "`\(Printable.line($0))`" } ?? "\(index + 1)")
            + " of the policy (line \(place.line))"
    }

    private func message(_ policy: KeyPolicy) -> String {
        if case .rule(let index) = part, case .authorization(let level?) = reason,
            policy.rules[index].authorization.isEmpty
        {
            return "the rule has no `authorization`, so it does not allow \(level.text)"
        }
        return reason.message
    }
}

extension PolicyDenial.Reason {
    /// The code of the error that reports it.
    package var code: ErrorCode {
        switch self {
        case .hours: .policyHours
        case .expiration: .policyExpiration
        case .cosigner: .policyCosigner
        case .undecoded, .givenABI: .policyABI
        case .unknownProposal: .policyProposal
        case .limit, .roomFull: .policyLimit
        case .chain, .identity, .actionCount, .noActions, .warnings, .contextFree, .noRule, .authorization,
            .field, .unreadableAmount, .unreadablePayment, .otherPrecision:
            .policyRule
        }
    }

    fileprivate var message: String {
        switch self {
        case .chain(let chain): "the chain \(chain.chain?.name ?? chain.text) is not in `chains`"
        case .identity: "`identity` does not allow identity requests"
        case .hours(let next):
            "`hours` does not include the time of the clock, or of the vault's last record if it is later"
                + (next.map { "; the next hours begin at \(Self.time($0))" } ?? "")
        case .expiration(let seconds, let limit):
            "the transaction expires in \(seconds) seconds, and `max_expiration_seconds` is \(limit)"
        case .actionCount(let count, let limit):
            "the transaction has \(count) actions, and `max_actions` is \(limit)"
        case .noActions: "the transaction has no actions"
        case .warnings(let codes):
            "the transaction has a warning that `refuse` of the policy lists: \(codes.joined(separator: ", "))"
        case .cosigner(let key): "the cosigner \(key.text) has not signed"
        case .contextFree: "`context_free_actions` does not allow context-free actions"
        case .undecoded: "its data can't be decoded"
        case .noRule: "no rule has this contract and action"
        case .authorization(let level):
            level.map { "`authorization` does not include \($0.text)" }
                ?? "the action has no authorization, and the rule requires one"
        case .field(let pointer, let test, let value):
            "`\(Printable.excerpt(pointer.text))` is "
                + (value.map { "`\(Printable.excerpt($0))`" } ?? "absent or not a single value")
                + ", and `\(test.name)` is \(Printable.excerpt(Printable.json(test.json)))"
        case .unknownProposal:
            "it approves a proposal that was not given, or it states no hash of the proposal"
        case .givenABI: "an ABI of --abi decoded its data"
        case .unreadableAmount(let pointer):
            "the amount at `\(Printable.excerpt(pointer.text))` or its recipient can't be read, or `amounts` has "
                + "no entry for its token"
        case .unreadablePayment: "its payment can't be read, and the limit counts tokens of this contract"
        case .otherPrecision(let token):
            "the transaction pays \(token.text), and the limit has another precision of this token"
        case .limit(let exceeded): exceeded.text
        case .roomFull(let free):
            "the limits for each recipient can't keep the sums of more than "
                + "\(Amount.text(LimitUses.maximumSumCount)) recipients of a key"
                + (free.map { "; there is room again at \(Self.time($0))" } ?? "")
        }
    }

    /// nil for the advice of the code.
    fileprivate var hint: String? {
        switch self {
        case .chain: "check --chain and the transaction; `chains` of the policy lists the chains"
        case .identity: "`\"identity\": \"allow\"` in a new policy allows them"
        case .actionCount, .noActions:
            "sign a transaction with at least one action, and with at most `max_actions`"
        case .contextFree: "remove the context-free actions; wallets rarely need them"
        case .unreadableAmount, .unreadablePayment, .otherPrecision:
            "check the transaction, and `amounts` and `limits` of the policy"
        case .limit(let exceeded) where exceeded.restored != nil:
            "sign later, or restore the backup again with --second-file"
        case .limit(let exceeded) where exceeded.resets == nil: "split the transaction, or set a new policy"
        case .roomFull: "sign later, or set a policy with a shorter window or without `each_recipient`"
        default: nil
        }
    }

    fileprivate static func time(_ seconds: UInt32) -> String { TimePointSec(seconds: seconds).text + "Z" }
}

extension PolicyDenial.ExceededLimit {
    fileprivate var text: String {
        let measure = limit.measure
        let recipient = recipient.map { " to \($0.text)" } ?? ""
        guard limit.period != .transaction else {
            return "the transaction \(has)\(recipient), and the limit is \(measure.text(of: measure.limit))"
        }
        let window = "\(measure.text(of: measure.limit)) in \(limit.period.rawValue)"
        let state =
            if let restored {
                "the limit of \(window) is blocked, because the vault was restored at "
                    + PolicyDenial.Reason.time(restored)
            } else {
                "the limit is \(window), of which \(measure.text(of: used)) \(plural(used) ? "are" : "is") used and "
                    + "\(measure.text(of: remaining)) \(plural(remaining) ? "remain" : "remains")"
            }
        let end =
            resets.map { "this limit allows it from \(PolicyDenial.Reason.time($0)) on" }
            ?? "it is over the limit by itself"
        return "the transaction \(has)\(recipient); \(state); \(end)"
    }

    /// What the transaction adds.
    private var has: String {
        guard case .count(_, let token) = limit.measure else { return "has \(limit.measure.text(of: value))" }
        return token.map { "has \(Words.count(value, "payment")) of \($0.text)" } ?? "counts as \(value)"
    }

    /// Amounts are singular, numbers other than 1 plural.
    private func plural(_ value: UInt128) -> Bool {
        if case .count = limit.measure { value != 1 } else { false }
    }
}
