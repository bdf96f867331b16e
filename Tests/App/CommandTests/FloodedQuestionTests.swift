import Glibc
import TestSupport
import Testing

/// Text that arrives before each question of each command. The question appears when the text is
/// dropped, and takes only the answer that follows it.
struct FloodedQuestionTests {
    struct Walk: Sendable, CustomTestStringConvertible {
        var prepared: [[String]] = []
        let arguments: [String]
        let steps: [Step]

        var testDescription: String { arguments.joined(separator: " ") }
    }

    /// A question and its answer.
    enum Step: Sendable {
        case line(String, String)
        /// A yes or a word, which nothing may follow.
        case decision(String, String)
        /// A key of the pager.
        case key(String, String)

        var question: String {
            switch self {
            case .line(let question, _), .decision(let question, _), .key(let question, _): question
            }
        }
    }

    private static let pin = Step.line("PIN: ", AnswerFixture.pin)
    private static let newPIN = [
        Step.line("new PIN: ", AnswerFixture.newPIN), .line("new PIN again: ", AnswerFixture.newPIN),
    ]
    private static let policy = ["policy", "set", "alice", "policy.json", "--second", "pin"]
    private static let sign = ["--chain", "eos", "-o", "signed.json"]

    private static let walks = [
        Walk(
            arguments: ["init", "--vault", "new.db"] + AnswerFixture.cheap,
            steps: [
                .decision("addition to the PIN? [y/N] ", "y"), .line("path of the key file: ", "new.key"),
            ] + newPIN
                + [.decision("when the PIN is lost? [y/N] ", "n")]),
        Walk(arguments: ["import"], steps: [pin, .line("private key: ", AnswerFixture.other)]),
        Walk(arguments: ["pin", "change"] + AnswerFixture.cheap, steps: [pin] + newPIN),
        Walk(arguments: ["slot", "add"] + AnswerFixture.cheap, steps: [pin] + newPIN),
        Walk(
            prepared: [["slot", "add", "--new-pin-file", "new-pin"] + AnswerFixture.cheap],
            arguments: ["slot", "remove", "1"], steps: [.decision("from the vault? [y/N] ", "y"), pin]),
        Walk(arguments: ["sign", "transfer.json"] + sign, steps: [.decision("(EOS)? [y/N] ", "y"), pin]),
        Walk(
            arguments: ["sign", "transfer.json", "--unlock-first"] + sign,
            steps: [pin, .decision("(EOS)? [y/N] ", "y")]),
        Walk(
            arguments: ["sign", "owner.json"] + sign,
            steps: [
                .key("space: question", "q"), .decision("type the account of owner-change: ", "alice"), pin,
            ]),
        Walk(
            arguments: ["remove", "alice", "--never-backed-up"],
            steps: [pin, .decision("type its label: ", "alice")]),
        Walk(
            arguments: policy,
            steps: [
                .decision("Set this policy? [y/N] ", "y"), pin,
                .line("new policy PIN: ", AnswerFixture.newPIN),
                .line("new policy PIN again: ", AnswerFixture.newPIN),
            ]),
        Walk(
            prepared: [policy + ["--new-second-file", "new-pin", "--yes"]],
            arguments: ["policy", "remove", "alice"],
            steps: [
                .decision("Remove this policy? [y/N] ", "y"), pin,
                .line("policy PIN: ", AnswerFixture.newPIN),
            ]),
        Walk(
            arguments: ["abi", "pin", "mytoken", "token.abi", "--chain", "eos"],
            steps: [.decision("Pin this ABI? [y/N] ", "y"), pin]),
        Walk(
            arguments: ["credential", "add", "wallet", "--profile", "snapcard", "--key-id", "key-2"],
            steps: [pin, .line("secret: ", "a19cvrchgja82urvn47kirrlrrb7stgg")]),
    ]

    /// The commands that ask only for the PIN.
    private static let others: [[String]] = [
        ["create"], ["check"], ["list", "--verify"], ["show", "alice", "--verify"],
        ["rename", "alice", "bob"],
        ["export", "alice", "-o", "out"], ["backup", "copy.db"], ["rekey"], ["log"], ["log", "verify"],
        ["restore", AnswerFixture.vault, "--vault", "new.db"],
        ["rescue", AnswerFixture.vault, "-o", "new.db"],
        ["build", "updateauth", "alice", "active", "alice", "--chain", "eos", "--no-block"],
    ]

    /// In the short form, `sign` has each flood, and the other commands have one that arrives at
    /// once and one in pieces, in turn.
    private static let flooded = walks.enumerated().flatMap { index, walk in
        let turns = [Flood.all[index % 6], Flood.all[(index + 3) % 6]]
        return (Search.isLong || walk.arguments == ["sign", "transfer.json"] + sign ? Flood.all : turns)
            .map { (walk, $0) }
    }

    @Test(arguments: flooded) func eachQuestionWaits(walk: Walk, flood: Flood) throws {
        let fixture = try AnswerFixture()
        for arguments in walk.prepared { try fixture.run(arguments + ["--pin-file", "pin"]) }
        let job = try fixture.start(walk.arguments)
        for step in walk.steps {
            // The whole text was dropped before the question.
            #expect(try job.expect(step.question, typing: flood) == 0)
            switch step {
            case .line(_, let answer): try job.type(answer + "\r")
            case .key(_, let key): try job.type(key)
            case .decision(_, let answer): try job.decide(answer + "\r")
            }
        }
        #expect(try job.next() == Job.Report(event: .exited(0), echo: true, lines: true))
        #expect(!job.screen.contains("try again") && !job.screen.contains(AnswerFixture.asksAgain))
    }

    private static let floodedOthers = others.enumerated().flatMap { index, arguments in
        (Search.isLong ? [Flood.all[3], Flood.all[4]] : [Flood.all[3 + index % 2]]).map { (arguments, $0) }
    }

    @Test(arguments: floodedOthers) func thePINWaits(arguments: [String], flood: Flood) throws {
        let fixture = try AnswerFixture()
        let job = try fixture.start(arguments)
        #expect(try job.expect("PIN: ", typing: flood) == 0)
        try job.type(AnswerFixture.pin + "\r")
        #expect(try job.next() == Job.Report(event: .exited(0), echo: true, lines: true))
        #expect(!job.screen.contains("try again"))
    }

    /// A new recovery phrase: Return, and the words that the user types.
    @Test(arguments: Search.pick(short: [Flood.all[1], Flood.all[4]], long: Flood.all))
    func theWordsOfANewPhraseWait(flood: Flood) throws {
        let fixture = try AnswerFixture()
        let job = try fixture.start(["slot", "add", "--new-recovery", "--pin-file", "pin"])
        #expect(try job.expect("Press Return when you have written them down", typing: flood) == 0)
        let shown = ShownPhrase.words(in: Array(job.screen.utf8))
        try job.type("\r")
        for _ in 1...3 {
            #expect(try job.expect("word ", typing: flood) == 0)
            try job.expect(": ")
            let position = try #require(job.screen.matches(of: #/word ([0-9]+): /#).last?.1)
            try job.type((shown[Int(position) ?? 0] ?? "") + "\r")
        }
        #expect(try job.next() == Job.Report(event: .exited(0), echo: true, lines: true))
        // The words of this phrase wait too, and a number after a wrong checksum.
        let other = try fixture.start(["create", "--recovery"])
        #expect(try other.expect("word 1 of 24: ", typing: flood) == 0)
        try other.type((Array(repeating: "zoo", count: 24)).joined(separator: " ") + "\r")
        #expect(try other.expect("or `all`: ", typing: flood) == 0)
        try other.type("all\r")
        try other.expect("word 1 of 24: ")
        try other.type((1...24).compactMap { shown[$0] }.joined(separator: " ") + "\r")
        #expect(try other.next() == Job.Report(event: .exited(0), echo: true, lines: true))
    }

    // MARK: the wait

    private static let endless = Flood(100_000, piece: 100_000, isEndless: true)

    /// Text that does not end: the question is not asked, and the terminal is restored. A test that
    /// itself paused for 0.3 seconds sees the question, and starts again.
    @Test(arguments: [(["create"], "PIN: "), (["sign", "transfer.json", "--chain", "eos"], "[y/N] ")])
    func theWaitEnds(arguments: [String], question: String) throws {
        let fixture = try AnswerFixture()
        for _ in 1...20 {
            let job = try fixture.start(arguments)
            do {
                _ = try job.expect(question, typing: Self.endless)
                continue
            } catch Job.Failure.textNotShown {}
            #expect(try job.next() == Job.Report(event: .exited(2), echo: true, lines: true))
            #expect(!job.marksPastes)
            let text = job.screen.replacing("\r\n  ", with: " ")
            #expect(
                text.contains(
                    "the question was not asked: input kept arriving at the terminal for 10 seconds"))
            #expect(
                text.contains("hint: stop typing or pasting, then run the command again; a script must wait"))
            return
        }
        Issue.record("the question was asked each time")
    }

    /// Signals, from keys and other processes, end the wait.
    @Test(arguments: [SIGINT, SIGQUIT, SIGTERM, SIGHUP]) func aSignalEndsTheWait(signal: Int32) throws {
        let fixture = try AnswerFixture()
        let job = try fixture.start(["create"])
        try job.expectMarks()
        let keys: [Int32: String] = [SIGINT: "\u{3}", SIGQUIT: "\u{1c}"]
        try job.type("y\ry" + (keys[signal] ?? ""))
        if keys[signal] == nil { job.send(signal) }
        #expect(try job.next() == Job.Report(event: .killed(signal), echo: true, lines: true))
        #expect(!job.screen.contains("PIN: ") && !job.marksPastes)
    }

    /// After a stop, the wait begins again.
    @Test func aStopDuringTheWait() throws {
        let fixture = try AnswerFixture()
        let job = try fixture.start(["create"])
        try job.expectMarks()
        try job.type("y\ry\u{1a}")
        #expect(try job.next() == Job.Report(event: .stopped(SIGTSTP), echo: true, lines: true))
        #expect(!job.screen.contains("PIN: ") && !job.marksPastes)
        job.foreground()
        #expect(try job.next().event == .continued)
        #expect(try job.expect("PIN: ", typing: Flood.all[4]) == 0)
        try job.type(AnswerFixture.pin + "\r")
        #expect(try job.next() == Job.Report(event: .exited(0), echo: true, lines: true))
    }
}
