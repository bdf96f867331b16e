import ABICodec

/// Names that a review compares with names of a transaction. Numbers are compared faster than text.
extension Name {
    static let eosio = constant("eosio")
    static let coreVaulta = constant("core.vaulta")
    static let token = constant("eosio.token")
    static let multisig = constant("eosio.msig")
    static let wrap = constant("eosio.wrap")
    static let transfer = constant("transfer")
    static let approve = constant("approve")
    static let exec = constant("exec")
    static let owner = constant("owner")
    static let code = constant("eosio.code")

    /// `NameConstantsTests` checks that each text is a name.
    private static func constant(_ text: String) -> Name { (try? Name(text)) ?? Name(rawValue: 0) }
}
