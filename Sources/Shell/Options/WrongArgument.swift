/// An error in a value of the command line. The exit status after it is `usage`; its code and its
/// text stay as they are.
package struct WrongArgument: WordedError {
    package let error: any Error

    package init(error: any Error) { self.error = error }

    package var words: Words { Words(for: error) }
}

/// Parses a value of the command line.
/// - Parameter place: The option or the argument; nil if the text of the error names it.
package func parsing<Result: ~Copyable>(_ place: String? = nil, _ step: () throws -> Result) throws -> Result
{
    do { return try placed(at: place, step) } catch { throw WrongArgument(error: error) }
}

extension ExitStatus {
    /// The status after an error, which may have places.
    package init(after error: any WordedError) {
        var cause: any Error = error
        while let placed = cause as? Placed { cause = placed.error }
        self = cause is WrongArgument ? .usage : ExitStatus(after: error.words.code)
    }
}
