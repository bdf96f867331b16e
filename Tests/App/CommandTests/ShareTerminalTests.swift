import CChild
import TestSupport
import Testing

/// Shares of a seed and of the recovery phrase, shown and typed at a terminal.
struct ShareTerminalTests {
    private let folder: TemporaryFolder
    /// The seed of the BIP-39 words `abandon … about`.
    private static let seed = "seed:EOS6zpSNY1YoLxNt2VsvJjoDfBueU6xC1M1ERJw1UoekL1NHn8KNA"
    private static let cost = ["--kdf-passes", "1", "--kdf-memory", "8KiB", "--insecure-kdf"]

    init() throws {
        folder = try TemporaryFolder()
        try Files.write(Array("a passphrase of several words".utf8), to: folder.path + "/pin")
        let words = String(repeating: "abandon ", count: 11) + "about"
        try Files.write(Array(words.utf8), to: folder.path + "/words")
    }

    private func start(_ arguments: [String]) throws -> Job {
        try Job(
            arguments, environment: ["HOME": folder.path, "LANG": "C.UTF-8", "TERM": "xterm"],
            directory: folder.path,
            shell: "stty cols 80 rows 40 </dev/tty; exec \"$@\" >/dev/tty 2>&1")
    }

    private func run(_ arguments: [String]) throws {
        let job = try start(arguments + ["--pin-file", "pin"])
        try #require(job.next().event == .exited(0), "\(job.screen)")
    }

    /// Answers the questions for three of the words that are shown.
    private func confirm(_ job: Job, afterShowing text: String) throws -> [String] {
        try job.expect(text)
        try job.expect("Press Return when you have written them down")
        let screen = job.screen
        let start = try #require(screen.ranges(of: text).last?.upperBound)
        let shown = ShownPhrase.words(in: Array(screen[start...].utf8))
        try job.type("\r")
        for _ in 1...3 {
            try job.expect("word ")
            try job.expect(": ")
            let question = try #require(job.screen.matches(of: #/word ([0-9]+): /#).last?.1)
            try job.type((shown[Int(question) ?? 0] ?? "") + "\r")
        }
        return shown.keys.sorted().compactMap { shown[$0] }
    }

    private func split(_ arguments: [String], _ what: String, count: Int) throws -> [[String]] {
        let job = try start(["seed", "split"] + arguments)
        if arguments.contains("--recovery") {
            try job.expect("word 1 of 24: ")
            let phrase = try Files.read(folder.path + "/phrase")
            try job.type(String(decoding: phrase, as: UTF8.self) + "\r")
        }
        var shares: [[String]] = []
        for number in 1...count {
            shares.append(
                try confirm(
                    job, afterShowing: "This is share \(number) of \(count). Any 2 of them restore \(what)."))
        }
        #expect(try job.next().event == .exited(0), "\(job.screen)")
        #expect(job.screen.contains("any 2 of the \(count) shares restore"))
        return shares
    }

    @Test func sharesOfASeed() throws {
        try run(["init"] + Self.cost)
        try run(["seed", "restore", "family", "--words-file", "words"])
        let shares = try split(
            ["family", "--shares", "2-of-3", "--pin-file", "pin"], "the seed", count: 3)
        let others = try split(
            ["family", "--shares", "2-of-3", "--pin-file", "pin"], "the seed", count: 3)
        #expect(shares.map(\.count) == [20, 20, 20] && shares[0] != others[0])

        // The seed exists, so its shares are joined in another vault.
        try run(["remove", "family", "--yes", "--never-backed-up"])
        let job = try start(["seed", "join", "again", "--words", "20", "--pin-file", "pin"])
        func type(_ words: [String]) throws {
            try job.expect("word 1 of 20: ")
            #expect(try !job.echoes())
            try job.type(words.joined(separator: " ") + "\r")
        }
        try job.expect("Type the 20 words of share 1")
        try type(shares[2])
        try job.expect("accepted; 1 more share is needed")
        try type(shares[2])
        try job.expect("The share was given before.")
        try job.expect("number of the word to type again (1 to 20), or `all`: ")
        try job.type("all\r")
        try type(others[0])
        try job.expect("The share belongs to another set: its identifier differs")
        try job.expect("number of the word to type again (1 to 20), or `all`: ")
        try job.type("all\r")
        var wrong = shares[0]
        wrong[7] = wrong[7] == "academic" ? "acid" : "academic"
        try type(wrong)
        try job.expect("The checksum is wrong")
        try job.expect("number of the word to type again (1 to 20)")
        try job.type("8\r")
        try job.expect("word 8 of 20: ")
        try job.type(shares[0][7] + "\r")
        #expect(try job.next().event == .exited(0), "\(job.screen)")
        #expect(job.screen.contains(Self.seed))
        #expect(!shares[0].dropFirst(4).contains { job.screen.contains(" \($0) ") })
    }

    @Test func sharesOfTheRecoveryPhrase() throws {
        let made = try start(["init", "--pin-file", "pin", "--recovery"] + Self.cost)
        let phrase = try confirm(made, afterShowing: "This is the recovery phrase of the vault.")
        try #require(made.next().event == .exited(0))
        try Files.write(Array(phrase.joined(separator: " ").utf8), to: folder.path + "/phrase")
        let shares = try split(
            ["--recovery", "--shares", "2-of-2"], "the recovery phrase", count: 2)
        #expect(shares.map(\.count) == [33, 33])

        let job = try start(["seed", "join", "--recovery-phrase"])
        for share in shares {
            try job.expect("word 1 of 33: ")
            try job.type(share.joined(separator: " ") + "\r")
        }
        try job.expect("This is the recovery phrase of the vault, from its shares.")
        try job.expect("Press Return to clear the screen.")
        let place = try #require(job.screen.ranges(of: "from its shares.").last?.upperBound)
        let shown = ShownPhrase.words(in: Array(job.screen[place...].utf8))
        #expect(shown.keys.sorted().compactMap { shown[$0] } == phrase)
        try job.type("\r")
        #expect(try job.next().event == .exited(0))

        // The shares of a seed are no recovery phrase.
        let words = String(repeating: "abandon ", count: 23) + "art"
        try Files.write(Array(words.utf8), to: folder.path + "/long")
        try run(["seed", "restore", "family", "--words-file", "long"])
        let others = try split(
            ["family", "--shares", "2-of-2", "--pin-file", "pin"], "the seed", count: 2)
        let wrong = try start(["seed", "join", "--recovery-phrase"])
        for share in others {
            try wrong.expect("word 1 of 33: ")
            try wrong.type(share.joined(separator: " ") + "\r")
        }
        #expect(try wrong.next().event == .exited(77))
        #expect(wrong.screen.contains("belongs to another vault"))
    }
}
