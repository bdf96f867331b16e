import ABICodec

/// The contracts whose actions manage accounts: eosio, and core.vaulta, which passes the same
/// actions to it.
package enum SystemContract {
    package static func has(_ account: Name) -> Bool { account == .eosio || account == .coreVaulta }

    /// True if an account belongs to the system: eosio, core.vaulta, and all names that only eosio
    /// can create.
    package static func isSystemAccount(_ account: Name) -> Bool {
        // Six letters take the highest 30 bits, and a dot is zero.
        has(account) || account.rawValue >> 34 == Name.eosio.rawValue >> 34
    }
}
