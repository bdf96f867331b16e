import SecureMemory

/// Why a FIDO2 authenticator did not do what was asked.
package enum FIDO2Error: Error, Equatable, Sendable {
    /// The device does not answer as an authenticator (CTAPHID_INIT).
    case noAuthenticator
    /// The device was removed, or the other end of the descriptor was closed.
    case gone
    /// The device sent nothing for longer than an authenticator may.
    case timedOut
    /// The user did not touch the authenticator in time.
    case noTouch
    /// A signal to end this program arrived, and the command was cancelled at the authenticator.
    case cancelled
    /// The answer breaks CTAP 2.1.
    case invalidAnswer(command: String)
    /// The authenticator refused a command with a status code of CTAP 2.1, section 8.2.
    case refused(code: UInt8, command: String)
    /// - Parameter triesLeft: nil if the authenticator does not state it.
    case wrongPIN(triesLeft: Int?)
    /// No try is left; only a reset makes the authenticator usable again.
    case pinBlocked
    /// Three wrong PINs in a row: the authenticator takes no PIN before it was unplugged.
    case pinAuthBlocked
    /// - Parameter triesLeft: nil if the authenticator does not state it.
    case fingerprintFailed(triesLeft: Int?)
    /// The authenticator takes no fingerprint before its PIN was used.
    case fingerprintBlocked
    /// The PIN is shorter than the authenticator takes, or longer than 63 bytes.
    case pinLength
    /// The PIN must be changed before it can be used.
    case pinMustChange
    /// No PIN was given, and the authenticator can't verify the user by itself.
    case pinNeeded
    case noHMACSecret
    /// The authenticator has neither a PIN nor a fingerprint.
    case noVerification
    /// The authenticator has no FIDO2, only U2F.
    case tooOld
    /// The credential is not one of this authenticator.
    case otherAuthenticator
    /// The answer is not signed by the key of the credential.
    case wrongSignature
    /// The authenticator answered without verifying the user, or without a touch.
    case notVerified
    /// The packed bytes are not a credential.
    case invalidCredential
    /// A file of sysfs can't be read.
    case unreadable(errno: Int32)
    case memory(SecureMemoryError)
}
