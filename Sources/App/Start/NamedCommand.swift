import ArgumentParser
import Shell

/// The command that the arguments of the process begin with.
struct NamedCommand {
    /// The words of the command, such as `slot` and `add`.
    private(set) var words: [String] = []
    private(set) var type: any ParsableCommand.Type = Program.root
    /// The arguments after these words.
    private(set) var rest: ArraySlice<String>
    private let isTopic: Bool

    /// - Parameter arguments: a command, or `help` and a command.
    init(_ arguments: [String]) {
        isTopic = arguments.first == "help"
        rest = arguments.dropFirst(isTopic ? 1 : 0)
        while let word = rest.first, let found = subcommands.first(where: { $0._commandName == word }) {
            words.append(word)
            type = found
            rest = rest.dropFirst()
        }
    }

    var subcommands: [any ParsableCommand.Type] { type.configuration.subcommands }

    /// The command with the options: a group may have a command that needs no word.
    var withOptions: any ParsableCommand.Type { type.configuration.defaultSubcommand ?? type }

    /// The command with its arguments. Usually only this command is parsed: the parser would first
    /// make a tree of all commands, which takes longer than everything else. Where that fails, the
    /// tree is parsed, so that help and errors name the whole command.
    /// - Parameter arguments: of the process.
    func parsed(from arguments: [String]) throws -> any ParsableCommand {
        // As the first argument, the parser would take it as a request for completion.
        if !isTopic, !words.isEmpty, subcommands.isEmpty, rest.first != "---completion",
            let command = try? type.parseAsRoot(Array(rest)), Swift.type(of: command) == type
        {
            return command
        }
        return try Program.root.parseAsRoot(arguments)
    }

    /// Refuses an unknown command after `help`, which the parser accepts.
    func expectTopic() throws {
        guard isTopic, let word = rest.first(where: { !$0.hasPrefix("-") }) else { return }
        throw ValidationError("there is no command `\(word)`")
    }
}
