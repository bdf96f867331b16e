import ABICodec

/// A token whose contract and precision are known for a chain: the chain's system token, or the
/// token that replaces it.
///
/// A token of the same name at another contract, or with another precision, is another token.
package struct KnownToken: Hashable, Sendable {
    /// `Chain.name`
    package let chain: String
    /// The account of the contract that keeps the balances.
    package let contract: Name
    package let symbol: Symbol

    /// All known tokens. The tokens of one chain are sorted from the oldest to the newest.
    package static let all: [KnownToken] = rows.compactMap { row in
        // `KnownTokenTests` checks that no row is lost.
        guard let contract = try? Name(row.contract), let symbol = try? Symbol(row.symbol) else { return nil }
        return KnownToken(chain: row.chain, contract: contract, symbol: symbol)
    }

    /// The tokens of a chain, from the oldest to the newest.
    package static func tokens(of chain: Chain) -> [KnownToken] { all.filter { $0.chain == chain.name } }

    /// The rows come from wharfkit/common (src/common/chains.ts at 31f7106, `systemTokenSymbol` and
    /// `systemTokenContract`). The comment of a row gives a second source.
    private static let rows: [(chain: String, contract: String, symbol: String)] = [
        // greymass/unicove 55de0b7, configs/.env.vaulta: the legacy token and the system token.
        ("eos", "eosio.token", "4,EOS"),
        ("eos", "core.vaulta", "4,A"),
        // greymass/unicove 55de0b7, configs/.env.jungle4. wharfkit/common lists only EOS.
        ("jungle4", "eosio.token", "4,EOS"),
        ("jungle4", "core.vaulta", "4,A"),
        // greymass/unicove 55de0b7, configs/.env.kylin
        ("kylin", "eosio.token", "4,EOS"),
        // greymass/unicove 55de0b7, configs/.env.wax
        ("wax", "eosio.token", "8,WAX"),
        // greymass/unicove 55de0b7, configs/.env.waxtestnet
        ("wax-testnet", "eosio.token", "8,WAX"),
        // greymass/unicove 55de0b7, configs/.env.telos
        ("telos", "eosio.token", "4,TLOS"),
        // greymass/unicove 55de0b7, configs/.env.telostestnet
        ("telos-testnet", "eosio.token", "4,TLOS"),
        // greymass/anchor 5444c52, app/shared/reducers/blockchains.js: the symbol; 4 is its default
        // precision and eosio.token its default contract.
        ("xpr", "eosio.token", "4,XPR"),
        ("xpr-testnet", "eosio.token", "4,XPR"),
        // greymass/anchor 5444c52, app/shared/reducers/blockchains.js
        ("ux", "eosio.token", "4,UTX"),
        ("libre", "eosio.token", "4,LIBRE"),
        ("libre-testnet", "eosio.token", "4,LIBRE"),
        // fioprotocol/fio.contracts fa2aa62, contracts/fio.common/fio.accounts.hpp: `FIOSYMBOL` and
        // `TokenContract`. wharfkit/common has this contract for the testnet, and eosio.token for
        // FIO itself.
        ("fio", "fio.token", "9,FIO"),
        ("fio-testnet", "fio.token", "9,FIO"),
    ]
}
