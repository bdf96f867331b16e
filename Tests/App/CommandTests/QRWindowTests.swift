import AirGap
import Codecs
import TestSupport
import Testing

@testable import App

/// Codes in windows of several sizes. A window that is too small is refused before a question.
struct QRWindowTests {
    private static let sign = ["sign", "transfer.json", "--chain", "eos", "--qr"]
    private static let yes = ["--yes", "--pin-file", "pin"]

    private let fixture: QRFixture

    init() throws { fixture = try QRFixture() }

    /// A transaction of 40 transfers.
    private func writeLongTransaction() throws {
        let transfer = SampleReview.transfer("bob", "1.0000 EOS", memo: String(repeating: "memo ", count: 10))
        let actions = Array(repeating: transfer, count: 40).joined(separator: ",")
        let text = """
            {"expiration": "2026-12-01T00:00:00", "ref_block_num": 1000, "ref_block_prefix": 305419896,
            "max_net_usage_words": 0, "max_cpu_usage_ms": 0, "delay_sec": 0, "context_free_actions": [],
            "actions": [\(actions)], "transaction_extensions": []}
            """
        try Files.write(Array(text.utf8), to: fixture.folder.path + "/long.json")
    }

    private static func pack(_ more: [String] = []) -> [String] {
        ["transaction", "pack", "long.json", "--chain", "eos", "--qr"] + more
    }

    /// Each screen of the text has at most these columns and rows.
    private static func expect(_ screen: String, fits columns: Int, _ rows: Int) {
        for frame in screen.split(separator: "\u{1b}[H") {
            let shown = QRFixture.rows(frame)
            #expect(shown.count + (frame.contains("press any key") ? 1 : 0) <= rows)
            #expect(shown.allSatisfy { $0.count <= columns })
        }
    }

    // A window of the usual size.

    @Test func transactionsFit() throws {
        let pack = ["transaction", "pack", "transfer.json", "--chain", "eos", "--qr"]
        let packing = try fixture.start(pack, rows: 24)
        let unsigned = try fixture.readSequence(packing).message
        #expect(unsigned.type == .transaction)
        let signing = try fixture.start(Self.sign + Self.yes, rows: 24)
        try fixture.expectSigned(fixture.readSequence(signing).message)
        for job in [packing, signing] { Self.expect(job.screen, fits: 80, 24) }
    }

    @Test(arguments: [
        ["create", "--pin-file", "pin"], ["list"], ["show", "one"],
        ["request", "create", "transfer.json", "--chain", "eos"],
    ])
    func oneCodeFits(command: [String]) throws {
        let screen = try fixture.run(command + ["--qr"], rows: 24)
        #expect(try fixture.read(QRFixture.rows(screen)).contains(/^(EOS|esr:)/))
        Self.expect(screen, fits: 80, 24)
    }

    @Test func signaturesFit() throws {
        let arguments = Self.sign + Self.yes + ["--format", "signatures"]
        let job = try fixture.start(arguments, rows: 24)
        #expect(try fixture.readSequence(job).message.type == .signatures)
        Self.expect(job.screen, fits: 80, 24)
    }

    /// A node's answer for the offline machine.
    @Test func aFileFits() throws {
        var random = SplitMix(seed: 5)
        let note = Base64.encode((0..<300).map { _ in UInt8.random(in: 0...255, using: &random) })
        let answer = #"{"account_name":"alice","permissions":[],"note":"\#(note)"}"#
        try Files.write(Array(answer.utf8), to: fixture.folder.path + "/alice.json")
        let job = try fixture.start(["qr", "alice.json"], rows: 24)
        let (message, count) = try fixture.readSequence(job)
        guard case .file(let file) = try AirGapMessage(message) else {
            Issue.record("another type: \(message.type.name)")
            return
        }
        #expect(file.content == Array(answer.utf8) && count > 3)
        Self.expect(job.screen, fits: 80, 24)
        let few = try fixture.run(["qr", "alice.json"], rows: 60, columns: 200)
        let text = try fixture.read(QRFixture.rows(few)).dropLast()
        #expect(try UniformResource(text.utf8) == message)
    }

    // Other windows.

    @Test func aLargerWindowHasFewerCodes() throws {
        try writeLongTransaction()
        func read(_ columns: Int, _ rows: Int, _ more: [String] = []) throws -> (UniformResource, Int) {
            let job = try fixture.start(Self.pack(more), rows: rows, columns: columns)
            let read = try fixture.readSequence(job)
            Self.expect(job.screen, fits: columns, rows)
            return (read.message, read.count)
        }
        let (message, few) = try read(200, 60)
        let (same, more) = try read(200, 60, ["--qr-fragment", "500"])
        #expect(message == same && message.type == .transaction)
        let length = message.cbor.count
        // --qr-fragment is the most bytes of a code, and the window has room for more.
        #expect(more == (length + 499) / 500 && few < more)
    }

    /// At the smallest allowed number of bytes, the number is a maximum too.
    @Test func aFragmentIsAMaximum() throws {
        let message = try AirGapMessage.signingRequest(
            RequestMessage(link: "esr:" + String(repeating: "a", count: 1001))
        )
        .resource()
        for fragment in 10...130 {
            let sequence = try QRSequence(message, fragment: fragment)
            #expect(sequence.count == (message.cbor.count + fragment - 1) / fragment)
        }
    }

    /// A terminal that reports no size has 80 columns and 24 rows.
    @Test func aTerminalWithoutASize() throws {
        let job = try fixture.start(Self.sign + Self.yes, rows: 0, columns: 0)
        try fixture.expectSigned(fixture.readSequence(job).message)
        Self.expect(job.screen, fits: 80, 24)
    }

    /// A code needs black and white.
    @Test func noColorChangesNoCode() throws {
        let screen = try fixture.run(["list", "--qr"], rows: 24, more: ["NO_COLOR": "1"])
        #expect(try fixture.read(QRFixture.rows(screen)).hasPrefix("EOS6gsQX"))
    }

    // Windows that are too small.

    @Test(arguments: [
        sign, sign + ["--unlock-first"], sign + ["--format", "signatures"], ["create", "--qr"],
        ["list", "--verify", "--qr"], ["show", "one", "--verify", "--qr"],
    ])
    func aSmallWindowIsRefusedBeforeAQuestion(command: [String]) throws {
        let screen = try fixture.run(command, rows: 12, columns: 40, status: 1)
        let words = screen.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        #expect(words.hasPrefix("eosvault: error: the QR code needs "))
        #expect(words.contains(/needs [0-9]+ columns and [0-9]+ rows; the terminal has 40 and 12/))
        #expect(words.contains("hint: enlarge the window, make its font smaller, or write a picture with"))
    }

    /// The size in the error is enough.
    @Test func theNeededSizeIsEnough() throws {
        try writeLongTransaction()
        let screen = try fixture.run(Self.pack(), rows: 12, columns: 40, status: 1)
        let words = screen.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        let match = try #require(words.firstMatch(of: /needs ([0-9]+) columns and ([0-9]+) rows/))
        let (columns, rows) = (try #require(Int(match.1)), try #require(Int(match.2)))
        for (columns, rows) in [(columns - 1, rows), (columns, rows - 1)] {
            #expect(
                try fixture.run(Self.pack(), rows: rows, columns: columns, status: 1).contains("needs"))
        }
        let job = try fixture.start(Self.pack(), rows: rows, columns: columns)
        try job.expect("code 1, ")
        Self.expect(job.screen, fits: columns, rows)
        try job.type("q")
        #expect(try job.next().event == .exited(0))
    }

    /// The hint has the largest --qr-fragment that fits.
    @Test func aLargeFragmentIsRefusedBeforeTheQuestion() throws {
        let screen = try fixture.run(Self.sign + ["--qr-fragment", "200"], rows: 24, status: 1)
        let words = screen.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        #expect(words.hasPrefix("eosvault: error: the QR code needs "))
        let match = try #require(words.firstMatch(of: /smaller, give `--qr-fragment ([0-9]+)` or less, or/))
        let fragment = try #require(Int(match.1))
        let arguments = Self.sign + Self.yes + ["--qr-fragment"]
        let job = try fixture.start(arguments + ["\(fragment)"], rows: 24)
        try fixture.expectSigned(fixture.readSequence(job).message)
        #expect(
            try fixture.run(arguments + ["\(fragment + 1)"], rows: 24, status: 1).contains(
                "the QR code needs"))
    }

    /// The address of a callback is one code, and no program joins the parts of one.
    @Test func aLongAddressIsRefusedBeforeTheQuestion() throws {
        let link = try fixture.run([
            "request", "create", "transfer.json", "--chain", "eos", "--callback",
            "https://example.com/{{tx}}{{sig}}{{tx}}{{tx}}",
        ]).split(separator: "\n").joined()
        let sign = [
            "sign", link, "--chain", "eos", "--account", "alice", "--format", "callback", "--qr",
            "--block-id", "0001e24000000000efbeadde00000000000000000000000000000000000000ff",
        ]
        let screen = try fixture.run(sign, rows: 24, status: 1)
        #expect(screen.hasPrefix("eosvault: error: the QR code needs "))
        let enough = try fixture.run(sign + Self.yes, rows: 60)
        #expect(try fixture.read(QRFixture.rows(enough)).hasPrefix("https://example.com/"))
    }
}
