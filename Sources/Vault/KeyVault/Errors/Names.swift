// Nouns for texts.

extension SlotKind {
    /// The unlock method for slots of this kind, with an article.
    package var words: String {
        switch self {
        case .pin: "a PIN"
        case .pinAndKeyFile: "a PIN and a key file"
        case .recovery: "a recovery phrase"
        case .pinAndTPM: "a PIN and a TPM"
        case .pinAndFIDO2: "a PIN and an authenticator"
        case .fido2: "an authenticator"
        case .other(let number): "an unlock method that this version does not support (kind \(number))"
        }
    }
}

extension EntryKind {
    package var noun: String {
        switch self {
        case .privateKey, .tokenKey: "key"
        case .credential: "credential"
        case .seed: "seed"
        case .other: "entry"
        }
    }
}
