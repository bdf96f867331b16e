import KeyVault

extension EntryKind {
    var noun: String {
        switch self {
        case .privateKey: "key"
        case .credential: "credential"
        case .other: "entry"
        }
    }
}
