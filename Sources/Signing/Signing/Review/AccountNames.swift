import ABICodec
import Transactions

/// Accounts whose names others copy: the system's, and deposit accounts of exchanges.
struct AccountNames {
    /// The exchanges come from the wallet eosrio/simpleos (the list `exchanges` of its chain
    /// configuration).
    private static let known: [String] = [
        "eosio", "eosio.token", "eosio.msig", "eosio.wrap", "core.vaulta",
        "bitfinexdep1", "krakenkraken", "binancecleos", "huobideposit", "poloniexeos1", "gateiowallet",
        "okbtothemoon",
    ]

    private static let knownByShape = Dictionary(
        known.compactMap { try? Name($0) }.map { (shape(of: $0), $0) }
    ) { first, _ in first }

    /// For each account of the transaction whose name looks like another one: the other account.
    private let imitated: [Name: Name]

    /// The accounts that authorize the actions, or that they pay or give rights to. Each is
    /// compared once.
    init(in executed: ExecutedActions) {
        var accounts = Set(executed.actors)
        // Payments in succession often have the same recipient.
        var last: Name?
        for (payment, _, _) in executed.payments where payment.recipient != last {
            accounts.insert(payment.recipient)
            last = payment.recipient
        }
        for action in executed.actions { accounts.formUnion(action.otherRecipients) }
        var imitated: [Name: Name] = [:]
        for (shape, names) in Dictionary(grouping: accounts, by: Self.shape) {
            if let known = Self.knownByShape[shape] {
                for name in names where name != known { imitated[name] = known }
            } else if names.count > 1 {
                let sorted = names.sorted { $0.text < $1.text }
                for name in sorted { imitated[name] = sorted.first { $0 != name } }
            }
        }
        self.imitated = imitated
    }

    /// The account whose name an account of the transaction copies: a known account, or another one
    /// of the transaction.
    func imitated(by name: Name) -> Name? { imitated[name] }

    /// The name with one letter in place of each group of letters that look alike in common fonts:
    /// `1`, `l` and `i`; `5` and `s`; `2` and `z`; `rn` and `m`; `vv` and `w`.
    private static func shape(of name: Name) -> Name {
        var letters: [UInt8] = []
        letters.reserveCapacity(13)
        name.append(to: &letters)
        var end = 0
        for index in letters.indices {
            switch letters[index] {
            case UInt8(ascii: "n") where end > 0 && letters[end - 1] == UInt8(ascii: "r"):
                letters[end - 1] = UInt8(ascii: "m")
                continue
            case UInt8(ascii: "v") where end > 0 && letters[end - 1] == UInt8(ascii: "v"):
                letters[end - 1] = UInt8(ascii: "w")
                continue
            case UInt8(ascii: "l"), UInt8(ascii: "i"): letters[end] = UInt8(ascii: "1")
            case UInt8(ascii: "s"): letters[end] = UInt8(ascii: "5")
            case UInt8(ascii: "z"): letters[end] = UInt8(ascii: "2")
            default: letters[end] = letters[index]
            }
            end += 1
        }
        // The letters form a name: `s` and `z` never are its 13th letter, `5` and `2` may be.
        return (try? Name(utf8: letters.span.extracting(..<end))) ?? name
    }
}

extension ReviewedAction {
    /// The accounts that get something other than tokens: a permission, or RAM.
    var otherRecipients: [Name] {
        guard SystemContract.has(action.account) else { return [] }
        let authorized = authorityChanges.flatMap(\.authority.accounts).map(\.level.actor)
        let receivers = changes.compactMap { change in
            if case .effect(let effect) = change.kind { effect.receiver } else { nil }
        }
        return authorized + receivers + payments.compactMap(\.beneficiary)
    }
}
