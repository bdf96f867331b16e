import JSON
import TerminalText
import Testing
import Transactions

@testable import Signing
@testable import eosvault

/// The summary says what is not in its lists.
struct SummaryTextTests {
    private static func summary(_ actions: [String], limit: Int) throws -> Summary {
        var running = RunningSummary(limit: limit)
        running.add(try Review(of: SampleReview.transaction(actions), chain: ChainID("eos"), abis: ContractABIs()))
        return running.summary
    }

    private static func rows(_ actions: [String], limit: Int) throws -> [String] {
        try SummaryText(summary: summary(actions, limit: limit), chain: ChainID("eos"), width: 80).rows
    }

    private static let transfers = ["bob", "carol", "dave", "eve"].map { SampleReview.transfer($0, "1.0000 EOS") }

    @Test func namesRecipientsThatAreNotListed() throws {
        #expect(
            try Self.rows(Self.transfers, limit: 2) == [
                "SUMMARY      4 actions: 4 eosio.token::transfer",
                "  alice pays 4.0000 EOS to more than 2 accounts:",
                "       2.0000 EOS to accounts that are not listed in 2 payments (50.00 %)",
                "       1.0000 EOS to bob (25.00 %)",
                "       1.0000 EOS to carol (25.00 %)",
            ])
        #expect(try Self.rows(Self.transfers, limit: 100_000)[1] == "  alice pays 4.0000 EOS to 4 accounts:")
    }

    @Test func countsWhatIsNotListed() throws {
        let payers = ["alice", "bob", "carol"].map { SampleReview.transfer("grace", "1.0000 EOS", from: $0) }
        let summary = try Self.summary(payers, limit: 1)
        #expect(summary.omittedCount == 1)
        #expect(
            try Self.rows(payers, limit: 1).first
                == "SUMMARY      3 actions, 1 payment or change NOT LISTED: 3 eosio.token::transfer")
        #expect(summary.json.text().hasSuffix(#""not_listed":1}"#))
        #expect(try Self.summary(payers, limit: 2).json.text().hasSuffix(#""not_listed":0}"#))
    }

    /// Decimals do not decide which token is listed first.
    @Test func listsTheGreatestAmountsFirst() throws {
        let transfers = [
            SampleReview.transfer("bob", "2.00000000 SPAM"), SampleReview.transfer("carol", "7.0 GOLD"),
            SampleReview.transfer("dave", "1.0000 EOS"),
        ]
        #expect(
            try Self.rows(transfers, limit: 100).dropFirst() == [
                "  alice pays 1.0000 EOS to dave", "  alice pays 7.0 GOLD@eosio.token to carol",
                "  alice pays 2.00000000 SPAM@eosio.token to bob",
            ])
    }

    /// No token is known on a chain that is not built in, so each is shown with its contract.
    @Test func namesTheContractOnUnknownChains() throws {
        func rows(_ chain: String?) throws -> [String] {
            let summary = try Self.summary([SampleReview.transfer("bob", "1.0000 EOS")], limit: 9)
            return try SummaryText(summary: summary, chain: chain.map { try ChainID($0) }, width: 80).rows
        }
        #expect(try rows(String(repeating: "5", count: 64)).joined().contains(" 1.0000 EOS@eosio.token to bob"))
        #expect(try rows("eos").joined().contains(" 1.0000 EOS to bob"))
        #expect(try rows(nil).joined().contains(" 1.0000 EOS to bob"))
    }

    /// No text of a label looks like the program's.
    @Test func quotesInLabelsAreEscaped() {
        #expect(Printable.label(#"cold", in this vault, "x\"#) == #""cold\", in this vault, \"x\\""#)
        #expect(Printable.label("cold one") == #""cold one""#)
    }
}
