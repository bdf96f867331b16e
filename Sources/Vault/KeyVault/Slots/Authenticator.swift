import FIDO2
import SecureMemory

/// An authenticator with its PIN, and how to ask for a touch (VaultFormat.md, "FIDO2").
package struct Authenticator: ~Copyable {
    private let device: FIDO2Device
    private let pin: SecureBytes?
    private let onTouch: () -> Void

    /// - Parameters:
    ///   - pin: the PIN of the authenticator; nil if it verifies its user itself, by a fingerprint.
    ///   - onTouch: is called when the authenticator waits for its user.
    package init(_ device: consuming FIDO2Device, pin: consuming SecureBytes?, onTouch: @escaping () -> Void)
    {
        self.device = device
        self.pin = pin
        self.onTouch = onTouch
    }

    /// Makes a credential for a new slot.
    /// - Throws: `fido2`.
    borrowing func newDetails() throws(VaultError) -> [UInt8] {
        do throws(FIDO2Error) { return try device.makeCredential(pin: pin, onTouch: onTouch).packed } catch {
            throw .fido2(error)
        }
    }

    /// The secret of a slot without a PIN.
    /// - Throws: `fido2`, `memory`.
    borrowing func secret(salt: [UInt8], details: [UInt8]) throws(VaultError) -> SecureBytes {
        try Sodium.keyedSecret(of: Domain.fido2.bytes + salt, key: half(details))
    }

    /// The secret of a slot with a PIN.
    /// - Parameter derived: the result of Argon2id.
    borrowing func secret(
        with derived: borrowing SecureBytes, details: [UInt8]
    ) throws(VaultError) -> SecureBytes {
        try Sodium.keyedSecret(of: Domain.fido2.bytes, derived, key: half(details))
    }

    private borrowing func half(_ details: [UInt8]) throws(VaultError) -> SecureBytes {
        do throws(FIDO2Error) {
            return try device.secret(of: FIDO2Credential(packed: details), pin: pin, onTouch: onTouch)
        } catch { throw .fido2(error) }
    }
}

/// A PIN of the vault, and the authenticator that belongs to it.
package struct PINAndAuthenticator: ~Copyable {
    let pin: PIN
    let authenticator: Authenticator

    package init(_ pin: consuming PIN, _ authenticator: consuming Authenticator) {
        self.pin = pin
        self.authenticator = authenticator
    }

    consuming func withPIN(_ pin: consuming PIN) -> PINAndAuthenticator {
        PINAndAuthenticator(pin, authenticator)
    }
}
