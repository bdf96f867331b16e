import JSON
import Testing
import Transactions

@testable import Policy

struct TransactionLogTests {
    @Test func timesChainsAndTransactionsAreRead() throws {
        let text = """
            [
             {"time": "2026-12-01T09:30:00Z", "transaction": {"a": [1, "}"]}},
             {"transaction": "00\\u0066", "chain": "eos", "time": 4294967295},
             {"time": "1970-01-01T00:00:00.999", "transaction": ""}
            ]
            """
        let entries = try TransactionLog(Array(text.utf8), chain: ChainID("wax")).entries
        #expect(entries.map(\.time) == [1_796_117_400, .max, 0])
        #expect(entries.map(\.place) == (2...4).map { TextPlace(line: $0, column: 2) })
        #expect(try entries.map(\.chain) == ["wax", "eos", "wax"].map { try ChainID($0) })
        #expect(
            entries.map { String(decoding: $0.transaction, as: UTF8.self) } == [
                #"{"a": [1, "}"]}"#, "00f", "",
            ])
        #expect(try TransactionLog(Array("[ ]".utf8), chain: nil).entries.isEmpty)
    }

    private static let names = ["time", "chain", "transaction"]

    @Test(
        arguments: [
            ("", .json(.unexpectedEnd), 1), ("{}", .expected(.array, found: .object), 1),
            ("[{}", .json(.unexpectedEnd), 4), ("[] 1", .json(.trailingBytes), 4),
            ("[1]", .expected(.object, found: .number), 2), ("[{}]", .missingMember("time"), 2),
            (#"[{"time":1}]"#, .missingMember("transaction"), 2),
            (#"[{"x":1}]"#, .unknownMember("x", known: names), 3),
            (#"[{"time":1,"time":1,"transaction":""}]"#, .json(.duplicateKey), 12),
            (#"[{"time":-1,"transaction":""}]"#, .value(.time), 10),
            (#"[{"time":1.0,"transaction":""}]"#, .value(.time), 10),
            (#"[{"time":4294967296,"transaction":""}]"#, .value(.time), 10),
            (#"[{"time":null,"transaction":""}]"#, .value(.time), 10),
            (#"[{"time":"1","transaction":""}]"#, .value(.time), 10),
            (#"[{"time":"1969-12-31T23:59:59Z","transaction":""}]"#, .value(.time), 10),
            (#"[{"time":"2106-02-07T06:28:16Z","transaction":""}]"#, .value(.time), 10),
            (#"[{"time":"2026-12-01T09:30:00+09:00","transaction":""}]"#, .value(.time), 10),
            (#"[{"time":"2026-02-29T09:30:00Z","transaction":""}]"#, .value(.time), 10),
            (#"[{"time":1,"transaction":1}]"#, .value(.transaction), 26),
            (#"[{"time":1,"transaction":[]}]"#, .value(.transaction), 26),
            (#"[{"time":1,"chain":1,"transaction":""}]"#, .expected(.string, found: .number), 20),
            (
                #"[{"time":1,"chain":"aca376f206b8fc25","transaction":""}]"#,
                .value(.chain(.wrongLength(expected: 64))), 20
            ),
        ] as [(String, PolicyError.Reason, Int)])
    func refusals(text: String, reason: PolicyError.Reason, column: Int) {
        #expect(throws: TransactionLogError(reason: reason, place: TextPlace(line: 1, column: column))) {
            try TransactionLog(Array(text.utf8), chain: ChainID("wax"))
        }
    }

    @Test func eachTransactionHasAChain() {
        #expect(
            throws: TransactionLogError(reason: .missingMember("chain"), place: TextPlace(line: 1, column: 2))
        ) { try TransactionLog(Array(#"[{"time":1,"transaction":""}]"#.utf8), chain: nil) }
    }

    @Test func sizeAndCountAreLimited() {
        let limit = TransactionLog.maximumCount
        let many = Array("[\n{}".utf8) + (1...limit).flatMap { _ in Array(",{}".utf8) } + Array("]".utf8)
        #expect(
            throws: TransactionLogError(
                reason: .tooMany(limit: limit), place: TextPlace(line: 2, column: 3 * limit + 1))
        ) { try TransactionLog(many, chain: nil) }
        let long = [UInt8](repeating: UInt8(ascii: " "), count: TransactionLog.maximumSize + 1)
        #expect(
            throws: TransactionLogError(
                reason: .json(.tooLong(limit: TransactionLog.maximumSize)),
                place: TextPlace(line: 1, column: 1))
        ) { try TransactionLog(long, chain: nil) }
    }
}
