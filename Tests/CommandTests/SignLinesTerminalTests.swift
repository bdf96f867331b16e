import TestSupport
import Testing

/// `sign --lines` at a terminal: one review and one question for all lines, and progress.
struct SignLinesTerminalTests {
    private static let question = "Sign 300 transactions for Vaulta (EOS) (v shows the review again)? [y/N] "
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try Files.write(Array("a passphrase of several words".utf8), to: folder.path + "/pin")
        for arguments in [["init", "--kdf-passes", "1", "--kdf-memory", "8KiB", "--insecure-kdf"], ["create"]] {
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
            arguments, environment: ["HOME": folder.path, "LANG": "C.UTF-8", "TERM": "xterm"], directory: folder.path,
            shell: shell)
    }

    private func sign(_ name: String, _ more: [String] = []) throws -> Job {
        try start(
            ["sign", "--lines", name, "--chain", "eos", "--pin-file", "pin"] + more,
            shell: "exec \"$@\" > out 2> /dev/tty")
    }

    private func results() throws -> [Substring] {
        String(decoding: try ScriptRunner.contents(of: folder.path + "/out"), as: UTF8.self).split(separator: "\n")
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
