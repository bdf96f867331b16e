import ABICodec

/// Names that are compared with names of a transaction. Numbers are compared faster than text.
/// `NameConstantsTests` compares them with their text.
extension Name {
    /// `eosio`
    package static var eosio: Name { Name(rawValue: 0x5530_ea00_0000_0000) }
    /// `core.vaulta`
    package static var coreVaulta: Name { Name(rawValue: 0x452e_a06c_da8e_4c00) }
    /// `eosio.token`
    package static var token: Name { Name(rawValue: 0x5530_ea03_3482_a600) }
    /// `eosio.msig`
    package static var multisig: Name { Name(rawValue: 0x5530_ea02_5873_0000) }
    /// `eosio.wrap`
    package static var wrap: Name { Name(rawValue: 0x5530_ea03_9735_4000) }
    /// `transfer`
    package static var transfer: Name { Name(rawValue: 0xcdcd_3c2d_5700_0000) }
    /// `approve`
    package static var approve: Name { Name(rawValue: 0x356b_7a6d_4000_0000) }
    /// `propose`
    package static var propose: Name { Name(rawValue: 0xade9_5a61_4000_0000) }
    /// `exec`
    package static var exec: Name { Name(rawValue: 0x5754_8000_0000_0000) }
    /// `owner`
    package static var owner: Name { Name(rawValue: 0xa726_ab80_0000_0000) }
    /// `eosio.code`
    package static var code: Name { Name(rawValue: 0x5530_ea01_144a_8000) }
}
