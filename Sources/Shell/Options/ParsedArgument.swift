import ArgumentParser

/// A value that an argument states.
package protocol ArgumentValue {
    /// - Throws: an error with its own text or code.
    static func parsed(_ text: String) throws -> Self
}

/// An argument that is parsed once, when it is read. The command reports its error: the argument
/// parser would replace the text and the code of the error.
package struct ParsedArgument<Value: ArgumentValue>: ExpressibleByArgument {
    package let text: String
    private let result: Result<Value, any Error>

    package init(argument: String) {
        text = argument
        result = Result { try Value.parsed(argument) }
    }

    package var value: Value { get throws { try result.get() } }
}
