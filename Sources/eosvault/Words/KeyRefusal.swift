import KeyText

/// Key text that was refused, and what kind of key was asked for.
struct KeyRefusal: WordedError {
    let error: KeyTextError
    let kind: Words.KeyKind

    var words: Words { Words(error, kind: kind) }
}
