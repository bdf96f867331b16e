import KeyVault

extension EntryFault {
    /// What is wrong with a key's entry. The text follows the key's name.
    var text: String {
        switch self {
        case .seal: "its entry is damaged or was modified"
        case .key: "its entry contains the private key for another public key"
        }
    }

    var code: FaultCode {
        switch self {
        case .seal: .entrySeal
        case .key: .entryKey
        }
    }
}
