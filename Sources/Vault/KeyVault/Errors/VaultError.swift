import FIDO2
import TPM

/// Every refusal and failure of a vault, as data for the command's messages. An error never
/// contains a secret.
package enum VaultError: Error, Equatable {
    case input(Input)
    case file(File)
    case machine(Machine)
    case integrity(Integrity)
    /// Of the TPM of a slot.
    case tpm(TPMError)
    /// Of the authenticator of a slot.
    case fido2(FIDO2Error)
}

extension VaultError {
    /// True if the unlock method is wrong: no slot accepts it, or the TPM refuses the PIN.
    package var isWrongMethod: Bool {
        switch self {
        case .input(.wrongUnlockMethod), .tpm(.wrongAuthorization): true
        default: false
        }
    }
}
