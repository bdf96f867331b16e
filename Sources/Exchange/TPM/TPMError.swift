import SecureMemory

/// Why a TPM, or the connection to it, did not do what was asked.
package enum TPMError: Error, Equatable, Sendable {
    /// The device is not a TPM 2.0.
    case noTPM
    /// The device ended the connection or reports an error.
    case gone
    case timedOut
    /// A signal to end this program arrived while the TPM worked.
    case cancelled
    /// Nobody has started the TPM (TPM2_Startup), which firmware or Linux does.
    case notStarted
    /// The answer to a command breaks the specification, or its HMAC is wrong.
    case invalidAnswer(command: String)
    /// The TPM answered a command with an error of Part 2, 6.6, that has no case here.
    case refused(code: UInt32, command: String)
    /// The TPM counted the try.
    case wrongAuthorization(TPMLockout)
    /// The authorization was not tried.
    case lockedOut(TPMLockout)
    /// The storage key of the TPM is not the one of the sealed secret, or not the one that the
    /// device made before: it is another TPM, or this one was cleared. No authorization was used.
    case otherTPM
    /// The bytes are not a sealed secret.
    case invalidBlob
    /// The TPM does not accept the sealed secret: it was changed.
    case damagedBlob
    /// At least one of these PCRs has another value than when the secret was sealed.
    case registersChanged([Int])
    /// The TPM has no SHA-256 value of the PCR.
    case noRegisterBank
    /// Not a number of a PCR, 0 to 23, or it occurs twice.
    case invalidRegister(Int)
    /// The owner hierarchy has a password, or its use is locked.
    case ownerPassword
    /// The TPM asked to repeat a command until the time was over.
    case busy
    /// Other programs use all of the TPM's memory for objects or sessions.
    case noMemory
    case memory(SecureMemoryError)
}

/// A response code (Part 2, 6.6).
struct ResponseCode: Equatable {
    let code: UInt32

    /// The number of the error, without the number of the handle, session or parameter that it is
    /// about.
    private var number: UInt32 { code & 0x80 != 0 ? code & 0xbf : code }

    /// True for TPM_RC_YIELDED, TPM_RC_TESTING, TPM_RC_NV_RATE and TPM_RC_RETRY: the same command
    /// may be sent again. A TPM that stores its count of wrong authorizations may answer so.
    var asksToRepeat: Bool { [0x908, 0x90a, 0x920, 0x922].contains(code) }
    /// TPM_RC_INITIALIZE.
    var isNotStarted: Bool { code == 0x100 }
    /// TPM_RC_OBJECT_MEMORY, TPM_RC_SESSION_MEMORY, TPM_RC_MEMORY.
    var isNoMemory: Bool { [0x902, 0x903, 0x904].contains(code) }
    /// TPM_RC_LOCKOUT.
    var isLockout: Bool { code == 0x921 }
    /// TPM_RC_AUTH_FAIL, TPM_RC_BAD_AUTH.
    var isWrongAuthorization: Bool { [0x8e, 0xa2].contains(number) }
    /// TPM_RC_VALUE, TPM_RC_POLICY_FAIL, TPM_RC_PCR_CHANGED.
    var isOtherPolicy: Bool { [0x84, 0x9d, 0x128].contains(number) }
    /// An error about a parameter of the command.
    var isAboutParameter: Bool { code & 0xc0 == 0xc0 }
}

extension TPMError {
    /// The response code of `refused`.
    var responseCode: ResponseCode? {
        if case .refused(let code, _) = self { ResponseCode(code: code) } else { nil }
    }

    /// True if a command may have made an object whose handle was not received.
    var mayLeaveObjects: Bool {
        switch self {
        case .timedOut, .cancelled, .invalidAnswer, .busy: true
        default: false
        }
    }
}
