import KeyText
import KeyVault

/// Why a key of the vault is left as it is, found under the vault's lock.
enum ChangeError: Error, Equatable {
    case vault(VaultError)
    /// Its private key has no text.
    case key(KeyTextError)
    /// The key is not as it was when the person was asked.
    case changedMeanwhile
}

extension ChangeError: VaultFailure {
    init(vault error: VaultError) { self = .vault(error) }

    /// Runs a step of the vault's inside of what throws this error.
    static func lifting<Result>(_ step: () throws(VaultError) -> Result) throws(ChangeError) -> Result {
        do { return try step() } catch { throw .vault(error) }
    }
}

extension ChangeError: WordedError {
    var words: Words {
        switch self {
        case .vault(let error): Words(error)
        case .key(let error): Words(error, kind: .privateKey)
        case .changedMeanwhile:
            Words(
                "changed-meanwhile", "the key was changed while you were asked; nothing was done",
                hint: "look at it with `eosvault show`")
        }
    }
}
