import ArgumentParser
import Hardening

/// The question before a change. A script answers it with --yes.
package struct ConfirmationOption: ParsableArguments {
    package init() {}

    @Flag(help: "Do not ask for confirmation, for scripts.")
    package var yes = false

    package var fileAccess: FileAccess { yes ? .none : .terminal }

    /// Asks at the terminal.
    /// - Parameter changes: the lines before the question. With --yes they are printed on standard
    ///   error, except with --json, because the output then states them.
    /// - Throws: `refusal` if the answer is no.
    package func ask(
        _ question: String, showing changes: [String] = [], for purpose: TerminalPurpose,
        orThrow refusal: any Error
    ) throws {
        let text = changes.joined(separator: "\n")
        guard !yes else {
            if !changes.isEmpty, !Messages.areJSON { Output.words(text) }
            return
        }
        let terminal = try Terminal.open(for: purpose)
        if !changes.isEmpty { terminal.write(WordWrap.text(text, width: terminal.size.columns) + "\n") }
        guard try terminal.confirm(question) else { throw refusal }
    }
}
