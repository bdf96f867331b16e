import ABICodec
import Testing

@testable import Transactions

struct BuiltInABITests {
    /// One that did not compile would be missing, and its actions refused as those of an unknown contract.
    @Test(arguments: [
        ("eosio", "delegatebw"), ("eosio.token", "transfer"), ("eosio.msig", "propose"), ("eosio.wrap", "exec"),
        ("core.vaulta", "transfer"),
    ])
    func compiles(account: String, action: String) throws {
        let abi = try #require(BuiltInABI.abi(for: Name(account)))
        #expect(try abi.actionType(for: Name(action)) != nil)
        #expect(abi.warnings == [])
    }

    @Test func otherAccountsHaveNone() throws {
        let abi = BuiltInABI.abi(for: try Name("eosio.tokens"))
        #expect(abi.map { _ in true } == nil)
    }
}
