import CChild
import Glibc
import TestSupport
import Testing

/// The pager at a terminal with 24 rows of 80 columns.
struct PagerTerminalTests {
    private static let next = "rows] space: next"
    private static let atEnd = "space: question"
    private static let question = "Sign these 30 actions for Vaulta (EOS) (v shows the review again)? [y/N] "

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try Files.write(Array("a passphrase of several words".utf8), to: folder.path + "/pin")
        let actions = (1...30).map { number in
            let memo = "payment number \(number) " + String(repeating: "y", count: 70)
            return
                #"{"account":"eosio.token","name":"transfer","#
                + #""authorization":[{"actor":"alice","permission":"active"}],"#
                + #""data":{"from":"alice","to":"bob","quantity":"1.0000 EOS","memo":"\#(memo)"}}"#
        }.joined(separator: ",")
        let text =
            #"{"expiration":"2100-01-01T00:00:00","ref_block_num":1,"ref_block_prefix":1,"actions":[\#(actions)]}"#
        try Files.write(Array(text.utf8), to: folder.path + "/many.json")
        let make = ["--pin-file", "pin"]
        for arguments in [
            ["init", "--kdf-passes", "1", "--kdf-memory", "8KiB", "--insecure-kdf"] + make, ["create"] + make,
        ] {
            let job = try start(arguments)
            try #require(job.next().event == .exited(0))
        }
    }

    private func start(_ arguments: [String], terminal: String = "xterm", shell: String? = nil) throws -> Job
    {
        try Job(
            arguments, environment: ["HOME": folder.path, "LANG": "C.UTF-8", "TERM": terminal],
            directory: folder.path, shell: shell)
    }

    private func sign(_ more: [String] = [], terminal: String = "xterm", shell: String? = nil) throws -> Job {
        try start(
            ["sign", "many.json", "--chain", "eos", "--pin-file", "pin"] + more, terminal: terminal,
            shell: shell)
    }

    @Test func isReadAndAnswered() throws {
        let job = try sign()
        try job.expect("[23 of ")
        try job.expect(Self.next)
        #expect(try !job.echoes())
        #expect(!job.screen.contains("SUMMARY"))
        try job.type(" ")
        try job.expect("[46 of ")
        try job.type("b")
        try job.expect("[23 of ")
        try job.type("/number 20\r")
        try job.expect("payment number 20 ")
        try job.expect(Self.next)
        try job.type("/number 2\rn")
        try job.expect("payment number 2")
        try job.type("g17\r")
        try job.expect("\r\u{1b}[Kaction 17 of 30 ")
        try job.type("gx\r")
        try job.expect("no such action")
        try job.type("q")
        try job.expect("SUMMARY ")
        try job.expect(Self.question)
        #expect(try job.echoes())
        try job.type("v\r")
        // The space at the end goes on to the summary.
        try job.expect("[23 of ")
        try job.type("g30\r")
        try job.expect("\r\u{1b}[Kaction 30 of 30 ")
        try job.expect(Self.atEnd)
        try job.type(" ")
        try job.expect("SUMMARY ")
        try job.expect(Self.question)
        try job.type("y\r")
        #expect(try job.next() == Job.Report(event: .exited(0), echo: true, lines: true))
        #expect(!job.screen.contains("\u{1b}[?1049"))
    }

    /// From the summary on, everything is on the terminal at once.
    @Test func lastPartFits() throws {
        let job = try sign()
        try job.expect(Self.next)
        try job.type("q")
        try job.expect(Self.question)
        let last = job.screen.split(separator: "SUMMARY ").last.map(String.init) ?? ""
        #expect(last.split(separator: "\n").count <= 24)
        try job.type("\r")
        #expect(try job.next() == Job.Report(event: .exited(2), echo: true, lines: true))
    }

    @Test(arguments: [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGALRM])
    func endsBySignal(signal: Int32) throws {
        let job = try sign()
        try job.expect(Self.next)
        #expect(try !job.echoes())
        try job.type("/number")
        try job.expect("/number")
        job.send(signal)
        #expect(try job.next() == Job.Report(event: .killed(signal), echo: true, lines: true))
    }

    @Test(arguments: [("\u{3}", SIGINT), ("\u{1c}", SIGQUIT)])
    func endsByKey(key: String, signal: Int32) throws {
        let job = try sign()
        try job.expect(Self.next)
        try job.type(key)
        #expect(try job.next() == Job.Report(event: .killed(signal), echo: true, lines: true))
    }

    @Test(arguments: [0, JOB_PASSIVE, JOB_OWN_MODES])
    func isShownAgainAfterControlZ(flags: Int) throws {
        let job = try Job(
            ["sign", "many.json", "--chain", "eos", "--pin-file", "pin"],
            environment: ["HOME": folder.path, "LANG": "C.UTF-8", "TERM": "xterm"], directory: folder.path,
            flags: flags)
        try job.expect("[23 of ")
        try job.type(" ")
        try job.expect("[46 of ")
        try job.type("\u{1a}")
        #expect(try job.next() == Job.Report(event: .stopped(SIGTSTP), echo: true, lines: true))
        job.foreground()
        #expect(try job.next().event == .continued)
        try job.expect("[46 of ")
        #expect(try !job.echoes())
        try job.type("q")
        try job.expect(Self.question)
        try job.type("y\r")
        #expect(try job.next() == Job.Report(event: .exited(0), echo: true, lines: true))
    }

    /// Each row fits the new width, and the page starts with the same action.
    @Test func wrapsAgain() throws {
        let job = try sign()
        try job.expect(Self.next)
        try job.type("g12\r")
        try job.expect("\r\u{1b}[Kaction 12 of 30 ")
        try job.expect(Self.next)
        let before = job.screen.utf8.count
        try job.resize(rows: 24, columns: 60)
        try job.expect("\r\u{1b}[Kaction 12 of 30 ")
        try job.expect(Self.next)
        try job.type(" ")
        try job.expect(Self.next)
        let rows = String(decoding: Array(job.screen.utf8.dropFirst(before)), as: UTF8.self)
            .replacing("\r\u{1b}[K", with: "").split(whereSeparator: { $0 == "\n" || $0 == "\r\n" })
        #expect(rows.count > 20)
        #expect(rows.allSatisfy { $0.count <= 60 })
        try job.type("q")
        // The question wraps too.
        try job.expect("Sign these 30 actions for Vaulta (EOS) (v shows the review\r\n  again)? [y/N] ")
        try job.type("n\r")
        #expect(try job.next() == Job.Report(event: .exited(2), echo: true, lines: true))
    }

    /// Keys that were typed before the question appeared are no answer.
    @Test func typedAheadInputIsDiscarded() throws {
        let job = try sign()
        try job.expect(Self.next)
        try job.type("qy\ry\r")
        try job.expect(Self.question)
        try job.type("\r")
        #expect(try job.next() == Job.Report(event: .exited(2), echo: true, lines: true))
    }

    @Test func plainTerminalHasNoPager() throws {
        let job = try sign(terminal: "dumb")
        try job.expect("SUMMARY ")
        try job.expect("Sign these 30 actions for Vaulta (EOS)? [y/N] ")
        #expect(job.screen.contains("action 30 of 30 "))
        #expect(!job.screen.contains("space: ") && !job.screen.contains("\u{1b}"))
        try job.type("y\r")
        #expect(try job.next().event == .exited(0))
    }

    /// A script reads the review on standard error.
    @Test func scriptHasNoPager() throws {
        let job = try sign(["--yes"], shell: #"exec "$@" 2>/dev/tty"#)
        #expect(try job.next().event == .exited(0))
        #expect(job.screen.contains("SUMMARY ") && job.screen.contains("action 30 of 30 "))
        #expect(!job.screen.contains("space: ") && !job.screen.contains("\u{1b}[?1049"))
    }

    @Test func inspectHasNoPager() throws {
        let job = try start(["inspect", "many.json", "--chain", "eos"], shell: #"exec "$@" >review"#)
        #expect(try job.next().event == .exited(0))
        #expect(job.screen.isEmpty)
        let text = String(decoding: try Files.read(folder.path + "/review"), as: UTF8.self)
        #expect(text.contains("SUMMARY ") && text.contains("action 30 of 30 ") && !text.contains("\u{1b}"))
        let shown = try start(["inspect", "many.json", "--chain", "eos"], shell: #"exec "$@" >/dev/tty"#)
        #expect(try shown.next().event == .exited(0))
        #expect(shown.screen.contains("SUMMARY ") && !shown.screen.contains("space: "))
    }
}
