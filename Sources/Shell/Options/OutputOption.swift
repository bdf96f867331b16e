import ArgumentParser
import Files
import Hardening

/// Where a command writes public data: to standard output, or to a new file.
package struct OutputOption: ParsableArguments {
    package init() {}

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write to a new file instead of standard output.", valueName: "file"),
        completion: .file())
    package var output: String?

    package var fileAccess: FileAccess { OutputFile.fileAccess(to: output) }

    /// The new file; nil for standard output, for which the option can be `-`. Call it before any
    /// question.
    package func prepared() throws -> NewFile? { try OutputFile.prepared(at: output, for: .publicData) }

    /// Writes a text that stays unknown if it is not delivered.
    package func write(_ text: String, _ result: Undelivered.Result? = nil, to file: NewFile?) throws {
        try delivering(result, to: output) {
            if let file { try file.write(text) } else { try Output.data(text) }
        }
    }
}
