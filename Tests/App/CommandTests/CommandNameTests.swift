import ArgumentParser
import Testing

@testable import App

/// Each command states its name. The parser derives a missing name from the type by reflection, at
/// every start of the program: for 37 commands, this took a third of the time of `--version`.
struct CommandNameTests {
    private static func commands(below command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        let configuration = command.configuration
        let children = configuration.subcommands + configuration.groupedSubcommands.flatMap(\.subcommands)
        return [command] + children.flatMap { commands(below: $0) }
    }

    @Test func eachCommandStatesItsName() {
        let commands = Self.commands(below: Eosvault.self)
        #expect(commands.count > 60)
        for command in commands { #expect(command.configuration.commandName != nil, "\(command)") }
    }
}
