import AirGap
import Codecs
import Glibc
import Keys
import Shell
import TestSupport
import Testing
import Transactions

@testable import App

/// Codes on a real terminal. Their half-blocks are drawn as pictures, which zbarimg reads.
struct QRTerminalTests {
    private let fixture: QRFixture

    init() throws { fixture = try QRFixture() }

    @discardableResult
    private func run(
        _ arguments: [String], rows: Int = 50, terminal: String = "xterm", status: Int32 = 0
    ) throws -> String {
        try fixture.run(arguments, rows: rows, terminal: terminal, status: status)
    }

    private func read(_ screen: String) throws -> String { try fixture.read(QRFixture.rows(screen)) }

    @Test(arguments: [["list"], ["show", "one"]])
    func keysAreReadBack(command: [String]) throws {
        let screen = try run(command + ["--qr"])
        #expect(try read(screen) == "EOS6gsQXzM6CLbhbDKLEteS6PZb6W2UaHDLvtQN56gxEGYsBZ6rcC\n")
        #expect(screen.hasSuffix("\u{1b}[0m\n"))
    }

    @Test func aNewKeyIsReadBack() throws {
        let screen = try run(["create", "--pin-file", "pin", "--qr"])
        let text = try #require(screen.firstMatch(of: /EOS[A-Za-z0-9]{50}/)?.output)
        #expect(try read(screen) == text + "\n")
    }

    /// A line feed would scroll the first row away.
    @Test func aCodeThatFillsTheScreenHasNoFinalLineFeed() throws {
        let screen = try run(["list", "--qr"], rows: 19)
        #expect(QRFixture.rows(screen).count == 19)
        #expect(screen.hasSuffix("\u{1b}[0m"))
        #expect(try run(["list", "--qr"], rows: 20).hasSuffix("\u{1b}[0m\n"))
    }

    @Test func aSmallTerminalIsRefused() throws {
        let screen = try run(["list", "--qr"], rows: 18, status: 1)
        #expect(
            screen.replacing("\n  ", with: " ").contains(
                """
                eosvault: error: the QR code needs 37 columns and 19 rows; the terminal has 80 and 18
                eosvault: hint: enlarge the window, make its font smaller, or write a picture with --qr-file FILE.png

                """))
        #expect(QRFixture.rows(screen).isEmpty)
    }

    /// The key is not made.
    @Test func aSmallTerminalMakesNoKey() throws {
        let screen = try run(["create", "--pin-file", "pin", "--qr"], rows: 18, status: 1)
        #expect(screen.contains("the QR code needs 37 columns and 19 rows"))
        #expect(try run(["list"]).split(separator: "\n").count { $0.contains("EOS") } == 1)
        let narrow = ["create", "--pin-file", "pin", "--qr", "--qr-fragment", "10"]
        #expect(try run(narrow, rows: 10, status: 1).contains("the QR code needs"))
        #expect(try run(["list"]).split(separator: "\n").count { $0.contains("EOS") } == 1)
    }

    /// A link is one code, without its text. A large one is a sequence.
    @Test func aLinkIsReadBack() throws {
        let create = ["request", "create", "transfer.json", "--chain", "eos", "--qr"]
        let screen = try run(create)
        #expect(try read(screen).hasPrefix("esr://"))
        #expect(!screen.contains("esr:"))
        let job = try fixture.start(create + ["--qr-fragment", "20"], rows: 40)
        try job.expect("are needed; press any key to end")
        try job.type("q")
        #expect(try job.next().event == .exited(0))
    }

    /// A request that is sent to a chain and has a callback needs both. The note states how to get
    /// the other one for the same transaction.
    @Test func aRequestWithACallback() throws {
        let link = try run([
            "request", "create", "transfer.json", "--chain", "eos", "--callback",
            "https://example.com/{{tx}}",
        ])
        let sign = [
            "sign", link.split(separator: "\n").joined(), "--chain", "eos", "--account", "alice", "--yes",
            "--pin-file",
            "pin", "--qr", "--block-id",
            "0001e24000000000efbeadde00000000000000000000000000000000000000ff", "--expires",
            "2026-12-01T00:00:00",
        ]
        let screen = try run(sign)
        let words = screen.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        #expect(
            words.contains(
                """
                eosvault: note: the QR code has the signed transaction; for the callback's address, sign again with \
                `--format callback --expires 2026-12-01T00:00:00`
                """))
        #expect(try read(screen).hasPrefix("UR:X-EOS-TRANSACTION/"))
        let callback = try run(sign + ["--format", "callback"])
        #expect(try read(callback).hasPrefix("https://example.com/"))
        #expect(!callback.contains("for the callback's"))
        // The address is one code, whatever --qr-fragment is.
        let code = try run(sign + ["--format", "callback", "--qr-fragment", "10"])
        #expect(try read(code).hasPrefix("https://example.com/"))
    }

    @Test func aTerminalWithoutColoursIsRefused() throws {
        let screen = try run(["list", "--qr"], terminal: "dumb", status: 1)
        #expect(
            screen.replacing("\n  ", with: " ").contains(
                "QR codes need colours, and this terminal has none (TERM is dumb)\n"))
    }

    @Test func aSignedTransactionIsOneCode() throws {
        let screen = try run([
            "sign", "transfer.json", "--chain", "eos", "--yes", "--pin-file", "pin", "--qr",
        ])
        let text = try read(screen).trimmingSuffix { $0 == "\n" }
        try fixture.expectSigned(UniformResource(text.utf8))
        #expect(!screen.contains("\"signatures\""))
    }

    @Test func aSequenceIsReadBackUntilAKeyIsPressed() throws {
        let job = try fixture.start(sequence, rows: 40)
        try job.expect("code 5, at least 4 are needed; press any key to end")
        #expect(try !job.echoes())
        try job.type("q")
        let report = try job.next()
        #expect(report == Job.Report(event: .exited(0), echo: true, lines: true))
        #expect(job.screen.hasSuffix(QRFixture.closed))
        var collector = URCollector()
        var message: UniformResource?
        for frame in job.screen.split(separator: "\u{1b}[H").dropFirst() where message == nil {
            let rows = QRFixture.rows(frame)
            guard !rows.isEmpty else { continue }
            let text = try fixture.read(rows)
            message = try collector.add(text.utf8.dropLast())
        }
        try fixture.expectSigned(#require(message))
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func aSignalRestoresTheTerminal(signal: Int32) throws {
        let job = try fixture.start(sequence, rows: 40)
        try job.expect("code 1, at least 4 are needed")
        job.send(signal)
        let report = try job.next()
        #expect(report == Job.Report(event: .killed(signal), echo: true, lines: true))
        #expect(job.screen.hasSuffix(QRFixture.closed))
    }

    @Test func aStoppedSequenceContinues() throws {
        let job = try fixture.start(sequence, rows: 40)
        try job.expect("code 1, at least 4 are needed")
        job.send(SIGTSTP)
        #expect(try job.next() == Job.Report(event: .stopped(SIGTSTP), echo: true, lines: true))
        #expect(job.screen.hasSuffix(QRFixture.closed))
        job.foreground()
        #expect(try job.next().event == .continued)
        try job.expect(QRFixture.opened)
        try job.expect("at least 4 are needed")
        try job.type(" ")
        #expect(try job.next() == Job.Report(event: .exited(0), echo: true, lines: true))
    }

    private var sequence: [String] {
        [
            "sign", "transfer.json", "--chain", "eos", "--yes", "--pin-file", "pin", "--qr", "--qr-fragment",
            "60",
        ]
    }
}

extension String {
    fileprivate func trimmingSuffix(_ isTrimmed: (Character) -> Bool) -> String {
        var text = self[...]
        while let last = text.last, isTrimmed(last) { text.removeLast() }
        return String(text)
    }
}
