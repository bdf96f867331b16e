import ABICodec
import Testing

@testable import Transactions

struct KnownTokenTests {
    @Test func everyRowIsAToken() throws {
        let tokens = KnownToken.all.map { "\($0.chain) \($0.contract.text) \($0.symbol.text)" }
        #expect(
            tokens == [
                "eos eosio.token 4,EOS", "eos core.vaulta 4,A", "jungle4 eosio.token 4,EOS",
                "jungle4 core.vaulta 4,A",
                "kylin eosio.token 4,EOS", "wax eosio.token 8,WAX", "wax-testnet eosio.token 8,WAX",
                "telos eosio.token 4,TLOS", "telos-testnet eosio.token 4,TLOS", "xpr eosio.token 4,XPR",
                "xpr-testnet eosio.token 4,XPR", "ux eosio.token 4,UTX", "libre eosio.token 4,LIBRE",
                "libre-testnet eosio.token 4,LIBRE", "fio fio.token 9,FIO", "fio-testnet fio.token 9,FIO",
            ])
    }

    /// A review and a new transaction find the contract of a token by its symbol, so a chain has
    /// each code only once.
    @Test(arguments: Chain.all) func everyChainHasEachCodeOnce(_ chain: Chain) {
        let codes = KnownToken.tokens(of: chain).map(\.symbol.code)
        #expect(!codes.isEmpty)
        #expect(Set(codes).count == codes.count)
    }
}
