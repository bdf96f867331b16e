import ABICodec
import Transactions

/// The known tokens of a chain, looked up once for many payments.
struct ChainTokens {
    private let known: [KnownToken]
    private let hasChain: Bool

    init(_ chain: ChainID?) {
        known = chain?.chain.map(KnownToken.tokens) ?? []
        hasChain = chain != nil
    }

    /// The newest known token with a code.
    func newest(_ code: SymbolCode) -> KnownToken? { known.last { $0.symbol.code == code } }

    /// True if core.vaulta exchanges the token: EOS for A, or A for EOS.
    func isExchanged(_ symbol: Symbol, of contract: Name) -> Bool {
        known.contains { $0.contract == .coreVaulta }
            && known.contains { $0.contract == contract && $0.symbol == symbol }
    }

    func isKnown(_ symbol: Symbol, at contract: Name) -> Bool {
        guard hasChain else { return contract == .token || contract == .coreVaulta }
        return known.contains { $0.contract == contract && $0.symbol == symbol }
    }
}

extension ChainID? {
    /// True if the token is the one that the chain is known for by this name. Without a chain, only
    /// the tokens of the system contracts are known.
    package func isKnown(_ symbol: Symbol, at contract: Name) -> Bool {
        ChainTokens(self).isKnown(symbol, at: contract)
    }
}
