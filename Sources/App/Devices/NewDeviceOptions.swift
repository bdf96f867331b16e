import ArgumentParser
import FIDO2
import Hardening
import KeyVault
import Shell
import TPM

/// The device of a new slot.
struct NewDeviceOptions: ParsableArguments {
    @Option(
        defaultAsFlag: DeviceName.firstTPM, parsing: .next,
        help: ArgumentHelp(
            "Seal a secret in this TPM, to use with the new PIN: a path, or fd:N for an open descriptor.",
            valueName: "device"))
    var newTpm: DeviceName?

    @OptionGroup var registers: RegisterOptions

    @Option(
        name: .customLong("new-fido2"), defaultAsFlag: DeviceName.onlyAuthenticator, parsing: .next,
        help: ArgumentHelp(
            "Use this FIDO2 authenticator with the new PIN: a path such as /dev/hidraw0, or fd:N.",
            valueName: "device"))
    var newFIDO2: DeviceName?

    @Option(
        name: .customLong("new-fido2-pin-file"),
        help: ArgumentHelp(
            "Read the PIN of the new authenticator from a file; one final line ending is dropped.",
            valueName: "path"))
    var newFIDO2PinFile: InputFile?

    @Option(
        name: .customLong("new-fido2-pin-fd"),
        help: ArgumentHelp(
            "Read the PIN of the new authenticator from an open file descriptor.", valueName: "number"))
    var newFIDO2PinFD: Int32?

    @Flag(help: "With --new-fido2: the authenticator alone opens the vault, without a PIN of the vault.")
    var noNewPin = false

    func validate() throws {
        try newTpm?.validate("--new-tpm")
        try newFIDO2?.validate("--new-fido2")
        if newTpm != nil, newFIDO2 != nil {
            throw ValidationError("one slot has one unlock method: give --new-tpm or --new-fido2, not both")
        }
        if noNewPin, newFIDO2 == nil { throw ValidationError("--no-new-pin needs --new-fido2") }
        try devicePIN.validate()
        if devicePIN.source != nil, newFIDO2 == nil {
            throw ValidationError("--new-fido2-pin-file and --new-fido2-pin-fd need --new-fido2")
        }
        if registers.isGiven, newTpm == nil { throw ValidationError("--tpm-registers needs --new-tpm") }
    }

    private var devicePIN: GivenSecret {
        GivenSecret(file: newFIDO2PinFile, descriptor: newFIDO2PinFD, option: "--new-fido2-pin")
    }

    var inputs: [InputFile] { [InputFile](given: devicePIN.source) }

    var isGiven: Bool { newTpm != nil || newFIDO2 != nil }

    /// Nil without a device.
    var kind: SlotKind? {
        newTpm != nil ? .pinAndTPM : newFIDO2 != nil ? noNewPin ? .fido2 : .pinAndFIDO2 : nil
    }

    var fileAccess: FileAccess {
        (newTpm?.fileAccess ?? .none) + (newFIDO2?.authenticatorAccess ?? .none)
            + inputs.fileAccess + (newFIDO2 == nil ? .none : .terminal)
    }

    /// Refuses a vault in which only slots with devices would be left, before anything is asked.
    func expectEnough(_ vault: Vault) throws {
        guard isGiven else { return }
        guard try vault.unverifiedSlots().slots.contains(where: \.kind.mayBeOnly) else {
            throw VaultError.input(.notEnough)
        }
    }

    /// Opens the device before a PIN is typed.
    /// - Parameter method: has the option for the time limit of a touch.
    func open(by method: UnlockMethodOptions) throws -> NewDevice {
        if let newTpm { return .tpm(try newTpm.openTPM()) }
        if newFIDO2 != nil { return .authenticator(try authenticator(of: method)) }
        return .none
    }

    func authenticator(of method: UnlockMethodOptions) throws -> Authenticator {
        let access = AuthenticatorAccess(
            pin: devicePIN, seconds: method.device.authenticator.fido2Timeout, isNew: true)
        let device = try access.device(newFIDO2 ?? .onlyAuthenticator)
        if !device.facts.protectsSecrets {
            guard !noNewPin else { throw CommandError.unprotectedAuthenticator }
            Messages.warning(Words.unprotectedAuthenticator)
        }
        return try access.open(device)
    }

    /// Prints the notes about the new slot.
    func note(_ slots: [SlotDescription]) {
        if let newTpm { newTpm.noteNewSlot() }
        if registers.isGiven { Messages.note(Words.registers(registers.numbers)) }
        if slots.contains(where: { $0.kind == .pin }) { Messages.note(Words.pinStillOpens) }
    }
}

/// The device of a new slot with a PIN.
enum NewDevice: ~Copyable {
    case none, tpm(TPMDevice), authenticator(Authenticator)

    consuming func method(_ pin: consuming PIN) -> UnlockMethod {
        switch consume self {
        case .none: .pin(pin)
        case .tpm(let tpm): .pinAndTPM(PINAndTPM(pin, tpm))
        case .authenticator(let authenticator): .pinAndFIDO2(PINAndAuthenticator(pin, authenticator))
        }
    }
}

/// The registers that a new slot depends on.
struct RegisterOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Also require the present values of these registers (PCRs) of the TPM, such as 0,7. They change with each \
            update of the firmware or its settings; then only another unlock method opens the vault.
            """, valueName: "numbers"))
    var tpmRegisters: String?

    var isGiven: Bool { tpmRegisters != nil }

    /// In ascending order.
    var numbers: [Int] { (tpmRegisters.flatMap(Self.parsed) ?? []).sorted() }

    func validate() throws {
        guard let tpmRegisters else { return }
        guard let numbers = Self.parsed(tpmRegisters) else {
            throw ValidationError("--tpm-registers needs numbers from 0 to 23, such as 0,7")
        }
        guard Set(numbers).count == numbers.count else {
            throw ValidationError("--tpm-registers has the same number twice")
        }
    }

    private static func parsed(_ text: String) -> [Int]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy { (0x30...0x39).contains($0) } && part.utf8.count <= 2 ? Int(part) : nil
        }
        return numbers.count == parts.count && numbers.allSatisfy((0...23).contains) ? numbers : nil
    }
}

extension DeviceName {
    /// Prints the note about a new slot, and a warning if the TPM does not limit guesses.
    func noteNewSlot() {
        Messages.note(Words.tpmSlot)
        if let lockout = try? TPMDevice(open()).lockout(), lockout.isResettable {
            Messages.warning(Words.resettableTPM)
        }
    }
}

extension Words {
    static let resettableTPM =
        "the lockout hierarchy of the TPM has no password: anyone who may use the TPM can reset the count of wrong "
        + "PINs; set one with `tpm2_changeauth -c lockout file:FILE`; docs/tpm.md shows how"

    static let unprotectedAuthenticator =
        "the authenticator is old (CTAP 2.0, without credProtect): a thief who has it and the file needs no PIN of the "
        + "authenticator, and only the PIN of the vault is left"

    static let tpmSlot =
        "this slot opens the vault on this machine only: a copy of the file opens elsewhere with another slot"

    static let pinStillOpens =
        "the vault still opens with a PIN alone, which a thief of the file can guess: remove that slot with "
        + "`eosvault slot remove`, after you have made a recovery phrase"

    static func registers(_ numbers: [Int]) -> String {
        "after an update of the firmware, its settings or the boot loader, the registers (PCRs) "
            + numbers.map(String.init).joined(separator: ", ")
            + " have other values: then open the vault with another unlock method, remove this slot and add it again"
    }
}
