import HTTPSigning
import KeyVault
import Shell

/// Why a request is not signed. The command finds the reason while it holds the vault's lock.
enum CredentialError: Error, Equatable {
    case vault(VaultError)
    case request(HTTPSigningError)
    /// The credential differs from the one that was read before the unlock.
    case changedMeanwhile
    /// A nonce is given, and the profile uses none.
    case noNonce
    /// The profile appended parameters to the body, and the output would not show it.
    case bodyNotShown
}

extension CredentialError: VaultFailure {
    init(vault error: VaultError) { self = .vault(error) }
}

extension CredentialError: WordedError {
    var words: Words {
        switch self {
        case .vault(.input(.noSuchKey)): Words(.noSuchCredential, "the credential is not in the vault any more")
        case .vault(let error): error.words
        case .request(let error): error.words
        case .changedMeanwhile:
            Words(
                .changedMeanwhile, "another process changed the credential; nothing was signed",
                hint: "check it with `eosvault credential show --verify`, then try again")
        case .bodyNotShown:
            Words(
                .bodyFile, "the profile appends the signature to the body, which the headers do not show",
                hint: "give --body-out with a new file, or use --format json or curl")
        case .noNonce:
            Words(.invalidHTTPRequest, "the profile of this credential uses no nonce", hint: "omit the nonce")
        }
    }
}
