import ArgumentParser
import CShim
import Glibc
import KeyText
import Sandbox

@main
enum Main {
    static func main() {
        if isAsked(for: "--json") { Messages.becomeJSON() }
        do {
            try ProcessHardening.apply()
            let arguments = try Self.arguments()
            NamedDescriptors.closeOthers(arguments)
            try expectCommands(arguments)
            var command = try Eosvault.parseAsRoot(arguments)
            try RepeatedOptions.refuse(in: arguments, of: type(of: command))
            try confine(command)
            try command.run()
            warn()
        } catch {
            warn()
            exit(Self.report(error))
        }
    }

    /// Nothing was read yet, and there is one thread. What says of no file that it touches it, as a
    /// group that prints its help, is given none.
    private static func confine(_ command: any ParsableCommand) throws {
        guard let command = command as? any ConfinedCommand else { return try Confinement.begin(.none) }
        command.lookAround()
        try command.sandbox.begin(command.touches)
    }

    /// Whether an argument is this one, before they are looked at.
    private static func isAsked(for option: String) -> Bool {
        (1..<max(1, shim_argument_count())).contains { index in
            unsafe shim_argument(index).map { unsafe strcmp($0, option) == 0 } ?? false
        }
    }

    /// What only the end of the command shows.
    private static func warn() {
        LockedMemory.warnIfMissing()
        WitnessMemory.warnIfMissing()
    }

    /// The arguments as they were given; a file name that is no UTF-8 would silently become another
    /// one.
    private static func arguments() throws -> [String] {
        var arguments: [String] = []
        for index in 1..<max(1, shim_argument_count()) {
            guard let argument = unsafe shim_argument(index), let text = unsafe String(validatingCString: argument)
            else {
                throw CommandError.argumentNotUTF8(Int(index))
            }
            arguments.append(text)
        }
        guard !arguments.contains(where: { holdsPrivateKey($0) }) else { throw CommandError.secretArgument }
        return arguments
    }

    /// `help` takes whatever follows it; what is no command is wrong usage.
    private static func expectCommands(_ arguments: [String]) throws {
        guard arguments.first == "help" else { return }
        var commands =
            Eosvault.configuration.subcommands + Eosvault.configuration.groupedSubcommands.flatMap(\.subcommands)
        for name in arguments.dropFirst() where !name.hasPrefix("-") {
            guard let command = commands.first(where: { $0._commandName == name }) else {
                throw ValidationError("there is no command `\(name)`")
            }
            commands = command.configuration.subcommands
        }
    }

    /// Says what went wrong on standard error.
    /// - Returns: The exit status: 1 refused or failed, 64 wrong usage, 0 for help and the version.
    private static func report(_ error: any Error) -> Int32 {
        if let status = error as? ExitStatus { return status.rawValue }
        if case .argumentNotUTF8? = error as? CommandError {
            Messages.error(Words(for: error))
            return ExitCode.validationFailure.rawValue
        }
        guard error is any WordedError else { return reportUsage(error) }
        Messages.error(Words(for: error))
        return 1
    }

    private static func reportUsage(_ error: any Error) -> Int32 {
        guard Eosvault.exitCode(for: error) != .success else {
            // Help, the version and shell completions are data.
            return Output.write(Eosvault.fullMessage(for: error) + "\n", to: STDOUT_FILENO) ? 0 : 1
        }
        // The parser repeats what was typed, and lists alternatives in lines of their own.
        let message =
            Eosvault.message(for: error).split(whereSeparator: \.isNewline).first.map { Printable.line(String($0)) }
            ?? ""
        Messages.error(
            Words(
                "usage", message.isEmpty ? "wrong usage" : message.prefix(1).lowercased() + message.dropFirst(),
                hint: "see `eosvault help`, or --help behind the command"))
        return ExitCode.validationFailure.rawValue
    }
}

/// Ends the program with a status after everything was said.
struct ExitStatus: Error {
    let rawValue: Int32

    /// Some of the data on standard output are refusals.
    static let someFailed = ExitStatus(rawValue: 1)
}
