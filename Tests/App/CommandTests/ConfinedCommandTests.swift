import ArgumentParser
import Shell
import Testing

@testable import App

/// Every command declares its file access, and `network.txt` runs it under strace.
struct ConfinedCommandTests {
    struct Leaf: CustomTestStringConvertible, Sendable {
        /// The words of the command line, without `eosvault`.
        let words: [String]
        let type: any ParsableCommand.Type

        var testDescription: String { words.joined(separator: " ") }
    }

    static let leaves = leaves(of: Eosvault.self, after: [])

    /// The commands that have no subcommands.
    private static func leaves(of command: any ParsableCommand.Type, after words: [String]) -> [Leaf] {
        let commands =
            command.configuration.subcommands
            + command.configuration.groupedSubcommands.flatMap(\.subcommands)
        guard !commands.isEmpty else { return [Leaf(words: words, type: command)] }
        return commands.flatMap { leaves(of: $0, after: words + [$0._commandName]) }
    }

    @Test func allCommandsAreFound() {
        #expect(Self.leaves.count >= 30)
        #expect(Self.leaves.contains { $0.words == ["transaction", "digest"] })
    }

    @Test(arguments: leaves)
    func declaresFileAccess(_ leaf: Leaf) {
        #expect(leaf.type is any ConfinedCommand.Type)
    }

    /// `trace` runs the command with and without the sandbox, to prove that the program itself
    /// makes no network call. `token list` starts another program: `tokens.txt` traces it.
    @Test(arguments: leaves.filter { $0.words != ["token", "list"] })
    func isTraced(_ leaf: Leaf) throws {
        let script = String(
            decoding: try ScriptRunner.contents(of: ScriptTests.folder + "/network.txt"), as: UTF8.self)
        let line = "trace " + leaf.words.joined(separator: " ")
        let isTraced = script.split(separator: "\n").contains { $0 == line || $0.hasPrefix(line + " ") }
        #expect(isTraced, "network.txt has no line `\(line) …`")
    }
}
