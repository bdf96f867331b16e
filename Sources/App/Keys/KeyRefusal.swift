import Keys
import Shell

/// The error of refused key text, and the kind of text that was expected.
struct KeyRefusal: WordedError {
    let error: KeyTextError
    let kind: KeyTextError.Kind

    var words: Words { error.words(kind: kind) }
}
