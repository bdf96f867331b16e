import ABICodec
import JSON
import Keys
import Policy
import TestSupport
import Transactions

@testable import Signing

/// Random actions that set authorities, and what the review says about them, for
/// `Tests/Signing/AuthorityReference/evaluator.py`.
struct RandomAuthority {
    private var random: SplitMix

    init(seed: UInt64) { random = SplitMix(seed: seed) }

    private static let own = [WarningTests.own] + keys[..<2]
    private static let foreign = [WarningTests.foreign, nullKey] + keys[2...]
    /// No one has its private key.
    private static let nullKey = "EOS1111111111111111111111111111111114T1Anm"
    /// Public keys; the tests have no private key for them.
    private static let keys = [
        "EOS5p78kHbL33Rn3JWkTWRE2B9uz6gy4r1KbfAKLNQGE3ovMBS5bu",
        "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV",
        "EOS73DrQkRHoFqo44MNFJS3P4rUJLLNMYqFLduA9khBHPPucfyzes",
        "PUB_R1_6FPFZqw5ahYrR9jD96yDbbDNTdKtNqRbze6oTDLntrsANgQKZu",
    ]

    private static let levels = [
        "bob@active", "mallory@active", "mallory@owner", "carol@eosio.code", "alice@active", "alice@owner",
        "alice@pay",
        "alice@eosio.code",
    ]
    /// The longest delay of a transaction is 3,888,000 seconds.
    private static let seconds: [UInt32] = [1, 60, 3_600, 86_400, 3_888_000, 3_888_001, 4_000_000_000]
    private static let weights: [UInt32] = [0, 1, 1, 1, 1, 2, 2, 3, 5, 65_535]

    // MARK: - choices

    private mutating func any<Element>(_ list: [Element]) -> Element {
        list[Int.random(in: 0..<list.count, using: &random)]
    }

    private mutating func happens(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &random) < percent
    }

    private mutating func some<Element>(_ list: [Element], _ count: ClosedRange<Int>) -> [Element] {
        Array(list.shuffled(using: &random).prefix(Int.random(in: count, using: &random)))
    }

    // MARK: - authorities

    private mutating func authority(_ levels: [String]) throws -> JSONValue {
        let isOpen = happens(30)
        var keys = try (some(Self.own, 0...2) + some(Self.foreign, 0...2)).sorted(by: Self.isOrdered)
        var accounts = try some(levels, 0...(isOpen ? 1 : 3)).sorted {
            try PermissionLevel($0) < PermissionLevel($1)
        }
        var waits = some(Self.seconds, 0...2).sorted()
        if happens(8) {
            switch Int.random(in: 0..<6, using: &random) {
            case 0: keys.reverse()
            case 1: keys += keys.suffix(1)
            case 2: accounts.reverse()
            case 3: accounts += accounts.suffix(1)
            case 4: waits += waits.suffix(1)
            default: waits = [0] + waits.reversed()
            }
        }
        let weights = (0..<keys.count + accounts.count + waits.count).map { _ in any(Self.weights) }
        let sum = weights.reduce(0) { $0 + UInt64($1) }
        let most = UInt32(clamping: sum)
        let threshold = any([1, 1, 2, 2, 3, 4, 6, most, most, most / 2, most + 1, 0])
        var next = 0
        func weight() -> JSONValue {
            defer { next += 1 }
            return .number(weights[next])
        }
        return [
            "threshold": .number(threshold),
            "keys": .array(keys.map { ["key": .string($0), "weight": weight()] }),
            "accounts": .array(
                try accounts.map { text in
                    let level = try PermissionLevel(text)
                    let permission: JSONValue = [
                        "actor": .string(level.actor.text), "permission": .string(level.permission.text),
                    ]
                    return ["permission": permission, "weight": weight()]
                }),
            "waits": .array(waits.map { ["wait_sec": .number($0), "weight": weight()] }),
        ]
    }

    private static func isOrdered(_ left: String, before right: String) throws -> Bool {
        if left == nullKey || right == nullKey { return right != nullKey }
        return PublicKey.isOrdered(try PublicKey(left), before: try PublicKey(right))
    }

    // MARK: - cases

    /// A line for each authority of a random action.
    mutating func lines() throws -> [JSONValue] {
        let isNew = happens(40)
        let account = isNew ? "dave" : "alice"
        let names = isNew ? ["owner", "active"] : [any(["owner", "active", "pay"])]
        let levels = Self.levels + (isNew ? ["dave@active", "dave@owner", "dave@active", "dave@owner"] : [])
        let authorities = try names.map { JSONMember("\(account)@\($0)", try authority(levels)) }
        let texts = authorities.map { $0.value.text() }
        let action =
            isNew
            ? WarningTests.action(
                "eosio", "newaccount",
                #"{"creator":"alice","name":"dave","owner":\#(texts[0]),"active":\#(texts[1])}"#)
            : WarningTests.update(names[0], texts[0])
        let own = OwnKeys(
            try some(Self.own, 0...3).map { KeyDescription(try PublicKey($0), label: nil) })
        let review = try WarningTests.review([action])
        let warnings = review.warnings(now: ReviewTests.expiration - 1_800, own: own)
        return authorities.map { authority in
            [
                "level": .string(authority.key), "new": .boolean(isNew),
                "creator": isNew ? .string("alice") : .null,
                "authorities": .object(authorities),
                "own": .array(own.keys.map { .string($0.publicKey.text) }),
                "said": Self.said(warnings, of: authority.key),
            ]
        }
    }

    /// What the warnings about a permission say.
    private static func said(_ warnings: [Warning], of level: String) -> JSONValue {
        let own = warnings.filter { warning in
            if case .permission(_, let subject) = warning.subject { subject.text == level } else { false }
        }
        func isSaid(_ code: WarningCode) -> JSONValue { .boolean(own.contains { $0.code == code }) }
        var said: [String: JSONValue] = [
            "refused": isSaid(.refusedAuthority), "lockout": isSaid(.lockout),
            "unreachable": isSaid(.unreachableThreshold), "open": .null, "keys": .string("unsaid"),
        ]
        var accounts: [JSONValue] = []
        for warning in own {
            let reach = warning.reach?.json
            switch warning.code {
            case .openAfterWait: said["open"] = warning.fields["delay_sec"]
            case .foreignAccount, .codePermission: accounts.append(reach ?? .string("no reach"))
            case .foreignKey: said["keys"] = reach
            case .ownerChange, .activeChange, .permissionChange:
                said["can_sign"] = .boolean(warning.fields["missing_weight"]?.number == "0")
                said["others"] = reach
            default: break
            }
        }
        said["accounts"] = .array(accounts)
        return .object(said.sorted { $0.key < $1.key }.map { JSONMember($0.key, $0.value) })
    }
}

extension Warning {
    /// What others can do, by the fields of the warning; nil if it has none.
    var reach: AuthorityReach? {
        switch fields["others_act"]?.string {
        case "now": .now
        case "after": fields["delay_sec"]?.number.flatMap { UInt32($0) }.map { .after(seconds: $0) }
        case "never": .never
        default: nil
        }
    }
}

extension AuthorityReach {
    /// The seconds of the delay; null if no delay suffices.
    fileprivate var json: JSONValue {
        switch self {
        case .now: .number(0)
        case .after(let seconds): .number(seconds)
        case .never: .null
        }
    }
}
