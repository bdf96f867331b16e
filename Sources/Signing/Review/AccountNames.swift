import ABICodec

/// Accounts whose names others imitate: the system's, and deposit accounts of exchanges.
struct AccountNames {
    /// The exchanges are those of the wallet eosrio/simpleos (the list `exchanges` of its chain
    /// configuration).
    private static let known: [String] = [
        "eosio", "eosio.token", "eosio.msig", "eosio.wrap", "core.vaulta",
        "bitfinexdep1", "krakenkraken", "binancecleos", "huobideposit", "poloniexeos1", "gateiowallet", "okbtothemoon",
    ]

    private static let knownBySkeleton = Dictionary(known.map { (skeleton(of: $0), $0) }) { first, _ in first }

    /// The names of a transaction's accounts, and their shapes. Each shape is computed once.
    private let shapes: [Name: String]
    private let names: [String: [Name]]

    init(_ accounts: Set<Name>) {
        shapes = Dictionary(uniqueKeysWithValues: accounts.map { ($0, Self.skeleton(of: $0.text)) })
        names = Dictionary(grouping: accounts.sorted { $0.text < $1.text }) { [shapes] in shapes[$0] ?? "" }
    }

    /// The account that an account of the transaction imitates: a known account, or another one of
    /// the transaction.
    func imitated(by name: Name) -> Name? {
        guard let shape = shapes[name] else { return nil }
        if let known = Self.knownBySkeleton[shape] { return known == name.text ? nil : try? Name(known) }
        return names[shape]?.first { $0 != name }
    }

    /// The name with one letter in place of each group of letters that look alike in common fonts:
    /// `1`, `l` and `i`; `5` and `s`; `2` and `z`; `rn` and `m`; `vv` and `w`.
    private static func skeleton(of name: String) -> String {
        let letters = name.map { letter -> Character in
            switch letter {
            case "l", "i": "1"
            case "5": "s"
            case "2": "z"
            default: letter
            }
        }
        return String(letters).replacing("rn", with: "m").replacing("vv", with: "w")
    }
}
