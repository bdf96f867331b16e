import ABICodec
import Codecs
import JSON

/// An amount of a token and the contract that keeps the token's balances.
///
/// Without a stated contract, the token must be known for the chain, and the amount must have the
/// token's exact precision. `1.0 EOS` is not `1.0000 EOS`: for a contract, they are amounts of two
/// tokens.
package struct TokenAmount: Sendable {
    package let asset: Asset
    package let contract: Name

    /// - Parameters:
    ///   - text: `1.0000 EOS`
    ///   - contract: the token's contract, if the caller states it.
    package init(_ text: String, chain: ChainID, contract given: Name?) throws(BuildError) {
        asset = try converting(BuildError.value, Asset(text))
        let known = chain.chain.map { KnownToken.tokens(of: $0) } ?? []
        let symbol = asset.symbol
        let named = known.first { $0.symbol.code == symbol.code && (given == nil || $0.contract == given) }
        if let named, named.symbol != symbol { throw .amount(.wrongPrecision(symbol, known: named)) }
        guard let contract = given ?? named?.contract else { throw .amount(.unknownToken(symbol)) }
        self.contract = contract
    }

    /// The account of the system contract that takes this token: core.vaulta for its own token,
    /// otherwise eosio.
    var systemContract: Name { contract == .coreVaulta ? .coreVaulta : .eosio }

    var json: JSONValue { .string(asset.text) }

    func expectPositive() throws(BuildError) {
        guard asset.amount > 0 else { throw .amount(asset.amount < 0 ? .negative : .notPositive) }
    }
}
