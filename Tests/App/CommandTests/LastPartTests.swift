import Policy
import Shell
import Signing
import Testing
import Transactions

@testable import App

/// The rows between the actions and the answer. Whatever a transaction contains, they fit on a
/// terminal with 24 rows, and no danger is missing.
struct LastPartTests {
    private static let widths = [15, 20, 40, 60, 80, 120]
    private static let lastRows = 24

    private static func authority(_ keys: [String], threshold: Int, accounts: [String]) -> String {
        let keys = keys.map { "{\"key\":\"\($0)\",\"weight\":1}" }.joined(separator: ",")
        let accounts = accounts.map {
            "{\"permission\":{\"actor\":\"\($0)\",\"permission\":\"active\"},\"weight\":1}"
        }
        return """
            {"threshold":\(threshold),"keys":[\(keys)],"accounts":[\(accounts.joined(separator: ","))],"waits":[]}
            """
    }

    /// Actions that together give almost every warning.
    private static let everyWarning: [String] = {
        let account = "accountaaaaa"
        let foreign = authority([SampleReview.foreignKey], threshold: 3, accounts: ["bob", "carol"])
        func update(_ permission: String, _ parent: String) -> String {
            SampleReview.action(
                "eosio", "updateauth",
                #"{"account":"\#(account)","permission":"\#(permission)","parent":"\#(parent)","auth":\#(foreign)}"#,
                by: ["\(account)@owner", "\(account)@owner"])
        }
        let level = #"{"actor":"bob","permission":"active"}"#
        let linked = #""account":"\#(account)","code":"eosio.token""#
        return [
            update("owner", ""), update("active", "owner"), update("claim", "active"),
            SampleReview.action("eosio", "linkauth", "{\(linked),\"type\":\"\",\"requirement\":\"claim\"}"),
            SampleReview.action(
                "eosio", "linkauth", "{\(linked),\"type\":\"issue\",\"requirement\":\"claim\"}"),
            SampleReview.action(
                "eosio", "linkauth", "{\(linked),\"type\":\"issue\",\"requirement\":\"eosio.any\"}"),
            SampleReview.action("eosio", "unlinkauth", "{\(linked),\"type\":\"issue\"}"),
            SampleReview.action("eosio", "deleteauth", #"{"account":"\#(account)","permission":"claim"}"#),
            SampleReview.action(
                "eosio", "setcode", #"{"account":"\#(account)","vmtype":0,"vmversion":0,"code":"0061736d"}"#),
            SampleReview.action("eosio", "setabi", #"{"account":"\#(account)","abi":"00"}"#),
            SampleReview.action("eosio", "setpriv", #"{"account":"\#(account)","is_priv":1}"#),
            SampleReview.action(
                "eosio", "sellram", #"{"account":"\#(account)","bytes":1}"#, by: ["eosio@active"]),
            SampleReview.action(
                "eosio.msig", "approve", #"{"proposer":"bob","proposal_name":"payroll","level":\#(level)}"#),
            SampleReview.action(
                "eosio.msig", "exec", #"{"proposer":"bob","proposal_name":"payroll","executer":"alice"}"#),
            SampleReview.transfer("eosio", "0.0000 EOS"), SampleReview.transfer("core.vaulta", "-1.0000 EOS"),
            SampleReview.transfer("", "1.00 EOS"),
            SampleReview.transfer("binancec1eos", "1000000000.0000 EOS"),
            SampleReview.action("dex", "trade", "\"00\"", by: ["alice@eosio.code"]),
            SampleReview.action("eosio.token", "close", #"{"owner":"a","symbol":"4,EOS"}"#, by: []),
        ]
    }()

    private static let otherWarnings = """
        ,"delay_sec":7,"max_cpu_usage_ms":1,"transaction_extensions":[[0,""]],"context_free_data":["00"],\
        "context_free_actions":[{"account":"dex","name":"trade","authorization":[],"data":"00"}]
        """
    private static let unknownChain = String(repeating: "5", count: 64)

    private static func check(_ text: ReviewText, _ comment: String) throws {
        let tail = text.tail
        let review = text.review
        let dangers = review.dangers(own: text.own)
        let these = "these \(Amount.text(review.summary.actionCount)) actions"
        // The longest question.
        let again = text.width < 60 ? "(v: review)" : "(v shows the review again)"
        let start = "To sign \(these) (1,000 inner) for Vaulta (EOS) \(again),"
        let request = "type the account of approval-without-hash: "
        let question = WordWrap.rows(start, width: text.width - 1, indent: 2) + [request]
        #expect(
            (tail + question).height(at: text.width) <= lastRows,
            "\(comment)\n\(tail.joined(separator: "\n"))")
        for danger in dangers {
            #expect(tail.contains { $0.contains(danger.code.rawValue) }, "\(danger.code)")
        }
        let body = text.body
        for warning in review.warnings(now: text.now, own: text.own) {
            let row = "\(warning.severity.title) \(warning.code.rawValue):"
            #expect((body + tail).contains { $0.contains(row) }, "\(row)")
        }
        for row in body + tail {
            #expect(row.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }, "\(row)")
        }
    }

    @Test(arguments: widths.filter { $0 >= 40 })
    func everyWarningAtOnce(width: Int) throws {
        let labels = (1...50).map { "label \($0) " + String(repeating: "x", count: 50) }
        let keys = try SampleReview.own(labels: labels)
        for chain in ["eos", Self.unknownChain] {
            for now in [
                SampleReview.expiration - 60, SampleReview.expiration - 20_000, SampleReview.expiration + 5,
            ] {
                var text = try SampleReview.text(
                    Self.everyWarning, more: Self.otherWarnings, chain: chain, blind: ["dex::trade"],
                    width: width,
                    keys: keys)
                text = ReviewText(review: text.review, now: now, own: text.own, keys: keys, width: width)
                #expect(text.review.dangers(own: text.own).count >= 8)
                try Self.check(text, "\(chain) \(now)")
            }
        }
    }

    /// Without other warnings, one danger of each kind is printed in full.
    @Test func firstDangerIsPrinted() throws {
        let text = try SampleReview.text(Self.everyWarning, blind: ["dex::trade"])
        #expect(text.tail.contains { $0.hasPrefix("DANGER owner-change: ") })
        #expect(text.body.contains("all warnings:"))
    }

    @Test(arguments: widths.filter { $0 >= 40 })
    func manyPayers(width: Int) throws {
        var random = RandomText(seed: 7)
        for count in [2, 3, 8, 100] {
            let names = (0..<count).map { _ in (random.account(), random.account()) }
            for symbol in ["EOS", "MMMMMMM"] {
                let actions = names.map {
                    SampleReview.transfer(
                        $0.1, "461168601842738.7903 \(symbol)", from: $0.0, contract: "mmmmmmmmmmmm")
                }
                let abi = ContractABIs()
                let packed = try actions.map { try Self.packed($0, abi) }
                let text = try SampleReview.text(packed, blind: ["mmmmmmmmmmmm::transfer"], width: width)
                try Self.check(text, "\(count) \(symbol)")
                let known = try SampleReview.text(
                    names.map { SampleReview.transfer($0.1, "461168601842738.7903 \(symbol)", from: $0.0) },
                    width: width)
                try Self.check(known, "\(count) \(symbol)")
                #expect(known.tail.contains { $0.contains(names[0].0) })
            }
        }
    }

    /// The action with its data as bytes.
    private static func packed(_ action: String, _ abis: ContractABIs) throws -> String {
        let known = action.replacing("\"account\":\"mmmmmmmmmmmm\"", with: "\"account\":\"eosio.token\"")
        let bytes = try SampleReview.transaction([known]).transaction.actions[0].data
        let from = action.split(separator: "\"actor\":\"")[1].prefix { $0 != "\"" }
        return SampleReview.action("mmmmmmmmmmmm", "transfer", "\"\(hex(bytes))\"", by: ["\(from)@active"])
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test(arguments: widths.filter { $0 >= 40 })
    func manyKinds(width: Int) throws {
        var random = RandomText(seed: 9)
        let names = (0..<200).map { _ in (random.account(), random.account()) }
        let text = try SampleReview.text(
            names.map { SampleReview.action($0.0, $0.1, "\"00\"") }, blind: names.map { "\($0.0)::\($0.1)" },
            width: width)
        try Self.check(text, "kinds")
    }

    /// On any terminal, the last screen shows who pays what to whom and what to type: ids and
    /// digests are shown before it.
    @Test(arguments: widths)
    func decisiveRowsAreOnTheLastScreen(width: Int) throws {
        for (actions, danger) in [
            (
                [
                    SampleReview.transfer(
                        "mallory", "1000000.0000 EOS", memo: String(repeating: "x", count: 200))
                ], false
            ),
            ([SampleReview.transfer("mallory", "1000000.0000 EOS"), Self.everyWarning[2]], true),
        ] {
            let text = try SampleReview.text(actions, width: width)
            let start =
                danger
                ? "To sign these 2 actions for Vaulta (EOS), type the account of foreign-account: " : ""
            let question = start.isEmpty ? "Sign this 1 action for Vaulta (EOS) (v: review)? [y/N] " : start
            let last = (text.tail + WordWrap.rows(question, width: width - 1, indent: 2)).suffix(
                Self.lastRows)
            #expect(text.tail.allSatisfy { $0.columns <= width }, "\(last)")
            let rows = last.joined(separator: " ").split(separator: " ").joined(separator: " ")
            #expect(
                rows.contains("alice pays 1,000,000.0000 EOS to mallory"), "\(last.joined(separator: "\n"))")
            #expect(!danger || rows.contains("foreign-account"), "\(last.joined(separator: "\n"))")
            let all = (text.body + text.tail).joined(separator: " ").filter { $0 != " " && $0 != ">" }
            #expect(all.contains("digest") && all.contains(text.review.transaction.id))
        }
    }

    /// Small stakes and purchases of RAM do not hide a transfer.
    @Test(arguments: widths.filter { $0 >= 40 })
    func smallPaymentsHideNone(width: Int) throws {
        var actions: [String] = []
        for name in ["frienda", "friendb", "friendc", "friendd"] {
            actions.append(
                SampleReview.action(
                    "eosio", "delegatebw",
                    #"{"from":"alice","receiver":"\#(name)","stake_net_quantity":"0.0001 EOS","#
                        + #""stake_cpu_quantity":"0.0000 EOS","transfer":false}"#))
            actions.append(
                SampleReview.action(
                    "eosio", "buyram", #"{"payer":"alice","receiver":"\#(name)","quant":"0.0001 EOS"}"#))
        }
        actions.append(SampleReview.transfer("mallory", "1000000.0000 EOS"))
        let text = try SampleReview.text(actions, width: width)
        try Self.check(text, "small")
        let tail = text.tail.joined(separator: " ").split(separator: " ").joined(separator: " ")
        #expect(tail.contains("1,000,000.0000 EOS to mallory"))
    }

    /// One bad action in a thousand.
    @Test(arguments: widths.filter { $0 >= 40 })
    func rareActionIsSeen(width: Int) throws {
        var actions = (0..<1_000).map {
            SampleReview.transfer("bob", "0.\(String(10_001 + $0).dropFirst()) EOS")
        }
        actions[699] = Self.everyWarning[0]
        actions[499] = SampleReview.transfer("mallory", "1000000.0000 EOS")
        let text = try SampleReview.text(actions, width: width)
        try Self.check(text, "rare")
        let tail = text.tail.joined(separator: " ").split(separator: " ").joined(separator: " ")
        #expect(tail.contains("1 eosio::updateauth, 999 eosio.token::transfer"))
        #expect(
            tail.contains("owner-change")
                && (width < 80 || tail.contains("DANGER owner-change: action 700: ")))
        // In 40 columns, only the list of all warnings has room for the payment.
        let seen = width < 60 ? (text.body + text.tail).joined(separator: " ") : tail
        let words = seen.split(separator: " ").joined(separator: " ")
        #expect(words.contains("1,000,000.0000 EOS to mallory"))
    }
}
