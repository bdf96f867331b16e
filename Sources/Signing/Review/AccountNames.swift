import ABICodec

/// Accounts whose names others imitate: the system's, and deposit accounts of exchanges.
enum AccountNames {
    /// The exchanges are those of the wallet eosrio/simpleos (the list `exchanges` of its chain
    /// configuration).
    private static let known: [String] = [
        "eosio", "eosio.token", "eosio.msig", "eosio.wrap", "core.vaulta",
        "bitfinexdep1", "krakenkraken", "binancecleos", "huobideposit", "poloniexeos1", "gateiowallet", "okbtothemoon",
    ]

    private static let knownBySkeleton = Dictionary(known.map { (skeleton(of: $0), $0) }) { first, _ in first }

    /// The account that a name imitates: a known account, or one of `others`.
    static func imitated(by name: Name, among others: some Sequence<Name>) -> Name? {
        let text = name.text
        let shape = skeleton(of: text)
        if let known = knownBySkeleton[shape] { return known == text ? nil : try? Name(known) }
        return others.first { $0 != name && skeleton(of: $0.text) == shape }
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
