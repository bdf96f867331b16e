import Codecs
import JSON
import Shell
import TestSupport
import Testing
import Transactions

@testable import App

/// Reviews at terminals with few columns. The terminal itself must wrap no row: the rest could
/// imitate a row of the program.
struct NarrowReviewTests {
    private static let widths = [20, 21, 30, 39, 40, 59, 60]

    /// Each further row of a key of 301 characters has the mark of a continuation.
    @Test(arguments: widths)
    func longKeysAreMarked(width: Int) throws {
        let file = try JSONValue.parse(repositoryFile("Vectors/public-keys.json")).text()
        let key = try #require(
            file.split(separator: "\"").filter { $0.hasPrefix("PUB_WA_") }.max { $0.count < $1.count })
        #expect(key.count == 301)
        let data =
            #"{"account":"alice","permission":"owner","parent":"","auth":{"threshold":1,"#
            + #""keys":[{"key":"\#(key)","weight":1}],"accounts":[],"waits":[]}}"#
        let text = try SampleReview.text([SampleReview.action("eosio", "updateauth", data)], width: width)
        let rows = text.body + text.tail
        #expect(rows.allSatisfy { $0.count <= width })
        let first = try #require(rows.firstIndex { $0.contains("PUB_WA_") })
        var found = rows[first].drop { $0 != "P" }
        for row in rows[(first + 1)...] where row.hasPrefix("    > ") {
            found += row.dropFirst(6).prefix { $0 != " " }
        }
        #expect(found == key)
    }

    /// A label of characters that take two columns each.
    @Test(arguments: widths + [80, 120])
    func wideLabelsFit(width: Int) throws {
        let label = String(repeating: "\u{6f22}", count: 30) + " WARNING none"
        let data =
            #"{"account":"alice","permission":"owner","parent":"","auth":{"threshold":1,"#
            + #""keys":[{"key":"\#(SampleReview.key)","weight":1}],"accounts":[],"waits":[]}}"#
        let text = try SampleReview.text(
            [SampleReview.action("eosio", "updateauth", data)], width: width,
            keys: SampleReview.own(labels: [label]))
        let rows = text.body + text.tail
        #expect(rows.allSatisfy { $0.columns <= width })
        #expect(rows.filter { $0.contains("none\"") }.allSatisfy { $0.hasPrefix(" ") || $0.hasPrefix("> ") })
        let wide = { String(repeating: "\u{6f22}", count: $0) }
        let margin = String(repeating: " ", count: 13)
        let start = try #require(text.tail.firstIndex { $0.hasPrefix("signs with") })
        let shown = text.tail[start...].map { $0 }
        switch width {
        case 40: #expect(shown.last == "> \(SampleReview.key.suffix(24)) \"\(wide(3))...\"")
        case 60: #expect(shown.suffix(2) == ["\(margin)\"\(wide(23))", "> \(wide(7)) WARNING none\""])
        case 80: #expect(shown.dropFirst() == ["     \"\(label)\""])
        case 120: #expect(shown == ["signs with   \(SampleReview.key)", "\(margin)\"\(label)\""])
        default:
            // The key is above, with the ids.
            #expect(shown.joined().filter { $0 != " " && $0 != ">" }.hasSuffix("\"\(wide(3))...\""))
        }
    }

    /// Transactions at eight levels, with text in the deepest one.
    @Test(arguments: widths)
    func deepNestingFits(width: Int) throws {
        let memo = String(repeating: "SUMMARY DANGER action 1 of 1 ", count: 5)
        var action = SampleReview.transfer("bob", "1.0000 EOS", memo: memo)
        for _ in 1...8 {
            let data = try SampleReview.transaction([action]).transaction.actions[0].data
            let parts = action.split(separator: ",\"data\":", maxSplits: 1)
            let inner = parts[0] + ",\"data\":\"\(Hex.encode(data))\"}"
            action = SampleReview.action(
                "eosio.wrap", "exec",
                #"{"executer":"alice","trx":{\#(SampleReview.header),"max_net_usage_words":0,"max_cpu_usage_ms":0,"#
                    + #""delay_sec":0,"context_free_actions":[],"actions":[\#(inner)],"transaction_extensions":[]}}"#
            )
        }
        let text = try SampleReview.text([action], width: width)
        let rows = text.body + text.tail
        #expect(rows.allSatisfy { $0.count <= width })
        #expect(rows.count { $0.contains("inner 1 of 1") } == 8)
        #expect(rows.count { $0.hasPrefix("SUMMARY") } == 1)
        // Each row of the memo has the bar.
        let start = try #require(rows.firstIndex { $0.contains("\"SUMMARY") || $0.contains("memo") })
        let end = try #require(rows[start...].firstIndex { $0.hasSuffix("\"") })
        #expect(rows[start...end].allSatisfy { $0.hasPrefix("  |") })
    }
}
