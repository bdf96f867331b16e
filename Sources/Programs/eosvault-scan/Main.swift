import ArgumentParser
import Files
import Glibc
import Keys
import Shell

@main
enum Main {
    static func main() {
        // A closed pipe must return an error. The program waits for its children itself.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGCHLD, SIG_DFL)
        Messages.begin(program: "eosvault-scan")
        Words.setAdvice { $0 == .usage ? "run `eosvault-scan --help`" : nil }
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.contains("--json") { Messages.becomeJSON() }
        do {
            guard !arguments.contains(where: { holdsPrivateKey($0) }) else {
                throw ScanFailure.secretArgument
            }
            // With --help, this is a command that prints the help.
            var command = try Scan.parseAsRoot(arguments)
            try command.run()
        } catch { exit(report(error).rawValue) }
    }

    /// Prints an error, or the help that was asked for.
    /// - Returns: the exit status.
    private static func report(_ error: any Error) -> ExitStatus {
        if let error = error as? any WordedError {
            Messages.error(error.words)
            return .failed
        }
        guard Scan.exitCode(for: error) != .success else {
            do { try Output.data(Scan.fullMessage(for: error) + "\n") } catch { return .failed }
            return .done
        }
        let message = Scan.message(for: error).split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        Messages.error(Words(.usage, Printable.line(message.prefix(1).lowercased() + message.dropFirst())))
        return .usage
    }
}
