import ABICodec
import Codecs
import JSON
import Testing

@testable import Transactions

struct BlockReferenceTests {
    /// From `cleos get block 1` in the manual of cleos (AntelopeIO/leap, docs/02_cleos).
    private static let id = "0000000130d70e94e0022fd2fa035cabb9e542c34ea27f572ac90b5a7aa3d891"
    private static let prefix: UInt32 = 3_526_296_288
    private static let eos = "aca376f206b8fc25a6ed44dbdc66547c36c6c33e3a119ffbeaef943642f0e906"

    private static func read(_ answer: String) throws -> BlockReference {
        try BlockReference(answer: Array(answer.utf8), chain: ChainID("eos"))
    }

    private static func info(
        chain: String = eos, id: String = id, number: String = "1", more: String = ""
    ) -> String {
        """
        {"chain_id":"\(chain)","last_irreversible_block_num":\(number),"last_irreversible_block_id":"\(id)",\
        "head_block_num":7,"head_block_id":"00"\(more)}
        """
    }

    @Test func isTakenFromTheID() throws {
        let reference = try BlockReference(id: Self.id)
        #expect(reference.number == 1)
        #expect(reference.prefix == Self.prefix)
        #expect(try BlockReference(id: Self.id.uppercased()) == reference)
        #expect(try Self.read(Self.info()) == reference)
        let block =
            "{\"id\":\"\(Self.id)\",\"block_num\":1,\"ref_block_prefix\":\(Self.prefix),\"transactions\":[{}]}"
        #expect(try Self.read(block) == reference)
    }

    @Test func hasTheTimeOfTheBlock() throws {
        let times = #","head_block_time":"2026-11-22T15:43:06.000""#
        #expect(try BlockReference(id: Self.id).time == nil)
        #expect(try Self.read(Self.info()).time == nil)
        #expect(try Self.read(Self.info(more: times)).time?.text == "2026-11-22T15:43:06")
        let both = times + #","last_irreversible_block_time":"2026-11-22T15:43:05.500""#
        #expect(try Self.read(Self.info(more: both)).time?.text == "2026-11-22T15:43:05")
        let block = "{\"id\":\"\(Self.id)\",\"block_num\":1,\"timestamp\":\"2018-03-02T12:00:00.000\"}"
        #expect(try Self.read(block).time?.text == "2018-03-02T12:00:00")
        let error = ABIError(.invalidTime(type: "time_point")).inside(.field("head_block_time"))
        #expect(throws: BuildError.value(error)) {
            try Self.read(Self.info(more: #","head_block_time":"now""#))
        }
    }

    /// Only the low 16 bits of the number are used.
    @Test func numberIsTruncated() throws {
        #expect(try BlockReference(id: "1bd92007" + Self.id.dropFirst(8)).number == 0x2007)
    }

    @Test(arguments: [
        ("[]", BuildError.value(ABIError(.expected(.object, found: .array)))), ("{}", .block(.notAnAnswer)),
        ("{\"id\":\"\(id)\"}", .block(.notAnAnswer)), ("{\"block_num\":1}", .block(.notAnAnswer)),
        (info(number: "2"), .block(.memberDisagrees("last_irreversible_block_num"))),
        (
            "{\"id\":\"\(id)\",\"block_num\":1,\"ref_block_prefix\":1}",
            .block(.memberDisagrees("ref_block_prefix"))
        ),
        (info(id: String(repeating: "0", count: 64)), .block(.zeroID)),
        (
            info(id: "00"),
            .value(
                ABIError(.wrongHexLength(bytes: 1, expected: 32)).inside(.field("last_irreversible_block_id"))
            )
        ),
        (
            "{\"last_irreversible_block_id\":\"\(id)\"}", .value(ABIError(.missingField("chain_id")))
        ),
        (
            info(chain: "00"),
            .value(ABIError(.wrongHexLength(bytes: 1, expected: 32)).inside(.field("chain_id")))
        ),
    ])
    func refused(answer: String, error: BuildError) {
        #expect(throws: error) { try Self.read(answer) }
    }

    @Test func otherChainIsRefused() throws {
        let jungle = try ChainID("jungle4")
        #expect(throws: BuildError.transaction(.otherChain(stated: jungle))) {
            try Self.read(Self.info(chain: jungle.text))
        }
    }

    @Test func idHas64Digits() {
        #expect(throws: BuildError.value(ABIError(.wrongHexLength(bytes: 31, expected: 32)))) {
            try BlockReference(id: Self.id.dropLast(2))
        }
        #expect(throws: BuildError.value(ABIError.bytes(.invalidHexDigit(offset: 0)))) {
            try BlockReference(id: "x" + Self.id.dropFirst())
        }
        #expect(throws: BuildError.block(.zeroID)) {
            try BlockReference(id: String(repeating: "0", count: 64))
        }
    }
}

struct ExpirationTextTests {
    @Test(arguments: [
        ("3600", 1_700_003_600), ("3600s", 1_700_003_600), ("90m", 1_700_005_400), ("1h", 1_700_003_600),
        ("7d", 1_700_604_800), ("2026-12-01T00:00:00", 1_796_083_200),
    ])
    func isATime(text: String, seconds: UInt32) throws {
        #expect(try ExpirationText(text).time(now: 1_700_000_000).seconds == seconds)
    }

    @Test(arguments: [
        ("", BuildError.expiration(.unreadable)), ("h", .expiration(.unreadable)),
        ("1w", .expiration(.unreadable)),
        ("-1", .expiration(.unreadable)), ("1 h", .expiration(.unreadable)),
        ("1.5h", .expiration(.unreadable)),
        ("0", .expiration(.zeroDuration)), ("0d", .expiration(.zeroDuration)),
        ("4294967296", .expiration(.tooLate)),
        ("99999999999999999999d", .expiration(.tooLate)),
        ("2026-13-01T00:00:00", .value(ABIError(.invalidTime(type: "time_point_sec")))),
        ("2026-12-01T00:00:00Z", .value(ABIError(.invalidTime(type: "time_point_sec")))),
    ])
    func refused(text: String, error: BuildError) {
        #expect(throws: error) { try ExpirationText(text) }
    }

    @Test func lastTimeIsIn2106() throws {
        #expect(try ExpirationText("1").time(now: 4_294_967_294).text == "2106-02-07T06:28:15")
        #expect(throws: BuildError.expiration(.tooLate)) { try ExpirationText("2").time(now: 4_294_967_294) }
        #expect(throws: BuildError.expiration(.tooLate)) { try ExpirationText("1").time(now: .max) }
        #expect(throws: BuildError.expiration(.tooLate)) { try ExpirationText("1").time(now: -9) }
    }
}
