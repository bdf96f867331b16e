import KeyVault
import Shell

extension SlotKind {
    /// For programs.
    var code: String {
        switch self {
        case .pin: "pin"
        case .pinAndKeyFile: "pin+keyfile"
        case .recovery: "recovery"
        case .other(let number): "unknown-\(number)"
        }
    }

    /// The unlock method for slots of this kind, with an article.
    var words: String {
        switch self {
        case .pin: "a PIN"
        case .pinAndKeyFile: "a PIN and a key file"
        case .recovery: "a recovery phrase"
        case .other(let number): "an unlock method that this version does not support (kind \(number))"
        }
    }
}
