import Testing
import Transactions

/// Names of chains, built in and given by a vault.
struct ChainNamesTests {
    private static let devnet = try? ChainID(
        "8be32650b763690b95b7d7e32d7637757a0a7392ad04f1c393872e525a2ce82b")

    @Test func aGivenNameIsReadInEitherCase() throws {
        let devnet = try #require(Self.devnet)
        let names = ChainNames([("devnet", devnet)])
        #expect(try names.id("devnet") == devnet)
        #expect(try names.id("DevNet") == devnet)
        #expect(try names.id(devnet.text) == devnet)
        #expect(try names.id("Vaulta") == ChainID("eos"))
        #expect(names.name(of: devnet) == "devnet")
        #expect(names.givenName(of: devnet) == "devnet")
        #expect(try names.name(of: ChainID("eos")) == "eos")
        #expect(ChainNames.builtIn.name(of: devnet) == nil)
    }

    @Test func anUnknownNameHasTheKnownNamesInItsError() throws {
        let names = ChainNames([("devnet", try #require(Self.devnet))])
        let known = Chain.all.map(\.name) + ["devnet"]
        #expect(throws: ChainError.unknownName(known: known)) { try names.id("testnet") }
        #expect(throws: ChainError.retired(use: "jungle4")) { try names.id("jungle") }
        #expect(throws: ChainError.unknownName(known: Chain.all.map(\.name))) {
            try ChainNames.builtIn.id("devnet")
        }
    }

    /// A later version may build in a name that a vault gave to another chain: neither is guessed.
    @Test func aNameOfTwoChainsIsRefused() throws {
        let names = ChainNames([("eos", try #require(Self.devnet))])
        #expect(throws: ChainError.ambiguous) { try names.id("EOS") }
        #expect(names.givenName(of: try ChainID("eos")) == nil)
        let same = ChainNames([("eos", try ChainID("eos"))])
        #expect(try same.id("eos") == ChainID("eos"))
        #expect(same.givenName(of: try ChainID("eos")) == nil)
    }
}
