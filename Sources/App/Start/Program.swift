import ArgumentParser
import CSystem
import Glibc
import Hardening
import KeyVault
import Keys
import Shell
import WordLists

/// The command line of `eosvault`, or of another program that uses its vaults.
package enum Program {
    /// Set once, before the arguments are read. The program has one thread then.
    nonisolated(unsafe) private static var rootCommand: any ParsableCommand.Type = Eosvault.self

    static var root: any ParsableCommand.Type { unsafe rootCommand }
    static var name: String { root._commandName }

    /// Runs the command that the arguments of the process name. Ends the process with its status,
    /// unless it is 0.
    package static func main(_ root: any ParsableCommand.Type = Eosvault.self) {
        unsafe rootCommand = root
        Messages.begin(program: name)
        BeforeSecrets.add {
            Vault.startLibraries()
            WitnessMemory.warnIfNone()
        }
        if hasArgument("--json") { Messages.becomeJSON() }
        Words.setAdvice(\.eosvaultHint, special: eosvaultHint(for:))
        var arguments: [String] = []
        do {
            try ProcessHardening.apply()
            // The version needs no parser, which takes half of the time.
            if isVersionRequest { return try Output.data(Release.version + "\n") }
            arguments = try Self.arguments()
            if root == Eosvault.self, let command = PlainListings.command(arguments) {
                return try run(command)
            }
            if arguments == ["--version", "--verbose"] { return try Output.data(VersionDetails.text) }
            try expectNoDump(arguments)
            // These commands are also topics of the help.
            if arguments.first == "help", arguments.count > 1, ["codes", "json"].contains(arguments[1]) {
                arguments.removeFirst()
            }
            try expectCompletion(arguments)
            let named = NamedCommand(arguments)
            try named.expectTopic()
            try FurtherActions.expectAction(after: named.rest)
            try RepeatedOptions.refuse(in: named.rest, until: FurtherActions.separator, of: named.withOptions)
            try run(named.parsed(from: arguments))
        } catch {
            // The shell shows what a failed completion prints in the middle of the command line.
            if isCompletion, root.exitCode(for: error) != .success { exit(ExitStatus.failed.rawValue) }
            warn()
            exit(Self.report(error, arguments).rawValue)
        }
    }

    private static func run(_ parsed: any ParsableCommand) throws {
        var command = parsed
        try confine(command)
        try command.run()
        warn()
    }

    /// Starts the sandbox before anything is read, while the process has one thread. A command that
    /// declares no file access, such as a group that prints its help, gets none.
    private static func confine(_ command: any ParsableCommand) throws {
        guard let command = command as? any ConfinedCommand else {
            try Confinement.begin(.none)
            return
        }
        command.inspectMachine()
        try command.confine()
    }

    /// True if `option` is among the arguments. Called before the arguments are parsed.
    private static func hasArgument(_ option: String) -> Bool {
        (1..<max(1, process_argument_count())).contains { index in
            unsafe process_argument(index).map { unsafe strcmp($0, option) == 0 } ?? false
        }
    }

    private static var isVersionRequest: Bool { process_argument_count() == 2 && hasArgument("--version") }

    /// True if a completion script asks for the words that can follow.
    private static var isCompletion: Bool {
        unsafe process_argument(1).map { unsafe strcmp($0, "---completion") == 0 } ?? false
    }

    /// Refuses a request for completion with a negative number, which would trap in the parser. The
    /// request is `---completion COMMANDS -- ARGUMENT INDEX CURSOR WORDS`.
    private static func expectCompletion(_ arguments: [String]) throws(ExitStatus) {
        guard arguments.first == "---completion", let start = arguments.firstIndex(of: "--") else { return }
        let request = arguments[start...].dropFirst().prefix(3)
        guard !request.contains(where: { $0.hasPrefix("positional@-") || (Int($0) ?? 0) < 0 }) else {
            throw .failed
        }
    }

    /// The output of ArgumentParser for `--experimental-dump-help`, for the manual pages.
    package static func dumpedHelp() -> String { Eosvault._dumpHelp() }

    /// Refuses the option that would need Foundation, which eosvault is linked without.
    private static func expectNoDump(_ arguments: [String]) throws(CommandError) {
        let option = "--experimental-dump-help"
        let options = arguments.prefix { $0 != "--" }
        guard root == Eosvault.self, options.contains(where: { $0 == option || $0.hasPrefix(option + "=") })
        else { return }
        throw CommandError.unknownOption(option)
    }

    /// Prints the warnings that are known only at the end of the command.
    private static func warn() {
        LockedMemory.warnIfMissing()
        WitnessMemory.warnIfMissing()
    }

    /// The arguments. One that is not UTF-8 is refused: decoding would silently change a file name.
    private static func arguments() throws -> [String] {
        var arguments: [String] = []
        for index in 1..<max(1, process_argument_count()) {
            guard let argument = unsafe process_argument(index),
                let text = unsafe String(validatingCString: argument)
            else {
                throw ProcessError.argumentNotUTF8(Int(index))
            }
            arguments.append(text)
        }
        let hasSecret = arguments.contains { holdsPrivateKey($0) } || holdsPhrase(arguments)
        guard !hasSecret else { throw ProcessError.secretArgument }
        return arguments
    }

    /// True if the arguments contain many words of a seed or of shares, in one argument or in
    /// several.
    private static func holdsPhrase(_ arguments: [String]) -> Bool {
        let words = arguments.flatMap { $0.split(whereSeparator: \.isWhitespace) }
        guard words.count >= 10 else { return false }
        let known = words.count { word in
            let letters = word.utf8.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            guard (3...WordList.longestWord).contains(word.utf8.count) else { return false }
            return WordList.bip39.number(of: letters) != nil || WordList.slip39.number(of: letters) != nil
        }
        return known >= 10
    }

    /// Prints the error on standard error.
    private static func report(_ error: any Error, _ arguments: [String]) -> ExitStatus {
        if let status = error as? ExitStatus { return status }
        guard let error = error as? any WordedError else { return reportUsage(error, arguments) }
        let words = error.words
        Messages.error(words)
        return ExitStatus(after: error)
    }

    private static func reportUsage(_ error: any Error, _ arguments: [String]) -> ExitStatus {
        guard root.exitCode(for: error) != .success else {
            // Help, the version and shell completions go to standard output.
            let text = root.fullMessage(for: error) + "\n"
            let isBashScript = CompletionShell.requesting == .bash && !isCompletion
            do { try Output.data(text + (isBashScript ? BashCompletion.addition(for: name) : "")) } catch {
                return .failed
            }
            return .done
        }
        Messages.error(UsageMistake(arguments, message: root.message(for: error)).words)
        return .usage
    }
}
