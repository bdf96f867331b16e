import KeyVault

/// An error whose text is in this folder. All other errors come from the argument parser.
protocol WordedError: Error {
    var words: Words { get }
}

extension Placed: WordedError {
    var words: Words {
        guard let use, let error = error as? VaultError else { return Words(for: error).at(place) }
        return use.words(of: error).at(place)
    }
}

extension Words {
    init(for error: any Error) {
        self =
            (error as? any WordedError)?.words
            ?? Words(.internalError, "an error without a message: \(type(of: error))")
    }
}
