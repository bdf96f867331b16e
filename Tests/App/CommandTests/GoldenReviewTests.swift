import ABICodec
import Codecs
import Glibc
import JSON
import Policy
import Shell
import TestSupport
import Testing
import Transactions

@testable import App
@testable import Signing

/// The text of each action of the built-in ABIs, at three widths. The texts were read by people; a
/// change of the layout changes them.
///
/// `EOSVAULT_WRITE_REVIEWS=1 swift test --filter GoldenReviewTests` writes the files again, and
/// fails. Read the difference before you commit it.
struct GoldenReviewTests {
    private static let widths = [60, 80, 120]
    private static let contracts = [
        ("eosio", "eosio"), ("eosio_older", "eosio"), ("eosio_token", "eosio.token"),
        ("eosio_msig", "eosio.msig"),
        ("eosio_wrap", "eosio.wrap"), ("core_vaulta", "core.vaulta"),
    ]
    private static let isWriting = getenv("EOSVAULT_WRITE_REVIEWS") != nil

    @Test(arguments: contracts, widths)
    func textIsRecorded(contract: (file: String, account: String), width: Int) throws {
        try Self.compare(
            Self.text(contract.file, contract.account, width),
            with: "Tests/App/CommandTests/Reviews/\(contract.file).\(width).txt")
    }

    @Test func aPrivateKeyInAMemoIsRecorded() throws {
        let key = "5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3"
        let review = try SampleReview.text([SampleReview.transfer("bob", "1.0000 EOS", memo: "key \(key)")])
        try Self.compare(review.text, with: "Tests/App/CommandTests/Reviews/memo-private-key.txt")
    }

    /// What the summary says for each action. An action has a row unless it changes nothing.
    @Test func summariesAreRecorded() throws {
        var text = ""
        for (file, account) in Self.contracts {
            for name in try Self.names(file) {
                let review = try Self.review(file, account, name, width: 1_000).review
                let row = SummaryText(review: review, own: nil, width: 1_000).rows.map { row in
                    row.split(separator: " ").joined(separator: " ")
                }.joined(separator: " / ")
                text += "\(account)::\(name): \(row)\n"
                let isEmpty = review.summary.totals.isEmpty && review.summary.changes.isEmpty
                #expect(isEmpty == ActionEffect.withoutEffect.contains(name), "\(account)::\(name)")
            }
        }
        try Self.compare(text, with: "Tests/App/CommandTests/Reviews/summaries.txt")
    }

    private static func compare(_ text: String, with path: String) throws {
        guard !Self.isWriting else {
            try Files.write(Array(text.utf8), to: repositoryRoot + "/" + path)
            Issue.record(
                "\(path) was written: read the difference, then run the test without EOSVAULT_WRITE_REVIEWS")
            return
        }
        let recorded = String(decoding: try repositoryFile(path), as: UTF8.self)
        if text != recorded { Issue.record("\(path) differs:\n\(Self.difference(from: recorded, to: text))") }
    }

    // MARK: - the samples

    /// Values that the definitions alone do not give: code, an ABI, and transactions.
    private static let fields: [String: String] = [
        "setcode": #"{"account":"alice","vmtype":0,"vmversion":0,"code":"0061736d01000000"}"#
    ]

    private static func transaction() throws -> JSONValue {
        let data = try SampleReview.transaction([SampleReview.transfer("bob", "1.0000 EOS", memo: "pay")])
            .transaction.actions[0].data
        return try JSONValue.parse(
            Array(
                """
                {\(SampleReview.header),"max_net_usage_words":0,"max_cpu_usage_ms":0,"delay_sec":0,\
                "context_free_actions":[],"actions":[\
                \(SampleReview.action("eosio.token", "transfer", "\"\(Hex.encode(data))\""))],\
                "transaction_extensions":[]}
                """.utf8))
    }

    private static func definition(_ file: String) throws -> JSONValue {
        try JSONValue.parse(repositoryFile("Sources/Antelope/Transactions/Resources/\(file)_abi.json"))
    }

    private static func names(_ file: String) throws -> [String] {
        try ABI(definition(file)).actionNames.map(\.text).sorted()
    }

    private static func review(_ file: String, _ account: String, _ name: String, width: Int) throws
        -> ReviewText
    {
        let definition = try definition(file)
        let type = try #require(try ABI(definition).actionType(for: Name(name)))
        var sample = SampleValue(definition, hasExtensions: true, fixed: ["transaction": try transaction()])
        let json = try fields[name] ?? sample.value(type.name).text()
        let data = Hex.encode(try type.encode(json: Array(json.utf8)))
        return try SampleReview.text(
            [SampleReview.action(account, name, "\"\(data)\"", by: ["accountb@active"])], width: width)
    }

    private static func text(_ file: String, _ account: String, _ width: Int) throws -> String {
        try names(file).map { name in
            let text = try review(file, account, name, width: width)
            let body = text.body.drop { !$0.hasPrefix("action ") }.prefix { !$0.hasPrefix("reference ") }
            let tail = text.tail.prefix { !$0.hasPrefix("expires ") }
            let warnings = text.tail.drop { row in !Severity.allCases.contains { row.hasPrefix($0.title) } }
                .prefix { !$0.hasPrefix("transaction ") }
            return (body + tail + warnings).map { $0 + "\n" }.joined()
        }.joined(separator: "\n")
    }

    // MARK: - the difference

    private static let shownRows = 40

    private static func difference(from old: String, to new: String) -> String {
        let (old, new) = (
            old.split(separator: "\n", omittingEmptySubsequences: false),
            new.split(separator: "\n", omittingEmptySubsequences: false)
        )
        let rows = new.difference(from: old).map { change in
            switch change {
            case .remove(let row, let text, _): (row, "line \(row + 1) recorded: \(text)")
            case .insert(let row, let text, _): (row, "line \(row + 1) now:      \(text)")
            }
        }.sorted { $0.0 < $1.0 }.map(\.1)
        let more = rows.count > shownRows ? ["and \(rows.count - shownRows) more lines"] : []
        return (rows.prefix(shownRows) + more).joined(separator: "\n")
    }
}
