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
}
