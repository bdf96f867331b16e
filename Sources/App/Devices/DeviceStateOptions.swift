import ArgumentParser
import FIDO2
import Hardening
import JSON
import KeyVault
import Shell
import TPM

/// Devices whose state a command prints. Nothing of it needs a PIN or counts as a try.
struct DeviceStateOptions: ParsableArguments {
    @Option(
        defaultAsFlag: DeviceName.firstTPM, parsing: .next,
        help: ArgumentHelp("Also print the state of this TPM: a path, or fd:N.", valueName: "device"))
    var tpm: DeviceName?

    @Option(
        defaultAsFlag: DeviceName.onlyAuthenticator, parsing: .next,
        help: ArgumentHelp(
            "Also print the state of this authenticator: a path, or fd:N.", valueName: "device"))
    var fido2: DeviceName?

    func validate() throws {
        try tpm?.validate("--tpm")
        try fido2?.validate("--fido2")
    }

    var fileAccess: FileAccess {
        (tpm?.fileAccess ?? .none) + (fido2?.authenticatorAccess ?? .none)
    }

    func states() throws -> DeviceStates {
        var states = DeviceStates()
        if let tpm {
            states.tpm = try placed(at: tpm.name) {
                let device = try TPMDevice(tpm.open())
                return DeviceStates.TPM(
                    name: tpm.name, facts: try device.facts(), lockout: try device.lockout())
            }
        }
        if let fido2 = try fido2?.authenticator() {
            states.authenticator = try placed(at: fido2.name) {
                let device = try FIDO2Device(fido2.open())
                let left = device.facts.hasPIN ? try? device.pinTries() : nil
                return DeviceStates.Authenticator(name: fido2.name, facts: device.facts, triesLeft: left)
            }
        }
        return states
    }
}

/// What devices report without a PIN.
struct DeviceStates {
    struct TPM {
        let name: String
        let facts: TPMFacts
        let lockout: TPMLockout
    }

    struct Authenticator {
        let name: String
        let facts: FIDO2Facts
        /// Nil without a PIN.
        let triesLeft: Int?
    }

    var tpm: TPM?
    var authenticator: Authenticator?

    func append(to rows: inout Rows) {
        if let tpm { rows.append(named: "TPM", words: "\(tpm.text): \(tpm.lockout.text)") }
        if let authenticator {
            rows.append(named: "FIDO2", words: "\(authenticator.name): \(authenticator.state)")
        }
    }

    var findings: [Finding] {
        [tpm?.finding.about("TPM"), authenticator?.finding.about("FIDO2")].compactMap(\.self)
    }
}

extension DeviceStates.TPM {
    fileprivate var text: String {
        let maker = Printable.line("\(facts.manufacturer) \(facts.model)").trimmed
        return "\(name): \(maker), firmware \(Printable.line(facts.firmware))"
    }

    fileprivate var finding: Finding {
        let text = "\(text): \(lockout.text)"
        if lockout.isLockedOut {
            return .warning(
                text, "it opens no vault while it is locked", advice: "find out who tried wrong PINs")
        }
        guard !lockout.isResettable else {
            return .warning(
                text,
                "its lockout hierarchy has no password, so anyone who may use it can reset the count of wrong PINs",
                advice:
                    "set one with `tpm2_changeauth -c lockout file:FILE`; docs/tpm.md shows how"
            )
        }
        guard lockout.secondsPerTry > 0 || lockout.maximumTries == 0 else {
            return .warning(
                text, "its protection against guessing is off, so it does not limit how many PINs are tried",
                advice: "set it with `tpm2_dictionarylockout --setup-parameters`")
        }
        return lockout.failedTries == 0
            ? .ok(text, "a vault can use it with a PIN")
            : .note(text, "wrong PINs were tried at it", advice: "find out who tried them")
    }
}

extension TPMLockout {
    /// The tries that are left, and when the TPM forgets the wrong ones.
    var text: String {
        let wait = "one more after each \(Words.wait(secondsPerTry)) without a wrong PIN"
        if isLockedOut || triesLeft == 0 {
            guard let seconds = secondsUntilTry else { return "locked" }
            return "locked for at most \(Words.wait(seconds))"
        }
        let left = "accepts \(Words.count(triesLeft, "more wrong PIN")) of \(maximumTries)"
        return failedTries > 0 && secondsPerTry > 0 ? "\(left), \(wait)" : left
    }
}

extension DeviceStates.Authenticator {
    fileprivate var state: String {
        guard facts.hasHMACSecret else { return "has no hmac-secret" }
        let verified = facts.hasFingerprint ? "verifies its user by itself" : nil
        let pin = triesLeft.map { "it accepts \(Words.count($0, "more wrong PIN"))" }
        let known = [verified, pin].compactMap(\.self)
        return known.isEmpty
            ? "has neither a PIN nor a fingerprint" : known.joined(separator: "; ")
    }

    fileprivate var finding: Finding {
        let text = "\(name): \(state)"
        guard facts.hasHMACSecret, facts.hasPIN || facts.hasFingerprint else {
            return .warning(
                text, "a vault can't use it",
                advice: facts.hasHMACSecret
                    ? "set its PIN with the tool of its vendor or with a browser"
                    : "use another authenticator")
        }
        guard triesLeft != 0 else {
            return .warning(
                text, "a vault that needs it opens only with another unlock method",
                advice:
                    "open the vault with another unlock method, remove the slot, reset the authenticator, and add "
                    + "it again"
            )
        }
        return .ok(text, "a vault can use it")
    }
}

extension DeviceStates {
    static let tpm = JSONObject<TPM>([
        .text("device", "its path or descriptor") { $0.name },
        .text("manufacturer", "its manufacturer") { $0.facts.manufacturer },
        .text("firmware", "the version of its firmware") { $0.facts.firmware },
        .boolean("locked", "whether it refuses all PINs") { $0.lockout.isLockedOut },
        .number("failed_tries", "the wrong PINs that count") { $0.lockout.failedTries },
        .number("tries_left", "how many more wrong PINs it accepts") { $0.lockout.triesLeft },
        .boolean("resettable", "whether anyone who may use it can reset the count of wrong PINs") {
            $0.lockout.isResettable
        },
        .number("seconds_per_try", "the seconds after which one wrong PIN no longer counts") {
            $0.lockout.secondsPerTry
        },
    ])

    static let fido2 = JSONObject<Authenticator>([
        .text("device", "its path or descriptor") { $0.name },
        .boolean("hmac_secret", "whether it can give a secret") { $0.facts.hasHMACSecret },
        .boolean("pin", "whether it has a PIN") { $0.facts.hasPIN },
        .boolean("fingerprint", "whether it verifies its user by itself") { $0.facts.hasFingerprint },
        .number(orNull: "tries_left", "how many more wrong PINs it accepts; null without a PIN") {
            $0.triesLeft
        },
    ])
}
