import ArgumentParser
import Files
import Glibc
import Hardening
import SecureMemory
import Shell

/// Where a command writes a secret unencrypted.
struct ExportOptions: ParsableArguments {
    @Option(
        name: .shortAndLong, help: ArgumentHelp("Write to a new file instead of the terminal.", valueName: "file"),
        completion: .file())
    var output: String?

    @Flag(help: "Print it even if standard output is not a terminal.")
    var force = false

    @Flag(name: .customLong("json"), help: "Print errors as JSON.")
    var jsonErrors = false

    var fileAccess: FileAccess { OutputFile.fileAccess(to: output) }

    /// The new file; nil for standard output, for which `output` can be `-`. Call it before the PIN
    /// is asked for.
    /// - Throws: `refusal` for standard output that is not a terminal, without `force`.
    func prepared(otherwise refusal: CommandError) throws -> NewFile? {
        let file = try OutputFile.prepared(at: output, for: .secret)
        if file == nil, isatty(STDOUT_FILENO) != 1, !force { throw refusal }
        return file
    }

    /// Writes a secret whose export is recorded and committed: to the file, or as a line.
    func write(_ secret: borrowing SecureBytes, _ result: Undelivered.Result, to file: NewFile?) throws {
        try delivering(result, to: output) {
            guard let file else {
                try Output.secret(secret)
                return try Output.data("\n")
            }
            try file.write(secret)
        }
    }
}
