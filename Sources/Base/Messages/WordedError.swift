/// An error with its text. All other errors come from the argument parser.
package protocol WordedError: Error {
    var words: Words { get }
}

extension Placed: WordedError {
    package var words: Words {
        (use?.words(of: error) ?? Words(for: error)).at(place)
    }
}

extension Words {
    package init(for error: any Error) {
        self =
            (error as? any WordedError)?.words
            ?? Words(.internalError, "an error without a message: \(type(of: error))")
    }
}
