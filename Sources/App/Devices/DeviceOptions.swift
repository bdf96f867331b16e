import ArgumentParser
import FIDO2
import Files
import Hardening
import KeyVault
import SecureMemory
import Shell
import TPM

/// The device that an unlock method needs in addition to its PIN.
package struct DeviceOptions: ParsableArguments {
    package init() {}

    @Option(
        defaultAsFlag: DeviceName.firstTPM, parsing: .next,
        help: ArgumentHelp(
            "The TPM that is required together with the PIN: a path, or fd:N for an open descriptor.",
            valueName: "device"))
    package var tpm: DeviceName?

    @Option(
        defaultAsFlag: DeviceName.onlyAuthenticator, parsing: .next,
        help: ArgumentHelp(
            "The FIDO2 authenticator that is required: a path such as /dev/hidraw0, or fd:N.",
            valueName: "device"))
    package var fido2: DeviceName?

    @Flag(help: "With --fido2: use a slot without a PIN.")
    package var noPin = false

    @OptionGroup package var authenticator: AuthenticatorOptions

    package func validate() throws {
        try tpm?.validate("--tpm")
        try fido2?.validate("--fido2")
        if tpm != nil, fido2 != nil { throw ValidationError("give --tpm or --fido2, not both") }
        if noPin, fido2 == nil { throw ValidationError("--no-pin needs --fido2") }
        if !authenticator.isAsked, fido2 == nil {
            throw ValidationError("--fido2-pin-file and --fido2-pin-fd need --fido2")
        }
    }

    package var isGiven: Bool { tpm != nil || fido2 != nil }
}

/// How the user of an authenticator is verified.
package struct AuthenticatorOptions: ParsableArguments {
    package init() {}

    @Option(
        name: .customLong("fido2-pin-file"),
        help: ArgumentHelp(
            "Read the PIN of the authenticator from a file; one final line ending is dropped.",
            valueName: "path"))
    package var fido2PinFile: InputFile?

    @Option(
        name: .customLong("fido2-pin-fd"),
        help: ArgumentHelp(
            "Read the PIN of the authenticator from an open file descriptor.", valueName: "number"))
    package var fido2PinFD: Int32?

    @Option(
        name: .customLong("fido2-timeout"),
        help: ArgumentHelp("Wait this many seconds for a touch, 1 to 600.", valueName: "seconds"))
    package var fido2Timeout: Int = 30

    var access: AuthenticatorAccess {
        AuthenticatorAccess(
            pin: GivenSecret(file: fido2PinFile, descriptor: fido2PinFD, option: "--fido2-pin"),
            seconds: fido2Timeout)
    }

    package func validate() throws {
        try access.pin.validate()
        guard (1...600).contains(fido2Timeout) else {
            throw ValidationError("--fido2-timeout needs a number from 1 to 600")
        }
    }

    package var inputs: [InputFile] { [InputFile](given: access.pin.source) }

    var isAsked: Bool { access.pin.source == nil }
}

/// How an authenticator is used.
struct AuthenticatorAccess {
    /// Its PIN; without a source, it is asked for.
    let pin: GivenSecret
    /// How long it waits for a touch.
    let seconds: Int
    /// True for an authenticator of a new slot.
    var isNew = false

    /// Opens an authenticator that this program can use.
    func device(_ name: DeviceName) throws -> FIDO2Device {
        let name = try name.authenticator()
        return try placed(at: name.name) {
            let device = try FIDO2Device(name.open(), milliseconds: seconds * 1000)
            try device.expectUsable()
            return device
        }
    }

    /// Opens an authenticator, and reads its PIN if it does not verify its user itself.
    func open(_ name: DeviceName) throws -> Authenticator { try open(device(name)) }

    func open(_ device: consuming FIDO2Device) throws -> Authenticator {
        let secret = device.verification == .pin || pin.source != nil ? try readPIN(of: device) : nil
        return Authenticator(device, pin: secret) { Messages.note(Words.touch) }
    }

    private func readPIN(of device: borrowing FIDO2Device) throws -> SecureBytes {
        if let source = pin.source {
            return try placed(at: source.name) {
                try source.readSecret(atMost: FIDO2Device.pinCounts.upperBound)
            }
        }
        let left = try device.pinTries()
        if left <= Words.fewTries { Messages.note(Words.authenticatorTries(left)) }
        let terminal = try Terminal.open(for: isNew ? .newAuthenticatorPIN : .authenticatorPIN)
        return try terminal.readSecret(
            isNew ? "PIN of the new authenticator: " : "PIN of the authenticator: ",
            limit: FIDO2Device.pinCounts.upperBound)
    }
}

extension DeviceName {
    /// The authenticators that are plugged in. They are listed before the sandbox begins, which
    /// forbids it.
    private static let present = Result { () throws(FIDO2Error) in try FIDO2Listing.present() }

    /// The authenticator that the default means, if there is only one.
    func authenticator() throws -> DeviceName {
        guard isDefaultAuthenticator else { return self }
        let present = try Self.present.get()
        guard let only = present.first else { throw CommandError.noAuthenticator }
        guard present.count == 1 else {
            throw CommandError.severalAuthenticators(
                present.map { "\($0.path) (\(Printable.line($0.name)))" })
        }
        return DeviceName(argument: only.path)
    }

    var authenticatorAccess: FileAccess { (try? authenticator().fileAccess) ?? .none }

    /// Opens the TPM, and refuses one that is locked out before a PIN is asked for.
    package func openTPM() throws -> TPMDevice {
        try placed(at: name) {
            let tpm = try TPMDevice(open())
            let lockout = try tpm.lockout()
            guard !lockout.isLockedOut else { throw TPMError.lockedOut(lockout) }
            if lockout.failedTries > 0 { Messages.note(Words.tpmTries(lockout)) }
            return tpm
        }
    }
}

extension Words {
    /// From this number on, the tries that are left are shown before the question.
    static let fewTries = 5

    static let touch = "touch the authenticator"

    static func authenticatorTries(_ left: Int) -> String {
        "the authenticator accepts \(count(left, "more wrong PIN")), then it blocks its PIN"
    }

    static func tpmTries(_ lockout: TPMLockout) -> String {
        "the TPM accepts \(count(lockout.triesLeft, "more wrong PIN")), then it locks"
    }
}
