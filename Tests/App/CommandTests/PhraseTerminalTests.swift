import CChild
import Glibc
import TestSupport
import Testing

/// The words of a recovery phrase, typed at a terminal.
struct PhraseTerminalTests {
    /// 24 words with the checksum of a vault (`RecoveryPhraseTests`). They open no vault here.
    private static let others = Array(repeating: "zoo", count: 23) + ["volume"]
    private static let hidden = """
        Type the 24 words of the recovery phrase, one or several on each line. The first
          four letters of a word are enough. The words are not shown.

        """
    private static let mismatch =
        "The checksum does not match: a word is wrong, or the words are in the wrong\r\n  order.\r\n"
    private static let number = "number of the word to type again (1 to 24), or `all`: "

    private let folder: TemporaryFolder
    /// The words that open the vault.
    private let words: [String]

    init() throws {
        folder = try TemporaryFolder()
        try Files.write(Array("a passphrase of several words".utf8), to: folder.path + "/pin")
        let job = try Self.start(
            [
                "init", "--kdf-passes", "1", "--kdf-memory", "8KiB", "--insecure-kdf", "--pin-file", "pin",
                "--recovery",
            ],
            in: folder)
        try job.expect("Press Return when")
        let shown = ShownPhrase.words(in: Array(job.screen.utf8))
        words = (1...24).compactMap { shown[$0] }
        try job.type("\r")
        for _ in 1...3 {
            try job.expect("word ")
            try job.expect(": ")
            let question = try #require(job.screen.matches(of: #/word ([0-9]+): /#).last?.1)
            // The first four letters are enough here too.
            try job.type((shown[Int(question) ?? 0] ?? "").prefix(4) + "\r")
        }
        try #require(job.next().event == .exited(0))
        try #require(words.count == 24)
    }

    private static func start(
        _ arguments: [String], in folder: TemporaryFolder, columns: Int = 80, flags: Int = 0
    ) throws -> Job {
        try Job(
            arguments, environment: ["HOME": folder.path, "LANG": "C.UTF-8", "TERM": "xterm"],
            directory: folder.path,
            flags: flags, shell: "stty cols \(columns) rows 24 </dev/tty; exec \"$@\" 2>/dev/tty")
    }

    private func create(_ more: [String] = [], columns: Int = 80, flags: Int = 0) throws -> Job {
        let job = try Self.start(["create", "--recovery"] + more, in: folder, columns: columns, flags: flags)
        try job.expect("word 1 of 24: ")
        #expect(try job.echoes() == more.contains("--show-words"))
        return job
    }

    private func questions(_ positions: ClosedRange<Int>) -> String {
        positions.map { "word \($0) of 24: \n" }.joined()
    }

    private func text(_ job: Job) -> String { job.screen.replacing("\r\n", with: "\n") }

    /// Types a line that has the right checksum and opens no vault, and ends the program at the
    /// next question.
    private func endAfterChecksum(_ job: Job) throws {
        try job.expect("belongs to another vault")
        try job.expect("word 1 of 24: ")
        try job.type("\u{3}")
        #expect(try job.next().event == .killed(SIGINT))
    }

    // MARK: all words

    /// Each word takes one line, so nothing shows its length.
    @Test(arguments: [4, 8]) func wordByWord(letters: Int) throws {
        let job = try create()
        for (index, word) in words.enumerated() {
            if index > 0 { try job.expect("word \(index + 1) of 24: ") }
            #expect(try !job.echoes())
            try job.type(word.prefix(letters) + "\r")
        }
        #expect(try job.next() == Job.Report(event: .exited(0), echo: true, lines: true))
        #expect(text(job).hasPrefix(Self.hidden + questions(1...24) + "\r\u{1b}[Kopening the vault"))
    }

    @Test func pastedOnOneLine() throws {
        let job = try create()
        try job.type(" " + words.joined(separator: "  ").uppercased() + " \r")
        #expect(try job.next().event == .exited(0))
        #expect(text(job).hasPrefix(Self.hidden + questions(1...1) + "\r\u{1b}[Kopening the vault"))
    }

    /// Lines that arrive before their question are kept.
    @Test func pastedOnSeveralLines() throws {
        let job = try create()
        let lines = stride(from: 0, to: 24, by: 6).map { words[$0..<($0 + 6)].joined(separator: " ") }
        try job.type(lines.joined(separator: "\r") + "\r")
        #expect(try job.next().event == .exited(0))
        for position in [1, 7, 13, 19] { #expect(job.screen.contains("word \(position) of 24: ")) }
        #expect(!job.screen.contains(words[0] + " " + words[1]))
    }

    @Test func editingKeysWork() throws {
        let job = try create()
        try job.type(
            "\(words[0])xy\u{7f}\u{7f}\rnonsense\u{15}\(words[1])\r\(words.dropFirst(2).joined(separator: " "))\r"
        )
        #expect(try job.next().event == .exited(0))
    }

    @Test func emptyLineAsksAgain() throws {
        let job = try create()
        try job.type("\r")
        try job.expect("word 1 of 24: ")
        try job.type(words.joined(separator: " ") + "\r")
        #expect(try job.next().event == .exited(0))
    }

    /// The rest of a paste that arrives late must not fill other positions, whether it is a whole
    /// line or a part of one.
    @Test func theRestOfAPasteIsDropped() throws {
        let job = try create()
        try job.type("zzzz\r")
        try job.expect("Word 1 is not in the list of words. Type it again.")
        for part in ["zoo\rzo", "o zone\rzo", "o\r"] {
            usleep(50_000)
            try job.type(part)
        }
        try job.expect("word 1 of 24: ")
        #expect(try !job.echoes())
        try job.type(words.joined(separator: " ") + "\r")
        #expect(try job.next() == Job.Report(event: .exited(0), echo: true, lines: true))
        #expect(!job.screen.contains("zo"))
    }

    /// The other words are kept. The limit is that of the whole phrase.
    @Test func tooLongALineIsRefused() throws {
        let job = try create()
        try job.type("\(words[0]) \(words[1])\r")
        for count in [1_025, 1_026, 3_000] {
            try job.expect("word 3 of 24: ")
            try job.type(String(repeating: " ", count: count - 3) + "zoo\r")
            try job.expect("The line has more than 1024 bytes. The line is ignored: type it again.")
        }
        try job.expect("word 3 of 24: ")
        let rest = words.dropFirst(2).joined(separator: " ")
        try job.type(String(repeating: " ", count: 1_024 - rest.utf8.count) + rest + "\r")
        #expect(try job.next().event == .exited(0))
    }

    /// The second one must not be shown while the vault is opened, and not be left for the shell.
    @Test func pastedTwice() throws {
        try folder.countFailedUnlocks(2)
        let job = try create()
        let input = try job.openInput()
        defer { close(input) }
        let line = words.joined(separator: " ") + "\r"
        try job.type(line)
        try job.expect("because of failed unlocks")
        #expect(try !job.echoes())
        try job.type(line)
        #expect(try job.next() == Job.Report(event: .exited(0), echo: true, lines: true))
        #expect(!job.screen.contains(words[0] + " " + words[1]))
        #expect(try !job.hasInput(input))
    }

    // MARK: corrections

    @Test func unknownWordIsTypedAgain() throws {
        let job = try create()
        try job.type(words[0] + "\r")
        try job.expect("word 2 of 24: ")
        try job.type("zzzz\r")
        try job.expect("Word 2 is not in the list of words. Type it again.\r\nword 2 of 24: ")
        try job.type(words.dropFirst().joined(separator: " ") + "\r")
        #expect(try job.next().event == .exited(0))
        #expect(!job.screen.contains("zzzz"))
    }

    /// The other words of a pasted line are kept.
    @Test func unknownWordsOfALineAreTypedAgain() throws {
        let job = try create()
        var line = words
        (line[4], line[23]) = ("zzzz", "yyyy")
        try job.type(line.joined(separator: " ") + "\r")
        try job.expect("Words 5, 24 are not in the list of words. Type each one again.\r\nword 5 of 24: ")
        try job.type("\(words[4]) \(words[23])\r")
        try job.expect("The line has 2 words, but only word 5 can be typed now. The line is")
        try job.expect("word 5 of 24: ")
        try job.type(words[4] + "\r")
        try job.expect("word 24 of 24: ")
        try job.type(words[23] + "\r")
        #expect(try job.next().event == .exited(0))
    }

    @Test func tooManyWordsAreRefused() throws {
        let job = try create()
        try job.type(words.joined(separator: " ") + " zoo\r")
        try job.expect("The line has 25 words, but only words 1 to 24 can be typed now. The line is")
        try job.expect("word 1 of 24: ")
        try job.type(words.joined(separator: " ") + "\r")
        #expect(try job.next().event == .exited(0))
    }

    @Test func wrongWordIsTypedAgainByItsNumber() throws {
        let job = try create()
        var line = Self.others
        line[0] = "zone"
        try job.type(line.joined(separator: " ") + "\r")
        try job.expect(Self.mismatch)
        for wrong in ["25", "0", "zoo", "1 2"] {
            try job.expect(Self.number)
            #expect(try !job.echoes())
            try job.type(wrong + "\r")
            try job.expect("This is not a number from 1 to 24, and not `all`.")
        }
        // Another position than the wrong one: the other words are kept.
        try job.expect(Self.number)
        try job.type("3\r")
        try job.expect("word 3 of 24: ")
        try job.type("zoo\r")
        try job.expect(Self.mismatch)
        try job.expect(Self.number)
        try job.type("1\r")
        try job.expect("word 1 of 24: ")
        try job.type("ZOO\r")
        try endAfterChecksum(job)
        #expect(!job.screen.contains("zo") && !job.screen.contains("ZO") && !job.screen.contains("25"))
    }

    @Test func allWordsAreTypedAgain() throws {
        let job = try create()
        try job.type(Self.others.reversed().joined(separator: " ") + "\r")
        try job.expect(Self.mismatch)
        try job.expect(Self.number)
        try job.type("ALL\r")
        try job.expect("word 1 of 24: ")
        try job.type(words.joined(separator: " ") + "\r")
        #expect(try job.next().event == .exited(0))
    }

    /// A Return that was typed by mistake must not drop the words.
    @Test func returnAsksForTheNumberAgain() throws {
        let job = try create()
        try job.type(([words[1], words[0]] + words.dropFirst(2)).joined(separator: " ") + "\r")
        try job.expect("The checksum does not match")
        for _ in 1...2 {
            try job.expect(Self.number)
            try job.type("\r")
        }
        for (position, word) in words.prefix(2).enumerated() {
            try job.expect(Self.number)
            try job.type("\(position + 1)\r")
            try job.expect("word \(position + 1) of 24: ")
            try job.type(word + "\r")
        }
        #expect(try job.next().event == .exited(0))
    }

    /// One wrong word of 256 makes the checksum of a wallet.
    @Test func seedOfAWalletCanBeCorrected() throws {
        let job = try create()
        try job.type(Self.others.dropLast().joined(separator: " ") + " vote\r")
        try job.expect("The checksum does not match: these words are a seed (BIP-39), not the recovery")
        try job.expect("phrase of a vault, or a word is wrong.")
        try job.expect(Self.number)
        try job.type("24\r")
        try job.expect("word 24 of 24: ")
        try job.type("volu\r")
        try endAfterChecksum(job)
    }

    @Test(arguments: [40, 120]) func textFitsTheTerminal(columns: Int) throws {
        let job = try create(columns: columns)
        try job.type("zzzz " + Self.others.joined(separator: " ") + "\r")
        try job.expect("again.")
        try job.expect("word 1 of 24: ")
        try job.type(Self.others.reversed().joined(separator: " ") + "\r")
        try job.expect("`all`: ")
        #expect(text(job).split(separator: "\n").allSatisfy { $0.count <= columns })
        try job.type("\u{3}")
        #expect(try job.next().event == .killed(SIGINT))
    }

    // MARK: shown words

    /// The words are on a separate screen, which is cleared.
    @Test func wordsAreShownOnRequest() throws {
        let job = try create(["--show-words"])
        #expect(job.screen.hasPrefix("\u{1b}[?1049h\u{1b}[H\u{1b}[JType the 24 words"))
        #expect(!job.screen.contains("not shown"))
        try job.type("zone\r")
        try job.expect("zone\r\nword 2 of 24: ")
        try job.type(Self.others.dropFirst().joined(separator: " ") + "\r")
        // The words are complete, with their numbers.
        try job.expect(" 1. zone        2. zoo         3. zoo ")
        try job.expect("24. volume")
        try job.expect(Self.mismatch)
        try job.expect(Self.number)
        try job.type("1\r")
        try job.expect("word 1 of 24: ")
        try job.type("zoo\r")
        try job.expect("\u{1b}[H\u{1b}[J\u{1b}[3J\u{1b}[?1049l")
        let end = job.screen.split(separator: "\u{1b}[?1049l", omittingEmptySubsequences: false).last ?? ""
        #expect(!end.contains("zo"))
        try endAfterChecksum(job)
        #expect(job.screen.hasSuffix("\u{1b}[H\u{1b}[J\u{1b}[3J\u{1b}[?1049l"))
    }

    // MARK: signals

    @Test(arguments: [0, JOB_RAW]) func controlCEnds(flags: Int) throws {
        let job = try create(flags: flags)
        try job.type("\(words[0])\r\(words[1])\r\(words[2])\u{3}")
        #expect(
            try job.next() == Job.Report(event: .killed(SIGINT), echo: flags == 0, lines: flags == 0))
        #expect(!job.screen.contains(words[0]) || Self.hidden.contains(words[0]))
    }

    @Test func controlDEnds() throws {
        let job = try create()
        try job.type("\(words[0])\r")
        try job.expect("word 2 of 24: ")
        try job.type("\u{4}")
        try job.expect("error: the terminal was closed before you answered")
        try job.expect("hint: nothing was done; in a script, give --recovery-file\r\n")
        #expect(try job.next() == Job.Report(event: .exited(2), echo: true, lines: true))
    }

    /// Words from before the stop are not kept.
    @Test(arguments: [[], ["--show-words"]]) func controlZAsksForAllWordsAgain(more: [String]) throws {
        let job = try create(more)
        try job.type("\(words[0]) \(words[1])\r")
        try job.expect("word 3 of 24: ")
        try job.type("\(words[2])\u{1a}")
        #expect(try job.next() == Job.Report(event: .stopped(SIGTSTP), echo: true, lines: true))
        job.foreground()
        #expect(try job.next().event == .continued)
        try job.expect("word 1 of 24: ")
        try job.type(words.joined(separator: " ") + "\r")
        #expect(try job.next() == Job.Report(event: .exited(0), echo: true, lines: true))
    }
}
