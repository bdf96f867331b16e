import Glibc
import TestSupport
import Testing

/// `sign --lines` at a terminal: one review and one question for all lines, and progress.
struct SignLinesTerminalTests {
    private static let question = "Sign 300 transactions for Vaulta (EOS) (v shows the review again)? [y/N] "
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try Files.write(Array("a passphrase of several words".utf8), to: folder.path + "/pin")
        for arguments in [
            ["init", "--kdf-passes", "1", "--kdf-memory", "8KiB", "--insecure-kdf"], ["create"],
        ] {
            try #require(start(arguments + ["--pin-file", "pin"]).next().event == .exited(0))
        }
        try write(300, to: "lines")
    }

    /// Transfers to 26 recipients.
    private func write(_ count: Int, to name: String) throws {
        let lines = (1...count).map { number in
            let recipient = "user" + String(UnicodeScalar(UInt8(ascii: "a") + UInt8(number % 26)))
            return
                #"{"expiration":"2100-01-01T00:00:00","ref_block_num":1,"ref_block_prefix":1,"actions":["#
                + #"{"account":"eosio.token","name":"transfer","#
                + #""authorization":[{"actor":"alice","permission":"active"}],"data":{"from":"alice","#
                + #""to":"\#(recipient)","quantity":"1.0000 EOS","memo":"\#(number)"}}]}"# + "\n"
        }
        try Files.write(Array(lines.joined().utf8), to: folder.path + "/" + name)
    }

    private func start(_ arguments: [String], shell: String? = nil) throws -> Job {
        try Job(
            arguments, environment: ["HOME": folder.path, "LANG": "C.UTF-8", "TERM": "xterm"],
            directory: folder.path,
            shell: shell)
    }

    private func sign(_ name: String, _ more: [String] = []) throws -> Job {
        try start(
            ["sign", "--lines", name, "--chain", "eos", "--pin-file", "pin"] + more,
            shell: "exec \"$@\" > out 2> /dev/tty")
    }

    private func results() throws -> [Substring] {
        String(decoding: try ScriptRunner.contents(of: folder.path + "/out"), as: UTF8.self).split(
            separator: "\n")
    }

    @Test func asksOnceForAllLines() throws {
        let job = try sign("lines")
        try job.expect("line 1 ")
        try job.expect("rows] space: next, b: back, /: search, g: line, q: question")
        try job.type("g250\r")
        try job.expect("line 250 ")
        try job.type("/all payments:\r")
        try job.expect("alice pays 300.0000 EOS to 26 accounts with 300 different memos:")
        try job.type("/to userz memo\r")
        try job.expect("1.0000 EOS to userz memo \"25\"")
        try job.type("q")
        try job.expect("SUMMARY      300 actions: 300 eosio.token::transfer")
        try job.expect("to 297 others, at most 1.0000 EOS")
        try job.expect("lines        300: 300 to sign")
        try job.expect(Self.question)
        try job.type("v\r")
        try job.expect("line 1 ")
        try job.type("q")
        try job.expect(Self.question)
        try job.type("y\r")
        #expect(try job.next().event == .exited(0))
        #expect(try results().count == 300)
    }

    @Test(arguments: ["n", "", "yes please"])
    func everyOtherAnswerDeclines(answer: String) throws {
        let job = try sign("lines")
        try job.expect("rows]")
        try job.type("q")
        try job.expect(Self.question)
        try job.type(answer + "\r")
        #expect(try job.next().event == .exited(2))
        #expect(job.screen.contains("not signed: the answer was no"))
        #expect(try results().isEmpty)
    }

    /// The last screen has the summary and the number to type, whatever the lines contain.
    @Test func theLastScreenSaysWhatIsCut() throws {
        var lines = try ScriptRunner.contents(of: folder.path + "/lines")
        for payer in [
            "bob", "carol", "dave", "erin", "frank", "grace", "heidi", "ivan", "judy", "kim", "leo", "mike",
        ] {
            let first = try #require(lines.split(separator: 10).first)
            let line = String(decoding: first, as: UTF8.self).replacing("alice", with: payer)
            lines += Array(line.utf8) + [10]
        }
        try Files.write(lines, to: folder.path + "/payers")
        let job = try sign("payers")
        try job.expect("rows]")
        try job.type("q")
        let question =
            "To sign 312 transactions for Vaulta (EOS) (v shows the review again),\r\ntype the number of actions: "
        try job.expect(question)
        let lastRows = job.screen.split(separator: "\r\n", omittingEmptySubsequences: false).suffix(24)
        #expect(lastRows.contains { $0.hasSuffix("SUMMARY      312 actions: 1 kind") })
        #expect(lastRows.contains { $0.hasPrefix("  alice pays 300.0000 EOS to 26 accounts") })
        #expect(job.screen.contains("WARNING summary-cut: "))
        try job.type("y\r")
        #expect(try job.next().event == .exited(2))
        #expect(try results().isEmpty)
        let other = try sign("payers")
        try other.expect("rows]")
        try other.type("q")
        try other.expect(question)
        try other.type("312\r")
        #expect(try other.next().event == .exited(0))
        #expect(try results().count == 312)
    }

    /// A line that is no payment starts with a row of its number alone.
    @Test func goesToALineOfSeveralRows() throws {
        let level = #"{"actor":"alice","permission":"active"}"#
        let action = #"{"account":"eosio","name":"unlinkauth","authorization":[\#(level)],"data":"#
        let line =
            #"{"expiration":"2100-01-01T00:00:00","ref_block_num":1,"ref_block_prefix":1,"actions":["#
            + action + #"{"account":"alice","code":"dex","type":"trade"}}]}"# + "\n"
        var lines = try ScriptRunner.contents(of: folder.path + "/lines").split(separator: 10)
        lines.insert(Array(line.utf8.dropLast())[...], at: 150)
        try Files.write(Array(lines.joined(separator: [10])), to: folder.path + "/kinds")
        let job = try sign("kinds")
        try job.expect("rows]")
        for (key, row) in [("g151\r", "line 151\r\n"), ("g150\r", "line 150 "), ("g152\r", "line 152 ")] {
            try job.type(key)
            try job.expect(row)
        }
        try job.type("g151\r")
        try job.expect("eosio::unlinkauth")
        try job.type("q")
        try job.expect("Sign 301 transactions")
        try job.type("n\r")
        #expect(try job.next().event == .exited(2))
    }

    /// A line that changes while the program reads the file the first time. Each other one finds
    /// the difference, and nothing is signed.
    @Test func aChangeDuringTheFirstReading() throws {
        try write(30_000, to: "many")
        let job = try sign("many", ["--yes"])
        // The first block was read.
        try job.expect("reviewing: ")
        job.send(SIGSTOP)
        #expect(try job.next().event == .stopped(SIGSTOP))
        let path = folder.path + "/many"
        let text = String(decoding: try ScriptRunner.contents(of: path), as: UTF8.self)
        let amount = try #require(text.firstRange(of: "1.0000 EOS"))
        let changed =
            text[..<amount.lowerBound] + "9.0000 EOS" + text[amount.upperBound...] + text.prefix(1_000_000)
        try Files.write(Array(changed.utf8), to: path)
        job.foreground()
        #expect(try job.next().event == .continued)
        #expect(try job.next().event == .exited(1))
        let shown = job.screen.replacing("\r\n  ", with: " ")
        #expect(shown.contains("the file changed after the review; the lines from line 1 on were not signed"))
        #expect(try results().isEmpty)
    }

    @Test func showsProgress() throws {
        try write(20_000, to: "many")
        let job = try sign("many", ["--yes"])
        try job.expect("reviewing: ")
        try job.expect(" lines, ")
        try job.expect("signing: ")
        try job.expect(" per second …")
        #expect(try job.next().event == .exited(0))
        #expect(try results().count == 20_000)
    }
}
