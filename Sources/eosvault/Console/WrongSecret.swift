import KeyVault

/// A PIN, key file or recovery phrase that opens no slot of the vault.
struct WrongSecret: WordedError {
    private let kind: SlotKind
    private(set) var words: Words

    /// - Returns: nil for any other error.
    init?(_ error: any Error) {
        let cause = (error as? Placed)?.error ?? error
        guard case .input(.wrongUnlockMethod(let kind, _))? = cause as? VaultError else { return nil }
        self.kind = kind
        words = Words(for: error)
    }

    /// The same error, whose hint names the vault's other unlock methods.
    func naming(slotsOf vault: Vault) -> WrongSecret {
        let kinds = ((try? vault.unverifiedSlots().slots) ?? []).map(\.kind).filter { $0 != kind }
        let options = SlotKind.known.filter(kinds.contains).compactMap(\.option)
        guard !options.isEmpty else { return self }
        var named = self
        let hint = "\(words.hint); this vault also opens with \(options.joined(separator: ", or with "))"
        named.words = Words(words.code, words.message, hint: hint)
        return named
    }
}

extension SlotKind {
    fileprivate static let known: [SlotKind] = [.pin, .pinAndKeyFile, .recovery]

    /// How the options of a command select this kind.
    fileprivate var option: String? {
        switch self {
        case .pin: "a PIN alone"
        case .pinAndKeyFile: "a PIN and a key file (--keyfile PATH)"
        case .recovery: "its recovery phrase (--recovery)"
        case .other: nil
        }
    }
}
