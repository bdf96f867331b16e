/// The protection of a TPM against guessing (Part 1, 19.8). Wrong authorizations are counted. If
/// their number reaches the maximum, the TPM refuses all further ones, the right one too.
package struct TPMLockout: Equatable, Sendable {
    /// Wrong authorizations that still count.
    package let failedTries: Int
    package let maximumTries: Int
    /// After this number of seconds without a wrong authorization, the TPM counts one less. 0 if
    /// the protection is off.
    package let secondsPerTry: Int
    /// The number of seconds to wait after a wrong authorization of the lockout hierarchy.
    package let recoverySeconds: Int
    /// True if the TPM refuses all authorizations that it would count.
    package let isLockedOut: Bool
    /// True if the lockout hierarchy has no password: anyone who may use the TPM can set the number
    /// of wrong authorizations to 0, as often as they want.
    package let isResettable: Bool

    package init(
        failedTries: Int, maximumTries: Int, secondsPerTry: Int, recoverySeconds: Int, isLockedOut: Bool,
        isResettable: Bool = false
    ) {
        (self.failedTries, self.maximumTries) = (failedTries, maximumTries)
        (self.secondsPerTry, self.recoverySeconds) = (secondsPerTry, recoverySeconds)
        (self.isLockedOut, self.isResettable) = (isLockedOut, isResettable)
    }

    /// How many wrong authorizations the TPM accepts before it locks; 0 if it is locked.
    package var triesLeft: Int { isLockedOut ? 0 : max(0, maximumTries - failedTries) }

    /// The most seconds until the TPM accepts a try: 0 if it does now. Nil if waiting does not
    /// help: the TPM is set to accept no try.
    package var secondsUntilTry: Int? {
        if triesLeft > 0 { return 0 }
        return maximumTries > 0 && secondsPerTry > 0 ? secondsPerTry : nil
    }
}

/// The maker and the version of a TPM.
package struct TPMFacts: Equatable, Sendable {
    /// Such as `IBM`, `INTC`, `IFX`: at most 4 printable ASCII characters.
    package let manufacturer: String
    /// At most 16 printable ASCII characters.
    package let model: String
    /// Four numbers, such as `7.63.3353.0`.
    package let firmware: String
}
