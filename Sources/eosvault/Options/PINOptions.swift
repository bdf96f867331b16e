import ArgumentParser
import KeyVault

/// The source of the PIN: the terminal, or for scripts a file or a file descriptor. Never an
/// argument or an environment variable.
struct PINOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("Read the PIN from a file; one final line ending is dropped.", valueName: "path"),
        completion: .file())
    var pinFile: String?

    @Option(name: .long, help: ArgumentHelp("Read the PIN from an open file descriptor.", valueName: "number"))
    var pinFD: Int32?

    private var given: GivenPIN { GivenPIN(file: pinFile, descriptor: pinFD, option: "--pin") }

    func validate() throws { try given.validate() }

    /// The input that the PIN is read from; nil for the terminal.
    var source: InputFile? { given.source }

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
struct NewPINOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("Read the new PIN from a file; one final line ending is dropped.", valueName: "path"),
        completion: .file())
    var newPinFile: String?

    @Option(name: .long, help: ArgumentHelp("Read the new PIN from an open file descriptor.", valueName: "number"))
    var newPinFD: Int32?

    private var given: GivenPIN { GivenPIN(file: newPinFile, descriptor: newPinFD, option: "--new-pin") }

    func validate() throws { try given.validate() }

    /// The input that the PIN is read from; nil for the terminal.
    var source: InputFile? { given.source }

    /// Reads the PIN; at the terminal, twice.
    func read() throws -> PIN { try PIN.readNew(from: source, missing: .newPIN) }
}

/// The values of the two options, of which at most one is given.
private struct GivenPIN {
    let file: String?
    let descriptor: Int32?
    /// The common prefix of both options.
    let option: String

    func validate() throws {
        if file != nil, descriptor != nil { throw ValidationError("give \(option)-file or \(option)-fd, not both") }
        if let descriptor, descriptor < 0 { throw ValidationError("\(option)-fd needs a number that is not negative") }
    }

    var source: InputFile? { file.map { InputFile(path: $0) } ?? descriptor.map { InputFile(path: "/dev/fd/\($0)") } }
}

extension PIN {
    fileprivate static func read(from source: InputFile) throws -> PIN {
        try placed(at: source.name) { try PIN(source.readSecret(atMost: allowedLengths.upperBound)) }
    }

    fileprivate static func readNew(from source: InputFile?, missing wanted: TerminalPurpose) throws -> PIN {
        if let source { return try read(from: source) }
        let terminal = try Terminal.open(for: wanted)
        return try PIN(terminal.readNewSecret("new PIN: ", again: "new PIN again: ", limit: allowedLengths.upperBound))
    }
}
