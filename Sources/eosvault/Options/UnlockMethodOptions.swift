import ArgumentParser
import KeyVault

/// The unlock method: the PIN, the PIN with a key file, or the recovery phrase.
struct UnlockMethodOptions: ParsableArguments {
    @OptionGroup var pin: PINOptions

    @Option(
        name: .customLong("keyfile"),
        help: ArgumentHelp("The key file that is required together with the PIN.", valueName: "path"))
    var keyFile: String?

    @Flag(name: .long, help: "Unlock with the recovery phrase, typed at the terminal.")
    var recovery = false

    @Option(name: .long, help: ArgumentHelp("Read the recovery phrase from a file.", valueName: "path"))
    var recoveryFile: String?

    func validate() throws {
        if recovery, recoveryFile != nil { throw ValidationError("give --recovery or --recovery-file, not both") }
        if opensByPhrase, pin.source != nil || keyFile != nil {
            throw ValidationError("the recovery phrase opens the vault alone: omit the PIN and the key file")
        }
        try inputs.refuseSharedInput()
    }

    /// The files that the unlock method is read from.
    var inputs: [InputFile] {
        [pin.source, keyFile.map { InputFile(path: $0) }, recoveryFile.map { InputFile(path: $0) }].compactMap(\.self)
    }

    /// Whether a part of the unlock method is typed at the terminal.
    var asks: Bool { opensByPhrase ? recovery : pin.source == nil }

    private var opensByPhrase: Bool { recovery || recoveryFile != nil }

    /// Reads the unlock method.
    func read() throws -> UnlockMethod {
        if opensByPhrase { return .recovery(try readPhrase()) }
        guard let keyFile else { return .pin(try pin.read()) }
        // Read the key file first: a missing file is reported before the user types the PIN.
        let key = try Self.readKeyFile(InputFile(path: keyFile))
        return .pinAndKeyFile(try pin.read(), key)
    }

    /// Reads the unlock method and unlocks the vault with it.
    /// - Parameters:
    ///   - comparing: whether the vault is compared with the witness, as in `Vault.unlock`.
    ///   - next: the secret that is typed at the terminal next. Input stays hidden until then.
    func unlock(
        _ vault: Vault, comparing: Bool = true, beforeTyping next: TerminalPurpose? = nil
    ) throws -> UnlockedVault {
        try Self.unlock(vault, by: read(), comparing: comparing, beforeTyping: next)
    }

    static func unlock(
        _ vault: Vault, by method: borrowing UnlockMethod, comparing: Bool = true,
        beforeTyping next: TerminalPurpose? = nil
    ) throws -> UnlockedVault {
        let step = "opening the vault"
        guard let next else {
            return try Progress.during(step) { try vault.unlock(method, comparing: comparing) }
        }
        return try Terminal.open(for: next).hidingInput {
            try Progress.during(step) { try vault.unlock(method, comparing: comparing) }
        }
    }

    private static func readKeyFile(_ file: InputFile) throws -> KeyFile {
        // The limit is large, so that an error can state the length. Other users may write the
        // file: a USB stick can lack file modes, and a changed key file only locks its owner out.
        try placed(at: file.name) {
            try KeyFile(file.readSecret(atMost: 32 * KeyFile.count, isText: false, mayBeWritable: true))
        }
    }

    private func readPhrase() throws -> RecoveryPhrase {
        guard let recoveryFile else {
            let terminal = try Terminal.open(for: .phrase)
            return try RecoveryPhrase(
                words: terminal.readSecret("recovery phrase: ", limit: RecoveryPhrase.maximumTextCount))
        }
        let file = InputFile(path: recoveryFile)
        return try placed(at: file.name) {
            try RecoveryPhrase(words: file.readSecret(atMost: RecoveryPhrase.maximumTextCount))
        }
    }
}
