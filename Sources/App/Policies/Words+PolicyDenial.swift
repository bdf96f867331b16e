import ABICodec
import JSON
import KeyVault
import Keys
import Policy
import Shell
import Signing
import Transactions

extension PolicyRefusal {
    var words: Words {
        let reason =
            switch self.reason {
            case .denied(let denial): Words(denial, of: policy)
            case .needsConfirmation(.always):
                Words(.policyConfirm, "the policy requires that a person confirms each transaction")
            case .needsConfirmation(.clockStep(let seconds)):
                Words(
                    .policyConfirm,
                    "the clock is \(Amount.duration(Int64(seconds))) after the last record of the vault",
                    hint: "check the date of this machine; if it is right, sign one transaction at a terminal, without "
                        + "--yes and --lines")
            case .notCounted:
                Words(.policyReadOnly, "the vault can't be written, so the policy can't count the signature")
            }
        let shown = subject == .allKeys ? "--all" : key.publicKey.text
        let place =
            isStored
            ? "`eosvault policy show \(shown)` shows the policy" : "the policy is in the file of --policy"
        let hint = [reason.hint, clockHint, place].compactMap(\.self).joined(separator: "; ")
        let words = Words(reason.code, reason.message, hint: hint, members: ["policy": json])
        return words.at(key.publicKey.text)
    }
}

extension PolicyRefusal {
    /// For a denial that depends on the time of the last record.
    private var clockHint: String? {
        guard clockLag >= 60, case .denied(let denial) = reason else { return nil }
        switch denial.reason {
        case .limit, .hours, .roomFull:
            return "the clock is \(Amount.duration(Int64(clockLag))) behind the last record of the vault; if it was "
                + "wrong then, run `eosvault policy clock-corrected`"
        default: return nil
        }
    }
}

extension Words {
    /// - Parameter policy: The policy that denied the signature.
    init(_ denial: PolicyDenial, of policy: KeyPolicy) {
        let place =
            switch denial.part {
            case .policy: "the policy"
            case .rule(let index):
                Words.part("rule", index, policy.rules[index].name, line: policy.places.rules[index].line)
            case .limit(let index):
                Words.part("limit", index, policy.limits[index].name, line: policy.places.limits[index].line)
            case .amount(let index): Words.part("amount", index, nil, line: policy.places.amounts[index].line)
            }
        let action = denial.action.map { "\($0.path) (\($0.contract.text)::\($0.action.text))" }
        let words =
            if case .rule(let index) = denial.part, case .authorization(let level?) = denial.reason,
                policy.rules[index].authorization.isEmpty
            {
                Words(.policyRule, "the rule has no `authorization`, so it does not allow \(level.text)")
            } else {
                Words.words(of: denial.reason)
            }
        self = words.at("\(place) denies \(action ?? "the signature")")
    }

    fileprivate static func part(_ kind: String, _ index: Int, _ name: String?, line: Int) -> String {
        "\(kind) " + (name.map { "`\(Printable.line($0))`" } ?? "\(index + 1)") + " of the policy (line \(line))"
    }

    fileprivate static func words(of reason: PolicyDenial.Reason) -> Words {
        switch reason {
        case .chain(let chain):
            Words(
                .policyRule, "the chain \(chain.chain?.name ?? chain.text) is not in `chains`",
                hint: "check --chain and the transaction; `chains` of the policy lists the chains")
        case .identity:
            Words(
                .policyRule, "`identity` does not allow identity requests",
                hint: "`\"identity\": \"allow\"` in a new policy allows them")
        case .hours(let next):
            Words(
                .policyHours,
                "`hours` does not include the time of the clock, or of the vault's last record if it is later"
                    + (next.map { "; the next hours begin at \(Clock.rfc3339(Int64($0)))" } ?? "")
            )
        case .expiration(let seconds, let limit):
            Words(
                .policyExpiration,
                "the transaction expires in \(seconds) seconds, and `max_expiration_seconds` is \(limit)"
            )
        case .actionCount(let count, let limit):
            Words(
                .policyRule, "the transaction has \(count) actions, and `max_actions` is \(limit)",
                hint: "sign a transaction with at least one action, and with at most `max_actions`")
        case .noActions:
            Words(
                .policyRule, "the transaction has no actions",
                hint: "sign a transaction with at least one action, and with at most `max_actions`")
        case .warnings(let codes):
            Words(
                .policyRule,
                "the transaction has a warning that `refuse` of the policy lists: \(codes.joined(separator: ", "))")
        case .cosigner(let key): Words(.policyCosigner, "the cosigner \(key.text) has not signed")
        case .contextFree:
            Words(
                .policyRule, "`context_free_actions` does not allow context-free actions",
                hint: "remove the context-free actions; wallets rarely need them")
        case .undecoded: Words(.policyABI, "its data can't be decoded")
        case .noRule: Words(.policyRule, "no rule has this contract and action")
        case .authorization(let level):
            Words(
                .policyRule,
                level.map { "`authorization` does not include \($0.text)" }
                    ?? "the action has no authorization, and the rule requires one")
        case .field(let pointer, let test, let value):
            Words(
                .policyRule,
                "`\(Printable.excerpt(pointer.text))` is "
                    + (value.map { "`\(Printable.excerpt($0))`" } ?? "absent or not a single value")
                    + ", and `\(test.name)` is \(Printable.excerpt(Printable.json(test.json)))"
            )
        case .unknownProposal:
            Words(.policyProposal, "it approves a proposal that was not given, or it states no hash of the proposal")
        case .givenABI: Words(.policyABI, "an ABI of --abi decoded its data")
        case .unreadableAmount(let pointer):
            Words(
                .policyRule,
                "the amount at `\(Printable.excerpt(pointer.text))` or its recipient can't be read, or `amounts` has "
                    + "no entry for its token", hint: "check the transaction, and `amounts` and `limits` of the policy"
            )
        case .unreadablePayment:
            Words(
                .policyRule, "its payment can't be read, and the limit counts tokens of this contract",
                hint: "check the transaction, and `amounts` and `limits` of the policy")
        case .otherPrecision(let token):
            Words(
                .policyRule, "the transaction pays \(token.text), and the limit has another precision of this token",
                hint: "check the transaction, and `amounts` and `limits` of the policy")
        case .limit(let exceeded):
            Words(
                .policyLimit, text(of: exceeded),
                hint: exceeded.restored != nil
                    ? "sign later, or restore the backup again with --second-file"
                    : exceeded.resets == nil ? "split the transaction, or set a new policy" : nil)
        case .roomFull(let free):
            Words(
                .policyLimit,
                "the limits for each recipient can't keep the sums of more than "
                    + "\(Amount.text(LimitUses.maximumSumCount)) recipients of a key"
                    + (free.map { "; there is room again at \(Clock.rfc3339(Int64($0)))" } ?? ""),
                hint: "sign later, or set a policy with a shorter window or without `each_recipient`"
            )
        }
    }

    fileprivate static func text(of exceeded: PolicyDenial.ExceededLimit) -> String {
        let (limit, measure) = (exceeded.limit, exceeded.limit.measure)
        var isCount = false
        var value = "has \(measure.text(of: exceeded.value))"
        if case .count(_, let token) = measure {
            isCount = true
            value =
                token.map { "has \(count(exceeded.value, "payment")) of \($0.text)" } ?? "counts as \(exceeded.value)"
        }
        value += exceeded.recipient.map { " to \($0.text)" } ?? ""
        guard limit.period != .transaction else {
            return "the transaction \(value), and the limit is \(measure.text(of: measure.limit))"
        }
        let window = "\(measure.text(of: measure.limit)) in \(limit.period.rawValue)"
        let used =
            exceeded.restored.map { restored in
                "the limit of \(window) counts as used up, because the vault was restored at "
                    + Clock.rfc3339(Int64(restored))
            }
            ?? ("the limit is \(window), of which \(measure.text(of: exceeded.used)) "
                + "\(isCount && exceeded.used != 1 ? "are" : "is") used and \(measure.text(of: exceeded.remaining)) "
                + "\(isCount && exceeded.remaining != 1 ? "remain" : "remains")")
        return "the transaction \(value); \(used)"
            + (exceeded.resets.map { "; it can be signed from \(Clock.rfc3339(Int64($0))) on" }
                ?? "; it is over the limit by itself")
    }
}

extension PolicyRefusal {
    /// The reason decides which members a refusal has.
    static let shape: JSONShape = [
        "key": .text("the public key"), "all_keys": .boolean("whether the policy is that of all keys"),
        "member?": .text("the member of the policy that failed, as a JSON pointer"),
        "rule?": .number("the index of the rule"), "limit?": .number("the index of the limit"),
        "amount?": .number("the index of the amount"), "name?": .text("its name"),
        "line?": .number("its line in the text that `policy show` prints, or in the file of --policy"),
        "path?": .text("the action, for example actions[0].inner.actions[2]"),
        "contract?": .text("the contract of the action"), "action?": .text("its name"),
        "pointer?": .text("the field of the action's data, as a JSON pointer"),
        "value?": .any("what the request has: a text or a number"), "required?": .any("what the policy requires"),
        "token?": .text("the token of the limit"), "recipient?": .text("the recipient"),
        "per?": .text("the window of the limit"), "maximum?": .any("the limit"),
        "used?": .text("what is used in the window"), "remaining?": .text("what remains"),
        "restored?": .text("when the vault was restored, if the limit counts as used up because of it"),
        "resets?": .text("when this check passes, in UTC: the limit fits, `hours` begin, or entries are free"),
    ]

    /// The fields for programs.
    var json: JSONValue {
        let key: JSONValue = [
            "key": .string(key.publicKey.text), "all_keys": .boolean(subject == .allKeys),
        ]
        switch reason {
        case .denied(let denial): return key.adding(denial.json(of: policy))
        case .needsConfirmation(.always): return key.adding(["member": .string("/transaction/confirm")])
        case .needsConfirmation(.clockStep(let seconds)):
            return key.adding(["value": .number(seconds), "maximum": .number(KeyPolicy.maximumClockStep)])
        case .notCounted: return key
        }
    }
}

extension PolicyDifference {
    /// One line: what changed, and whether it is looser.
    var text: String {
        let subject = [part.rawValue, name.map(Printable.line)].compactMap { $0 }.joined(separator: " ")
        let change =
            switch (old, new) {
            case (nil, let new?): "added: \(Printable.line(new))"
            case (let old?, nil): "removed: \(Printable.line(old))"
            default: "was \(Printable.line(old ?? "")), is \(Printable.line(new ?? ""))"
            }
        return "\(subject) \(change)" + (isLooser ? " (looser)" : "")
    }
}
