import ArgumentParser
import JSON
import Shell
import TestSupport
import Testing

@testable import App

/// The manual pages that `make build` made.
struct ManualTests {
    private static let folder = repositoryRoot + "/.build/install/share/man/man1"

    private static let leaves = ConfinedCommandTests.leaves

    /// The first words of the commands: each has a page.
    private static let commands = Eosvault.configuration.groupedSubcommands.flatMap(\.subcommands).map {
        $0._commandName
    }

    private static func source(of page: String) throws -> String {
        String(decoding: try Files.read(folder + "/\(page).1"), as: UTF8.self)
    }

    /// The pages as a reader sees them, each in one line with single spaces.
    private static let texts = Result {
        try Dictionary(
            uniqueKeysWithValues: (["eosvault"] + commands.map { "eosvault-\($0)" } + agentPages).map {
                page in
                let result = try groff(["-Tutf8", "-P-cbou", "-rLL=1000n"], page)
                return (page, result.output.split { " \n".contains($0) }.joined(separator: " "))
            })
    }

    private static func text(of page: String) throws -> String { try #require(try texts.get()[page]) }

    private static func groff(_ options: [String], _ page: String) throws -> (output: String, error: String) {
        let child = Child(
            path: "/usr/bin/env", arguments: ["groff", "-man"] + options + [folder + "/\(page).1"],
            environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"], directory: "/")
        let result = try child.run()
        try #require(
            result.status == 0, "groff \(options) \(page): \(String(decoding: result.error, as: UTF8.self))")
        return (String(decoding: result.output, as: UTF8.self), String(decoding: result.error, as: UTF8.self))
    }

    @Test func eachCommandHasAPage() {
        #expect(Self.commands.count > 20)
        let pages = ["eosvault"] + Self.commands.map { "eosvault-\($0)" } + Self.agentPages
        #expect(Files.names(in: Self.folder) == pages.map { $0 + ".1" }.sorted())
    }

    private static let agentPages =
        ["eosvault-agent"]
        + ["credential", "lock", "serve", "sign", "status", "stop", "unlock"].map { "eosvault-agent-\($0)" }

    @Test func agentPagesHaveTheWholeHelp() throws {
        let help = try Child(
            path: BuiltProgram.path + "-agent", arguments: ["--experimental-dump-help"], environment: [:],
            directory: "/"
        ).run()
        let commands = try #require(JSONValue.parse(help.output)["command"]?["subcommands"]?.array)
            .filter { $0["commandName"]?.string != "help" }
        let names = commands.compactMap { $0["commandName"]?.string }
        #expect(Set(names.map { "eosvault-agent-\($0)" }) == Set(Self.agentPages.dropFirst()))
        let overview = try Self.text(of: "eosvault-agent")
        for (name, command) in zip(names, commands) {
            let page = try Self.text(of: "eosvault-agent-\(name)")
            for leaf in [command] + (command["subcommands"]?.array ?? []) {
                for argument in leaf["arguments"]?.array ?? [] {
                    let text = (argument["abstract"]?.string ?? "").replacing("`", with: "")
                    #expect(page.contains(text) || overview.contains(text), "\(name): \(text)")
                }
            }
        }
    }

    @Test(arguments: ["eosvault"] + commands.map { "eosvault-\($0)" } + agentPages)
    func pageHasItsSectionsAndNoWarnings(page: String) throws {
        for width in ["60", "80"] {
            let result = try Self.groff(["-ww", "-z", "-Tutf8", "-rLL=\(width)n"], page)
            #expect(result.error.isEmpty)
        }
        let headings = try Self.source(of: page).split(separator: "\n").filter { $0.hasPrefix(".SH ") }
        for title in ["NAME", "SYNOPSIS", "DESCRIPTION", "FILES", "ENVIRONMENT", "EXAMPLES"] {
            #expect(headings.contains(".SH \(title)"))
        }
        #expect(headings.suffix(1) == [".SH \"SEE ALSO\""] && headings.contains(".SH \"EXIT STATUS\""))
        // An escape that was written twice would be shown.
        #expect(try !Self.text(of: page).contains("\\"))
    }

    /// The name and the text of each argument and option are in the page, or in eosvault(1) if the
    /// page refers to it.
    @Test(arguments: leaves)
    func pageHasTheWholeHelp(_ leaf: ConfinedCommandTests.Leaf) throws {
        let page = try Self.text(of: "eosvault-\(leaf.words[0])")
        let overview = try Self.text(of: "eosvault")
        let help = try JSONValue.parse(Array(leaf.type._dumpHelp().utf8))
        let arguments = try #require(help["command"]?["arguments"]?.array)
        for argument in arguments {
            let names = (argument["names"]?.array ?? []).compactMap { name in
                name["name"]?.string.map { (name["kind"]?.string == "long" ? "--" : "-") + $0 }
            }
            for name in names { #expect(page.contains(name), "\(leaf.words): \(name)") }
            let text = (argument["abstract"]?.string ?? "").replacing("`", with: "")
            #expect(page.contains(text) || overview.contains(text), "\(leaf.words): \(text)")
        }
    }

    /// HelpExampleTests checks that the examples of the help are run.
    @Test(arguments: leaves)
    func examplesAreThoseOfTheHelp(_ leaf: ConfinedCommandTests.Leaf) throws {
        let page = try Self.text(of: "eosvault-\(leaf.words[0])")
        for line in leaf.type.configuration.discussion.split(separator: "\n") where line.hasPrefix("  ") {
            let example = line.split(separator: " ").joined(separator: " ")
            #expect(page.contains(example), "`\(example)` is not in the page of \(leaf.words)")
        }
    }

    /// Options of several commands are described once.
    @Test func sharedOptionsAreDescribedOnce() throws {
        let overview = try Self.text(of: "eosvault")
        let text = "Read the PIN from a file; one final line ending is dropped."
        #expect(overview.contains(text))
        for command in Self.commands { #expect(try !Self.text(of: "eosvault-\(command)").contains(text)) }
    }

    @Test func exitStatusesAreThoseOfTheProgram() throws {
        let overview = try Self.text(of: "eosvault")
        for status in ExitStatus.allCases {
            let meaning = status.meaning.prefix(1).uppercased() + status.meaning.dropFirst()
            #expect(overview.contains("\(status.rawValue) \(meaning)."))
        }
    }
}
