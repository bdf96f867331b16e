import ArgumentParser
import Hardening
import KeyVault
import Shell

/// A vault, and the unlock method that opened it.
struct OpenedVault: ~Copyable {
    let method: UnlockMethod
    let vault: UnlockedVault

    /// The vault alone; the unlock method is wiped.
    consuming func wipingMethod() -> UnlockedVault { vault }
}

/// The unlock method: the PIN, the PIN with a key file or a device, or the recovery phrase.
package struct UnlockMethodOptions: ParsableArguments {
    package init() {}

    @OptionGroup package var pin: PINOptions

    @Option(
        name: .customLong("keyfile"),
        help: ArgumentHelp("The key file that is required together with the PIN.", valueName: "path"))
    package var keyFile: InputFile?

    @OptionGroup package var device: DeviceOptions

    @Flag(help: "Unlock with the recovery phrase, typed at the terminal.")
    package var recovery = false

    @Option(help: ArgumentHelp("Read the recovery phrase from a file.", valueName: "path"))
    package var recoveryFile: InputFile?

    @Flag(
        help: """
            Show the words while you type them, on a screen that is cleared afterwards. A terminal without a separate \
            screen can keep them in its scroll-back.
            """)
    package var showWords = false

    package func validate() throws {
        if recovery, recoveryFile != nil {
            throw ValidationError("give --recovery or --recovery-file, not both")
        }
        if showWords, !recovery {
            throw ValidationError("--show-words needs --recovery: it shows typed words only")
        }
        if opensByPhrase, pin.source != nil || keyFile != nil {
            throw ValidationError("the recovery phrase opens the vault alone: omit the PIN and the key file")
        }
        if device.isGiven, opensByPhrase || keyFile != nil {
            throw ValidationError("give only one of --tpm, --fido2, --keyfile and --recovery")
        }
        if device.noPin, pin.source != nil {
            throw ValidationError("--no-pin opens the vault without a PIN: omit the PIN")
        }
        try inputs.refuseSharedInput()
        let given = inputs.map(\.fileAccess) + [device.tpm, device.fido2].compactMap { $0?.fileAccess }
        let descriptors = given.flatMap(\.descriptors)
        guard Set(descriptors).count == descriptors.count else {
            throw ValidationError("the same file descriptor is given twice")
        }
    }

    /// The files that the unlock method is read from.
    package var inputs: [InputFile] {
        [InputFile](given: pin.source, keyFile, recoveryFile) + device.authenticator.inputs
    }

    /// True if a part of the unlock method may be typed at the terminal.
    package var asks: Bool {
        opensByPhrase ? recovery : pin.source == nil || device.fido2 != nil && device.authenticator.isAsked
    }

    /// The secret of the vault that is typed for slots of this kind; nil for none.
    private func typed(for kind: SlotKind) -> TerminalPurpose? {
        switch kind {
        case .recovery: recovery ? .phrase : nil
        case .fido2: nil
        default: pin.source == nil ? .pin : nil
        }
    }

    private var opensByPhrase: Bool { recovery || recoveryFile != nil }

    /// The kind of slots that the options select. Without an option for a device, a vault that
    /// opens with a TPM and not with a PIN alone is opened with the TPM.
    /// - Parameter vault: nil for a file that is not a vault in use.
    func kind(in vault: Vault?) -> SlotKind {
        if opensByPhrase { return .recovery }
        if keyFile != nil { return .pinAndKeyFile }
        if device.tpm != nil { return .pinAndTPM }
        let kinds = Set(((try? vault?.unverifiedSlots().slots) ?? []).map(\.kind))
        guard device.fido2 != nil else {
            return kinds.contains(.pinAndTPM) && !kinds.contains(.pin) ? .pinAndTPM : .pin
        }
        if device.noPin { return .fido2 }
        let isAlone = kinds.contains(.fido2) && !kinds.contains(.pinAndFIDO2) && pin.source == nil
        return isAlone ? .fido2 : .pinAndFIDO2
    }

    /// The TPM that may be used without its option: the sandbox allows it before the vault is read.
    var defaultTPM: DeviceName? {
        guard !device.isGiven, !opensByPhrase, keyFile == nil, DeviceName.firstTPM.isThere else {
            return nil
        }
        return .firstTPM
    }

    /// Reads the unlock method. A device is opened before its PIN is typed.
    private func read(for kind: SlotKind) throws -> UnlockMethod {
        switch kind {
        case .recovery: return .recovery(try readPhrase())
        case .pinAndTPM:
            let tpm = try (device.tpm ?? .firstTPM).openTPM()
            return .pinAndTPM(PINAndTPM(try pin.read(), tpm))
        case .pinAndFIDO2:
            let access = device.authenticator.access
            let authenticator = try access.device(device.fido2 ?? .onlyAuthenticator)
            let pin = try pin.read()
            return .pinAndFIDO2(PINAndAuthenticator(pin, try access.open(authenticator)))
        case .fido2: return .fido2(try device.authenticator.access.open(device.fido2 ?? .onlyAuthenticator))
        case .pin, .pinAndKeyFile, .other: break
        }
        guard let keyFile else { return .pin(try pin.read()) }
        // Read the key file first: a missing file is reported before the user types the PIN.
        let key = try Self.readKeyFile(keyFile)
        return .pinAndKeyFile(try pin.read(), key)
    }

    /// Reads the unlock method and opens a vault with it. A secret that was typed wrong is asked
    /// for again, so that the work before the question is not lost. The vault counts and delays
    /// each try.
    ///
    /// Input is hidden until the step is done: a phrase that was pasted twice must neither be shown
    /// nor become a command of the shell.
    /// - Parameters:
    ///   - vault: the error after the last try lists its other unlock methods; nil for a file that
    ///     is not a vault in use.
    ///   - next: the secret that is typed at the terminal next. Input is hidden until then, even if
    ///     the unlock method is not typed.
    ///   - step: also gets the hidden input, whose signals a long step delivers.
    package func opening<Result: ~Copyable>(
        _ vault: Vault? = nil, beforeTyping next: TerminalPurpose? = nil,
        _ step: (consuming UnlockMethod, HiddenInput?) throws -> Result
    ) throws -> Result {
        let kind = kind(in: vault)
        let typed = typed(for: kind)
        return try WrongSecret.retrying(
            asking: typed != nil, askingAuthenticator: device.authenticator.isAsked, namingSlotsOf: vault
        ) {
            let method = try readTyped(for: kind)
            guard let purpose = typed ?? next else { return try step(method, nil) }
            return try Terminal.open(for: purpose).hidingInput(with: method, step)
        }
    }

    private func readTyped(for kind: SlotKind) throws -> UnlockMethod {
        guard typed(for: kind) != nil else { return try read(for: kind) }
        return try WrongSecret.ifTooShort(kind) { try read(for: kind) }
    }

    /// Reads the unlock method and unlocks the vault with it.
    /// - Parameters:
    ///   - comparing: true to compare the vault with the witness, as in `Vault.unlock`.
    ///   - next: as in `opening`.
    func unlock(
        _ vault: Vault, comparing: Bool = true, beforeTyping next: TerminalPurpose? = nil
    ) throws -> UnlockedVault {
        try opening(vault, beforeTyping: next) { method, hidden in
            try Self.unlock(vault, by: method, hiding: hidden, comparing: comparing)
        }
    }

    /// Like `unlock`, for commands that also need the unlock method.
    func open(_ vault: Vault, beforeTyping next: TerminalPurpose? = nil) throws -> OpenedVault {
        try opening(vault, beforeTyping: next) { method, hidden in
            let unlocked = try Self.unlock(vault, by: method, hiding: hidden)
            return OpenedVault(method: method, vault: unlocked)
        }
    }

    static func unlock(
        _ vault: Vault, by method: borrowing UnlockMethod, hiding hidden: HiddenInput?, comparing: Bool = true
    ) throws -> UnlockedVault {
        vault.clock = .withNotes(hiding: hidden)
        // The derivation of the key needs most memory. It starts without the code of the review.
        ThisProcess.dropReadOnlyPages()
        return try Progress.during("opening the vault") { try vault.unlock(method, comparing: comparing) }
    }

    private static func readKeyFile(_ file: InputFile) throws -> KeyFile {
        // The limit is large, so that an error can state the length.
        try placed(at: file.name) {
            try KeyFile(
                file.readSecret(
                    atMost: 32 * KeyFile.count, isText: false, writable: .refusedWhereModesAreStored))
        }
    }

    private func readPhrase() throws -> RecoveryPhrase {
        guard let recoveryFile else { return try WordQuestions.phrase(showingWords: showWords) }
        return try RecoveryPhrase.read(from: recoveryFile)
    }
}

extension RecoveryPhrase {
    static func read(from source: InputFile) throws -> RecoveryPhrase {
        try placed(at: source.name) { try RecoveryPhrase(words: source.readSecret(atMost: maximumTextCount)) }
    }
}
