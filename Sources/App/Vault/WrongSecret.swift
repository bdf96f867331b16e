import FIDO2
import KeyVault
import Shell
import TPM

/// A PIN, key file or recovery phrase that opens no slot of the vault, or a PIN that a device
/// refuses.
struct WrongSecret: WordedError {
    private let kind: SlotKind
    /// True for the PIN of an authenticator, false for a secret of the vault.
    private let isOfAuthenticator: Bool
    private(set) var words: Words

    /// - Returns: nil for any other error.
    init?(_ error: any Error) {
        let cause = (error as? Placed)?.error ?? error
        switch cause as? VaultError {
        // Nothing was typed.
        case .input(.wrongUnlockMethod(.fido2, _)): return nil
        case .input(.wrongUnlockMethod(let kind, _)): self.kind = kind
        case .tpm(.wrongAuthorization(_)): kind = .pinAndTPM
        case .fido2(.wrongPIN(_)): kind = .pinAndFIDO2
        default: return nil
        }
        if case .fido2 = cause as? VaultError { isOfAuthenticator = true } else { isOfAuthenticator = false }
        words = Words(for: error)
    }

    /// How often a secret is asked for at the terminal.
    private static let tries = 3

    /// Runs a step that reads a secret and uses it. A secret that was typed wrong is asked for
    /// again, so that the work before the question is not lost. The vault counts and delays each
    /// try.
    /// - Parameters:
    ///   - asks: true if the secret of the vault is typed.
    ///   - asksAuthenticator: true if the PIN of an authenticator is typed.
    ///   - vault: the error after the last try lists its other unlock methods.
    static func retrying<Result: ~Copyable>(
        asking asks: Bool, askingAuthenticator asksAuthenticator: Bool = false,
        namingSlotsOf vault: Vault? = nil, _ step: () throws -> Result
    ) throws -> Result {
        var left = tries
        while true {
            do { return try step() } catch {
                left -= 1
                guard let wrong = WrongSecret(error) else { throw error }
                // A secret from a file stays wrong, and a device counts each try.
                let isTyped = wrong.isOfAuthenticator ? asksAuthenticator : asks
                guard left > 0, isTyped else { throw vault.map { wrong.naming(slotsOf: $0) } ?? error }
                Messages.warning(Words.tryAgain(wrong.words.message, left: left))
            }
        }
    }

    /// A typed PIN that is too short can't be a PIN in use: advice on a new PIN would mislead.
    static func ifTooShort<Result: ~Copyable>(_ kind: SlotKind, _ read: () throws -> Result) throws -> Result
    {
        do { return try read() } catch VaultError.input(.pinTooShort), VaultError.input(.pinEmpty) {
            throw VaultError.input(.wrongUnlockMethod(kind, damagedSlots: []))
        }
    }

    /// The same error, whose hint lists the vault's other unlock methods.
    func naming(slotsOf vault: Vault) -> WrongSecret {
        let kinds = ((try? vault.unverifiedSlots().slots) ?? []).map(\.kind).filter { $0 != kind }
        let options = SlotKind.known.filter(kinds.contains).compactMap(\.option)
        guard !options.isEmpty else { return self }
        var named = self
        let hint = "\(words.hint); this vault also opens with \(options.joined(separator: ", or with "))"
        named.words = words.advising(hint)
        return named
    }
}

extension SlotKind {
    /// How the options of a command select this kind.
    fileprivate var option: String? {
        switch self {
        case .pin: "a PIN alone"
        case .pinAndKeyFile: "a PIN and a key file (--keyfile PATH)"
        case .recovery: "its recovery phrase (--recovery)"
        case .pinAndTPM: "a PIN and a TPM (--tpm)"
        case .pinAndFIDO2: "a PIN and an authenticator (--fido2)"
        case .fido2: "an authenticator (--fido2 --no-pin)"
        case .other: nil
        }
    }
}
