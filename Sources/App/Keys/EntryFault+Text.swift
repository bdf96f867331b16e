import KeyVault
import Shell

extension EntryFault {
    /// What is wrong with a key's entry. The text follows the key's name.
    var words: FaultWords {
        switch self {
        case .seal: .init(.entrySeal, "its entry is damaged or was modified")
        case .key: .init(.entryKey, "its entry contains the private key for another public key")
        }
    }
}
