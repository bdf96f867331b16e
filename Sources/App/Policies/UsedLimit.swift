import ABICodec
import Keys
import Policy
import Shell
import Signing

/// The current use of a rolling limit.
struct UsedLimit {
    let use: LimitUse
    let limit: Limit
    /// The line of the limit in the text that `policy show` prints.
    let line: Int?

    var text: String {
        if let end = use.blockedUntil {
            return "blocked until \(Clock.text(Int64(end))) UTC by the restore of the vault (limit \(name))"
        }
        let measure = limit.measure
        return "\(measure.text(of: use.used)) of \(measure.text(of: measure.limit))"
            + counted
            + (use.recipient.map { " to \($0.text)" } ?? "")
            + " in \(limit.period.rawValue) (limit \(name))"
    }

    private var name: String { limit.name.map { "`\(Printable.line($0))`" } ?? "\(use.index + 1)" }

    private var counted: String {
        switch limit.measure {
        case .amount: ""
        case .count(_, let token): token == nil ? " transactions" : " payments"
        }
    }

    /// The used part in percent, rounded up: below 100 until the limit is used up.
    var percent: Int {
        let maximum = limit.measure.limit
        guard use.used < maximum else { return 100 }
        // Both have at most 64 bits.
        return Int(clamping: min(99, (use.used * 100 + maximum - 1) / maximum))
    }

    static let object = JSONObject<UsedLimit>([
        .number("limit", "the number of the limit in the policy, from 0") { $0.use.index },
        .text(orNull: "name", "its name") { $0.limit.name }, .number("line", "its line") { $0.line },
        .text(orNull: "token", "the token that it counts; null for transactions") {
            $0.limit.measure.token?.text
        },
        .text(orNull: "recipient", "the recipient; null for all together") { $0.use.recipient?.text },
        .text("per", "`1h`, `24h`, `7d` or `30d`") { $0.limit.period.rawValue },
        .text("maximum", "the limit") { $0.limit.measure.text(of: $0.limit.measure.limit) },
        .text("used", "what is used") { $0.limit.measure.text(of: $0.use.used) },
        .text("remaining", "what remains") { $0.limit.measure.text(of: $0.use.remaining) },
        .text(
            orNull: "blocked_until", "when the restore of the vault no longer blocks it; null if it does not"
        ) {
            $0.use.blockedUntil.map { Clock.text(Int64($0)) }
        },
        .number("used_percent", "the used part in percent, rounded up; 100 only if the limit is used up") {
            $0.percent
        },
    ])
}

extension PolicyLedger.KeyState {
    /// The current use of each rolling limit. A limit for each recipient has one element for each.
    var usedLimits: [UsedLimit] {
        let (now, lines) = (max(UInt32(clamping: Clock.now), last ?? 0), policy.places.limits)
        return policy.uses(uses, at: now, restored: restored).map {
            UsedLimit(use: $0, limit: policy.limits[$0.index], line: lines[$0.index].line)
        }
    }
}
