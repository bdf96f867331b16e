import ABICodec
import Files
import JSON
import KeyVault
import Shell

extension Messages {
    /// - Parameter code: for programs: a second member of the object.
    static func warning(_ text: String, code: ABIWarningCode) {
        guard areJSON else { return warning(text) }
        Output.line(Printable.json(["warning": .string(text), "code": .string(code.name)]))
    }

    /// Prints the warnings about an ABI that can be used. Only the first ten are printed, so that
    /// they do not fill the screen.
    static func warn(of warnings: [ABIWarning], in file: InputFile) {
        let shown = 10
        for odd in warnings.prefix(shown) { warning("\(file.name): \(odd.words.text)", code: odd.words.code) }
        if warnings.count > shown {
            warning("\(file.name): and \(warnings.count - shown) more warnings about this ABI")
        }
    }

    /// Prints the first ten warnings about labels.
    static func warn(of flags: [LabelFlag]) {
        let shown = 10
        for flag in flags.prefix(shown) { warning(flag.text) }
        if flags.count > shown { warning("\(flags.count - shown) more labels can be mistaken") }
    }

    /// Prints a review for which no question is asked.
    static func review(_ review: ReviewText) {
        if areJSON { line("review", review.json) } else { Output.line(review.text) }
    }

    /// Prints the review of many transactions for which no question is asked.
    static func review(_ question: BatchQuestion) throws {
        let width = TerminalSize(of: FileDescriptor.standardError.number).columns
        if areJSON {
            return try question.writeJSON { value in
                Output.line(Printable.json(value["line"] == nil ? value : ["review_line": value]))
            }
        }
        try question.write(width: width) { Output.line($0) }
    }
}
