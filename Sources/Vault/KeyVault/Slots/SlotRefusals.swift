import FIDO2
import TPM

/// The errors of slots that did not open.
struct SlotRefusals {
    /// A vault has at most one slot for each TPM, so more slots for it were planted, to lock it.
    private static let maximumWrongPINs = 3

    /// The error to report: that a device refused the PIN, or else the first one.
    private(set) var first: VaultError?
    private var wrongPINs = 0

    /// - Throws: an error after which no other slot can be tried.
    mutating func add(_ error: VaultError) throws(VaultError) {
        switch error {
        case .tpm(.wrongAuthorization):
            wrongPINs += 1
            first = error
            guard wrongPINs < Self.maximumWrongPINs else { throw error }
        case _ where error.isOfDevice: throw error
        default: first = first ?? error
        }
    }
}

extension VaultError {
    /// True for an error of a device that says nothing about one slot, and for a PIN that the
    /// device counted: another try may lock the device.
    package var isOfDevice: Bool {
        switch self {
        case .tpm(let cause): !cause.isOfSlot
        case .fido2(let cause): !cause.isOfSlot
        default: false
        }
    }
}

extension TPMError {
    /// True if the slot is of another TPM or state, or damaged: another slot may still open.
    fileprivate var isOfSlot: Bool {
        switch self {
        case .otherTPM, .invalidBlob, .damagedBlob, .registersChanged: true
        default: false
        }
    }
}

extension FIDO2Error {
    /// True if the slot is of another authenticator, or damaged: another slot may still open.
    fileprivate var isOfSlot: Bool {
        switch self {
        case .otherAuthenticator, .invalidCredential, .wrongSignature: true
        // Authenticators answer differently to a credential id that is not theirs.
        case .refused(_, command: "authenticatorGetAssertion"): true
        default: false
        }
    }
}
