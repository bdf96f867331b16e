import Glibc
import SecureMemory
import Shell
import TestSupport
import Testing

@testable import App

/// What counts as an answer to a question at the terminal.
struct AnswerTests {
    private static let sign = [
        "sign", "transfer.json", "--chain", "eos", "--pin-file", "pin", "-o", "signed.json",
    ]
    private static let question = "[y/N] "

    private func paste(_ text: String) -> String { "\u{1b}[200~\(text)\u{1b}[201~" }

    // MARK: yes, no and words

    /// An answer that was pasted, or that more input follows, is no answer: neither yes nor no.
    @Test(arguments: [
        "\u{1b}[200~y\u{1b}[201~\r", "\u{1b}[200~y\r\u{1b}[201~",
        "\u{1b}[200~n\u{1b}[201~\r", "y\r\u{1b}[201~",
        "y\ry\r",
        "n\ry\r", "y\rx", "\r\r", "\ry",
    ])
    func otherAnswersAreAskedForAgain(typed: String) throws {
        let fixture = try AnswerFixture()
        let job = try fixture.start(Self.sign)
        try job.expect(Self.question)
        #expect(job.marksPastes)
        try job.type(typed)
        try job.expect(AnswerFixture.asksAgain)
        try job.expect(Self.question)
        try job.type("y\r")
        #expect(try job.next() == Job.Report(event: .exited(0), echo: true, lines: true))
        #expect(fixture.exists("signed.json") && !job.marksPastes)
    }

    /// The same for the name of the account of a danger, and for the label of a removed key.
    @Test(arguments: [
        (
            ["sign", "owner.json", "--chain", "eos", "--pin-file", "pin"],
            "type the account of owner-change: "
        ),
        (["remove", "alice", "--never-backed-up", "--pin-file", "pin"], "type its label: "),
    ])
    func wordsAreTyped(arguments: [String], question: String) throws {
        let fixture = try AnswerFixture()
        let job = try fixture.start(arguments)
        if arguments[0] == "sign" {
            try job.expect("space: question")
            try job.type("q")
        }
        for typed in [paste("alice") + "\r", "alice\ralice\r"] {
            try job.expect(question)
            try job.type(typed)
            try job.expect(AnswerFixture.asksAgain)
        }
        try job.expect(question)
        try job.type("alice\r")
        #expect(try job.next() == Job.Report(event: .exited(0), echo: true, lines: true))
    }

    /// Several bytes of one answer may arrive one after the other.
    @Test func anAnswerIsTypedKeyByKey() throws {
        let fixture = try AnswerFixture()
        let job = try fixture.start(Self.sign)
        try job.expect(Self.question)
        for key in ["y", "w", "\u{7f}", "e", "s", "\r"] { try job.type(key) }
        #expect(try job.next() == Job.Report(event: .exited(0), echo: true, lines: true))
    }

    /// A signal that follows the answer ends the program.
    @Test func controlCAfterTheAnswer() throws {
        let fixture = try AnswerFixture()
        let job = try fixture.start(Self.sign)
        try job.expect(Self.question)
        try job.type("y\r\u{3}")
        #expect(try job.next() == Job.Report(event: .killed(SIGINT), echo: true, lines: true))
        #expect(!fixture.exists("signed.json") && !job.marksPastes)
    }

    // MARK: secrets and other text

    /// A PIN may be pasted, with and without marks, and with a line ending.
    @Test(arguments: [
        "P\r", "\u{1b}[200~P\u{1b}[201~\r", "\u{1b}[200~P\r\u{1b}[201~", "\u{1b}[200~P\r\n\u{1b}[201~\r",
        "P\r\n",
    ])
    func aPINIsPasted(typed: String) throws {
        let fixture = try AnswerFixture()
        let job = try fixture.start(["create"])
        try job.expect("PIN: ")
        #expect(job.marksPastes)
        try job.type(typed.replacing("P", with: AnswerFixture.pin))
        #expect(try job.next() == Job.Report(event: .exited(0), echo: true, lines: true))
        #expect(!job.marksPastes && !job.screen.contains("passphrase") && !job.screen.contains("try again"))
    }

    /// A part of a secret may be pasted. The marks are not a part of it.
    @Test func aKeyIsPasted() throws {
        let fixture = try AnswerFixture()
        let job = try fixture.start(["import", "--pin-file", "pin"])
        try job.expect("private key: ")
        let (first, rest) = (AnswerFixture.other.prefix(20), AnswerFixture.other.dropFirst(20))
        try job.type(first + paste(String(rest)) + "\r")
        #expect(try job.next() == Job.Report(event: .exited(0), echo: true, lines: true))
    }

    /// A path may be pasted. Its echo would show the marks, so there are none.
    @Test func aPathIsPasted() throws {
        let fixture = try AnswerFixture()
        let job = try fixture.start(["init", "--vault", "new.db"] + AnswerFixture.cheap)
        try job.expect(Self.question)
        #expect(job.marksPastes)
        try job.type("y\r")
        try job.expect("path of the key file: ")
        #expect(!job.marksPastes)
        try job.type("new.key\r")
        try job.expect("new PIN: ")
        #expect(job.marksPastes)
        for question in ["new PIN again: ", Self.question] {
            try job.type(paste(AnswerFixture.pin) + "\r")
            try job.expect(question)
        }
        try job.type("\r")
        #expect(try job.next() == Job.Report(event: .exited(0), echo: true, lines: true))
        #expect(fixture.exists("new.key"))
    }

    // MARK: marks

    /// The terminal marks no pastes for the shell: after an answer, an end of the input, a signal,
    /// and during a stop.
    @Test(arguments: [
        ("\u{4}", Job.Event.exited(2)), ("\u{3}", .killed(SIGINT)), ("\u{1a}", .stopped(SIGTSTP)),
    ])
    func marksEnd(key: String, event: Job.Event) throws {
        for question in ["PIN: ", Self.question] {
            let fixture = try AnswerFixture()
            let job = try fixture.start(question == "PIN: " ? ["create"] : Self.sign)
            try job.expect(question)
            #expect(job.marksPastes)
            try job.type(key)
            #expect(try job.next() == Job.Report(event: event, echo: true, lines: true))
            #expect(!job.marksPastes)
        }
    }

    @Test func aPlainTerminalIsNotAsked() throws {
        let fixture = try AnswerFixture()
        let job = try fixture.start(["create"], terminal: "dumb")
        try job.expect("PIN: ")
        #expect(!job.marksPastes)
        try job.type(AnswerFixture.pin + "\r")
        #expect(try job.next() == Job.Report(event: .exited(0), echo: true, lines: true))
    }

    // MARK: a line

    @Test(arguments: [
        ("", "", false), ("abc", "abc", false), ("\u{1b}[200~abc\u{1b}[201~", "abc", true),
        ("a\u{1b}[200~b\u{1b}[201~c", "abc", true), ("\u{1b}[201~abc", "abc", true),
        ("abc\u{1b}[200~", "abc", true),
        ("\u{1b}[200~\u{1b}[201~", "", true), ("\u{1b}[200abc", "\u{1b}[200abc", false),
        ("abc\u{1b}", "abc\u{1b}", false),
        ("\u{1b}[202~", "\u{1b}[202~", false), ("\u{1b}\u{1b}[200~[200~", "\u{1b}[200~", true),
    ])
    func aLineIsReadWithoutMarks(typed: String, text: String, isPasted: Bool) throws {
        let line = TypedLine(try SecureBytes(copyingPublic: typed.utf8))
        #expect(line.isPasted == isPasted)
        let bytes = line.text.withBytes { span in (0..<span.byteCount).map { span[byte: $0] } }
        #expect(bytes == Array(text.utf8))
    }
}
