import ArgumentParser
import TestSupport
import Testing

@testable import eosvault_agent

/// Users copy the examples of the help, so a script runs each of them.
struct AgentHelpTests {
    private static let commands = commands(of: EosvaultAgent.self, after: "eosvault-agent")

    private static func commands(
        of command: any ParsableCommand.Type, after words: String
    ) -> [(words: String, help: String)] {
        [(words, command.configuration.discussion)]
            + command.configuration.subcommands.flatMap {
                Self.commands(of: $0, after: "\(words) \($0._commandName)")
            }
    }

    @Test func examplesAreRun() throws {
        let script = String(
            decoding: try Files.read(repositoryRoot + "/Tests/App/CommandTests/Scripts/agent-help.txt"),
            as: UTF8.self)
        let lines = Set(script.split(separator: "\n").map(String.init))
        func isRun(_ example: String) -> Bool {
            // A script starts an agent with another word.
            let serves = ["eosvault-agent serve", "eosvault-agent"].map { start in
                example.hasPrefix(start + " -") ? "agent" + example.dropFirst(start.count) : example
            }
            return !lines.isDisjoint(with: serves)
        }
        var count = 0
        for (words, help) in Self.commands {
            for line in help.split(separator: "\n") where line.hasPrefix("  eosvault-agent ") {
                let example = String(line.drop { $0 == " " })
                #expect(isRun(example), "`\(example)` of the help of \(words) is not run")
                count += 1
            }
        }
        #expect(count > 10)
    }
}
