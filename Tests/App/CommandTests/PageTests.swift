import TestSupport
import Testing

/// README.md and the pages of `docs`: a script runs the commands of each, and their links lead to
/// files and headings that exist.
struct PageTests {
    private static let names =
        ["README.md"]
        + Files.names(in: repositoryRoot + "/docs").filter { $0.hasSuffix(".md") }.map { "docs/" + $0 }
    /// `page NAME` of each script.
    private static let run = Files.names(in: ScriptTests.folder).filter { $0.hasPrefix("docs-") }
    private static let linked = names + ["SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md"]

    private static func page(_ name: String) throws -> Page {
        Page(String(decoding: try repositoryFile(name), as: UTF8.self))
    }

    @Test func pagesAreFound() {
        #expect(Self.names.count > 10)
    }

    @Test(arguments: names)
    func commandsAreRun(name: String) throws {
        let steps = try Self.run.map {
            String(decoding: try Files.read(ScriptTests.folder + "/" + $0), as: UTF8.self)
        }
        let count = steps.flatMap { $0.split(separator: "\n") }.count { $0 == "page " + name }
        let hasCommands = try Self.page(name).blocks.contains { $0.kind == "sh" }
        #expect(count == (hasCommands ? 1 : 0), "\(count) scripts run \(name)")
    }

    /// A command in another kind of block would not be run.
    @Test(arguments: names)
    func blocksHaveAKind(name: String) throws {
        for block in try Self.page(name).blocks {
            #expect(Page.kinds.contains(block.kind), "\(name): a block of the kind `\(block.kind)`")
            guard block.kind != "sh" else { continue }
            for line in block.lines {
                let isCommand = ["$ ", "eosvault ", "cleos ", "sudo ", "make "].contains(
                    where: line.text.hasPrefix)
                #expect(!isCommand, "\(name):\(line.number) is not run: \(line.text)")
            }
        }
    }

    @Test(arguments: linked)
    func linksLead(name: String) throws {
        let folder = name.split(separator: "/").dropLast().map { $0 + "/" }.joined()
        for link in try Self.page(name).links where !link.text.contains("://") {
            let parts = link.text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(
                String.init)
            let target = parts[0].isEmpty ? name : folder + parts[0]
            let text = try? repositoryFile(target)
            let isFolder = !Files.names(in: repositoryRoot + "/" + target).isEmpty
            #expect(text != nil || isFolder, "\(name):\(link.number): \(target)")
            guard let text, parts.count == 2 else { continue }
            let anchors = Page(String(decoding: text, as: UTF8.self)).anchors
            #expect(anchors.contains(parts[1]), "\(name):\(link.number): no heading for \(link.text)")
        }
    }

    // MARK: - the reader of pages

    @Test func commandsOfABlock() throws {
        let page = Page(
            """
            # A `b` (c), d

               ```sh
               # a comment
               one  # online

               two \\
                   three
               ```
            [x](y.md#z)

            """)
        #expect(page.blocks.map(\.kind) == ["sh"])
        #expect(page.blocks[0].commands.map(\.text) == ["one  # online", "two three"])
        #expect(page.blocks[0].commands.map(\.number) == [5, 7])
        #expect(page.links.map(\.text) == ["y.md#z"])
        #expect(page.anchors == ["a-b-c-d"])
    }

    @Test(arguments: [
        ("id 12", "id 12", true), ("id 12", "id …", true), ("id 12", "…2", true), ("a b c", "a … c", true),
        ("a b c d", "a…c…d", true), ("id 12", "id 1", false), ("id 12", "… 13", false),
        ("a c", "a …b… c", false),
        ("ab", "ab…b", false),
    ])
    func changingText(line: String, pattern: String, isEqual: Bool) {
        let parts = pattern.split(separator: "…", omittingEmptySubsequences: false).map(String.init)
        #expect(ScriptRunner.matches(line, parts) == isEqual)
    }

    // MARK: - the answers at a terminal

    @Test func longestQuestionIsAnswered() {
        var answers = TerminalAnswers(lines: ["PIN: ": "one", "policy PIN: ": "two"])
        #expect(answers.next(Array("policy PIN: ".utf8)) == "two")
        #expect(answers.next(Array("policy PIN: ".utf8)) == nil)
        #expect(answers.next(Array("policy PIN: \nPIN: ".utf8)) == "one")
        #expect(answers.next(Array("policy PIN: \nPIN: \nlabel".utf8)) == nil)
    }

    @Test func wordsOfAPhrase() {
        var answers = TerminalAnswers(phrase: [1: "abandon", 2: "ability"])
        #expect(answers.next(Array("word 1 of 2: ".utf8)) == "abandon ability")
        answers = TerminalAnswers()
        #expect(answers.next(Array("1. zoo  2. zone\nword 2: ".utf8)) == "zone")
    }

    @Test func wordsOfShares() {
        let shown =
            "This is share 1 of 2. 1. a 2. b\nThis is share 2 of 2. 1. c\nThis is share 2 of 2. 1. c 2. d"
        let shares = ShownPhrase.shares(in: Array(shown.utf8))
        #expect(shares == [[1: "a", 2: "b"], [1: "c", 2: "d"]])
        var answers = TerminalAnswers()
        answers.shares = shares
        #expect(answers.next(Array("word 1 of 2: ".utf8)) == "a b")
        #expect(answers.next(Array("word 1 of 2: \nword 1 of 2: ".utf8)) == "c d")
        #expect(answers.next(Array("word 1 of 2: \nword 1 of 2: \nword 1 of 2: ".utf8)) == nil)
    }
}
