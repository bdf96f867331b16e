import ArgumentParser
import Hardening
import KeyVault
import SecureMemory
import Shell

/// The source of the PIN: the terminal, or for scripts a file or a file descriptor. Never an
/// argument or an environment variable.
package struct PINOptions: GivenSecretOptions {
    package init() {}

    @Option(
        help: ArgumentHelp("Read the PIN from a file; one final line ending is dropped.", valueName: "path"))
    package var pinFile: InputFile?

    @Option(help: ArgumentHelp("Read the PIN from an open file descriptor.", valueName: "number"))
    package var pinFD: Int32?

    package var given: GivenSecret { GivenSecret(file: pinFile, descriptor: pinFD, option: "--pin") }

    /// Reads the PIN of an existing vault.
    func read() throws -> PIN {
        if let source { return try PIN.read(from: source) }
        let terminal = try Terminal.open(for: .pin)
        return try PIN(terminal.readSecret("PIN: ", limit: PIN.allowedLengths.upperBound))
    }

    /// Reads a new PIN; at the terminal, twice.
    func readNew() throws -> PIN { try PIN.readNew(from: source, missing: .pin) }
}

/// The source of a new PIN, for a new slot or for the slot that opens the vault.
struct NewPINOptions: GivenSecretOptions {
    @Option(
        help: ArgumentHelp(
            "Read the new PIN from a file; one final line ending is dropped.", valueName: "path"))
    var newPinFile: InputFile?

    @Option(help: ArgumentHelp("Read the new PIN from an open file descriptor.", valueName: "number"))
    var newPinFD: Int32?

    var given: GivenSecret { GivenSecret(file: newPinFile, descriptor: newPinFD, option: "--new-pin") }

    /// Reads the PIN; at the terminal, twice.
    func read() throws -> PIN { try PIN.readNew(from: source, missing: .newPIN) }
}

extension PIN {
    fileprivate static func read(from source: InputFile) throws -> PIN {
        try placed(at: source.name) { try PIN(source.readSecret(atMost: allowedLengths.upperBound)) }
    }

    /// How often both questions are asked if the answers differ.
    private static let tries = 3

    /// Reads a new PIN; at the terminal, twice.
    /// - Parameter name: its name in the questions.
    static func readNew(
        from source: InputFile?, missing wanted: TerminalPurpose, _ name: String = "PIN"
    ) throws -> PIN {
        if let source { return try read(from: source) }
        let terminal = try Terminal.open(for: wanted)
        for left in (0..<tries).reversed() {
            let secret: SecureBytes
            do throws(Terminal.Failure) {
                secret = try terminal.readNewSecret(
                    "new \(name): ", again: "new \(name) again: ", limit: allowedLengths.upperBound)
            } catch {
                guard case .mismatch = error, left > 0 else { throw error }
                Messages.warning(Words.tryAgain(error.words.message, left: left))
                continue
            }
            return try PIN(secret)
        }
        throw Terminal.Failure.mismatch
    }
}

/// The values of the two options for the source of a secret, of which at most one is given.
package struct GivenSecret {
    let file: InputFile?
    let descriptor: Int32?
    /// The common prefix of both options.
    let option: String

    func validate() throws {
        if file != nil, descriptor != nil {
            throw ValidationError("give \(option)-file or \(option)-fd, not both")
        }
        if let descriptor, descriptor < 0 {
            throw ValidationError("\(option)-fd needs a number that is not negative")
        }
    }

    /// The input that the secret is read from; nil for the terminal.
    var source: InputFile? { file ?? descriptor.map { InputFile(path: "/dev/fd/\($0)") } }
}

/// Two options for the source of a secret.
package protocol GivenSecretOptions: ParsableArguments {
    var given: GivenSecret { get }
}

extension GivenSecretOptions {
    package func validate() throws { try given.validate() }

    /// The input that the secret is read from; nil for the terminal.
    var source: InputFile? { given.source }

    var inputs: [InputFile] { [InputFile](given: source) }

    var fileAccess: FileAccess { source?.fileAccess ?? .terminal }
}
