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
    private static let opened = "\u{1b}[?1049h"
    private static let closed = "\u{1b}[?25h\u{1b}[?1049l"

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try Files.write(Array("a passphrase of several words".utf8), to: folder.path + "/pin")
        for name in ["transfer.json", "throwaway-key.txt"] {
            try Files.write(repositoryFile("Vectors/examples/\(name)"), to: folder.path + "/" + name)
        }
        try run(["init", "--kdf-passes", "1", "--kdf-memory", "8KiB", "--insecure-kdf", "--pin-file", "pin"])
        try run(["import", "throwaway-key.txt", "--pin-file", "pin", "--label", "one"])
    }

    private func start(_ arguments: [String], rows: Int, terminal: String = "xterm") throws -> Job {
        try Job(
            arguments, environment: ["HOME": folder.path, "LANG": "C.UTF-8", "TERM": terminal],
            directory: folder.path, shell: "stty cols 80 rows \(rows) </dev/tty; exec \"$@\" >/dev/tty 2>&1")
    }

    @discardableResult
    private func run(
        _ arguments: [String], rows: Int = 50, terminal: String = "xterm", status: Int32 = 0
    ) throws -> String {
        let job = try start(arguments, rows: rows, terminal: terminal)
        try #require(job.next().event == .exited(status))
        return job.screen.replacing("\r\n", with: "\n")
    }

    /// The text that zbarimg reads in the rows of one code: each character is two modules.
    private func read(_ rows: [Substring]) throws -> String {
        let modules = rows.flatMap { row -> [[Bool]] in
            [
                row.map { $0 == "\u{2588}" || $0 == "\u{2580}" },
                row.map { $0 == "\u{2588}" || $0 == "\u{2584}" },
            ]
        }
        // A PBM picture, four pixels per module.
        let lines = modules.flatMap { row in
            let line = row.map { $0 ? "1111" : "0000" }.joined()
            return [line, line, line, line]
        }
        let picture =
            "P1\n\((modules.first?.count ?? 0) * 4) \(lines.count)\n" + lines.joined(separator: "\n") + "\n"
        try Files.write(Array(picture.utf8), to: folder.path + "/code.pbm")
        let reader = Child(
            path: "/usr/bin/env",
            arguments: ["zbarimg", "-q", "--raw", "--nodbus", "-S*.disable", "-Sqrcode.enable", "code.pbm"],
            environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"], directory: folder.path)
        let result = try reader.run()
        try #require(result.status == 0, "\(String(decoding: result.error, as: UTF8.self))")
        return String(decoding: result.output, as: UTF8.self)
    }

    /// The rows of a code, which are black on white.
    private static func rows(_ screen: some StringProtocol) -> [Substring] {
        screen.split(separator: "\u{1b}[0;30;47;107m").dropFirst().map {
            Substring(String($0.prefix { $0 != "\u{1b}" }))
        }
    }

    @Test(arguments: [["list"], ["show", "one"]])
    func keysAreReadBack(command: [String]) throws {
        let screen = try run(command + ["--qr"])
        #expect(try read(Self.rows(screen)) == "EOS6gsQXzM6CLbhbDKLEteS6PZb6W2UaHDLvtQN56gxEGYsBZ6rcC\n")
        #expect(screen.hasSuffix("\u{1b}[0m\n"))
    }

    @Test func aNewKeyIsReadBack() throws {
        let screen = try run(["create", "--pin-file", "pin", "--qr"])
        let text = try #require(screen.firstMatch(of: /EOS[A-Za-z0-9]{50}/)?.output)
        #expect(try read(Self.rows(screen)) == text + "\n")
    }

    /// A line feed would scroll the first row away.
    @Test func aCodeThatFillsTheScreenHasNoFinalLineFeed() throws {
        let screen = try run(["list", "--qr"], rows: 19)
        #expect(Self.rows(screen).count == 19)
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
        #expect(Self.rows(screen).isEmpty)
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
        #expect(try read(Self.rows(screen)).hasPrefix("esr://"))
        #expect(!screen.contains("esr:"))
        let job = try start(create + ["--qr-fragment", "20"], rows: 40)
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
        #expect(try read(Self.rows(screen)).hasPrefix("UR:X-EOS-TRANSACTION/"))
        let callback = try run(sign + ["--format", "callback"])
        #expect(try read(Self.rows(callback)).hasPrefix("https://example.com/"))
        #expect(!callback.contains("for the callback's"))
        // The address is one code, whatever --qr-fragment is.
        let code = try run(sign + ["--format", "callback", "--qr-fragment", "10"])
        #expect(try read(Self.rows(code)).hasPrefix("https://example.com/"))
    }

    /// The hint gives the largest fragment that fits, and it fits.
    @Test func aSmallTerminalShowsSmallerFragments() throws {
        let sign = ["sign", "transfer.json", "--chain", "eos", "--yes", "--pin-file", "pin", "--qr"]
        let screen = try run(sign, rows: 24, status: 1)
        let words = screen.split { $0 == " " || $0 == "\n" }
        let option = try #require(words.firstIndex(of: "--qr-fragment"))
        let fragment = try #require(Int(words[option + 1].dropLast()))
        let job = try start(sign + ["--qr-fragment", "\(fragment)"], rows: 24)
        try job.expect("are needed; press any key to end")
        try job.type("q")
        #expect(try job.next().event == .exited(0))
        #expect(
            try run(sign + ["--qr-fragment", "\(fragment + 1)"], rows: 24, status: 1).contains(
                "the QR code needs"))
    }

    @Test func aTerminalWithoutColoursIsRefused() throws {
        let screen = try run(["list", "--qr"], terminal: "dumb", status: 1)
        #expect(
            screen.replacing("\n  ", with: " ").contains(
                "--qr needs colours, and this terminal has none (TERM is dumb)\n"))
    }

    @Test func aSignedTransactionIsOneCode() throws {
        let screen = try run([
            "sign", "transfer.json", "--chain", "eos", "--yes", "--pin-file", "pin", "--qr",
        ])
        let text = try read(Self.rows(screen)).trimmingSuffix { $0 == "\n" }
        try expectSigned(UniformResource(text.utf8))
        #expect(!screen.contains("\"signatures\""))
    }

    @Test func aSequenceIsReadBackUntilAKeyIsPressed() throws {
        let job = try start(sequence, rows: 40)
        try job.expect("code 5, at least 4 are needed; press any key to end")
        #expect(try !job.echoes())
        try job.type("q")
        let report = try job.next()
        #expect(report == Job.Report(event: .exited(0), echo: true, lines: true))
        #expect(job.screen.hasSuffix(Self.closed))
        var collector = URCollector()
        var message: UniformResource?
        for frame in job.screen.split(separator: "\u{1b}[H").dropFirst() where message == nil {
            let rows = Self.rows(frame)
            guard !rows.isEmpty else { continue }
            let text = try read(rows)
            message = try collector.add(text.utf8.dropLast())
        }
        try expectSigned(#require(message))
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func aSignalRestoresTheTerminal(signal: Int32) throws {
        let job = try start(sequence, rows: 40)
        try job.expect("code 1, at least 4 are needed")
        job.send(signal)
        let report = try job.next()
        #expect(report == Job.Report(event: .killed(signal), echo: true, lines: true))
        #expect(job.screen.hasSuffix(Self.closed))
    }

    @Test func aStoppedSequenceContinues() throws {
        let job = try start(sequence, rows: 40)
        try job.expect("code 1, at least 4 are needed")
        job.send(SIGTSTP)
        #expect(try job.next() == Job.Report(event: .stopped(SIGTSTP), echo: true, lines: true))
        #expect(job.screen.hasSuffix(Self.closed))
        job.foreground()
        #expect(try job.next().event == .continued)
        try job.expect(Self.opened)
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

    /// The message is the transaction that cleos signed and packed.
    private func expectSigned(_ resource: UniformResource) throws {
        guard case .transaction(let message) = try AirGapMessage(resource) else {
            Issue.record("another type: \(resource.type.name)")
            return
        }
        let packed = String(
            decoding: try repositoryFile("Vectors/examples/transfer.packed.json"), as: UTF8.self)
        #expect(packed.contains("\"\(Hex.encode(message.transaction.packed))\""))
        #expect(message.transaction.signatures.count == 1)
        for signature in message.transaction.signatures { #expect(packed.contains("\"\(signature.text)\"")) }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ isTrimmed: (Character) -> Bool) -> String {
        var text = self[...]
        while let last = text.last, isTrimmed(last) { text.removeLast() }
        return String(text)
    }
}
