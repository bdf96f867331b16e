import ArgumentParser
import Shell
import TestSupport
import Testing

@testable import App

/// Users copy the examples of the help, so they must run: a script runs each of them.
struct HelpExampleTests {
    /// The words of each command, first of `eosvault` itself.
    private static let commands = words(of: Eosvault.self, after: [])

    private static func words(of command: any ParsableCommand.Type, after words: [String]) -> [[String]] {
        [words]
            + command.configuration.subcommands.flatMap {
                Self.words(of: $0, after: words + [$0._commandName])
            }
    }

    @Test(arguments: commands)
    func examplesAreRun(command: [String]) throws {
        let script = String(
            decoding: try ScriptRunner.contents(of: ScriptTests.folder + "/help-examples.txt"), as: UTF8.self)
        let run = Set(script.split(separator: "\n").map(String.init))
        let child = try Child(
            path: BuiltProgram.path, arguments: command + ["--help"], environment: ["COLUMNS": "200"],
            directory: "/")
        let help = String(decoding: try child.run().output, as: UTF8.self)
        #expect(help.contains("USAGE: " + (["eosvault"] + command).joined(separator: " ")))
        for line in help.split(separator: "\n") where line.hasPrefix("  eosvault ") {
            let example = String(line.drop { $0 == " " })
            #expect(run.contains(example), "`\(example)` of the help of \(command) is not run")
        }
    }
}
