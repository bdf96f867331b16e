import ArgumentParser
import KeyVault
import SecureMemory

/// Where the PIN comes from: the terminal, or a file or descriptor for programs. Never an argument
/// or the environment.
struct PINOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("Read the PIN from a file; one final line ending is dropped.", valueName: "path"))
    var pinFile: String?

    @Option(name: .long, help: ArgumentHelp("Read the PIN from an open file descriptor.", valueName: "number"))
    var pinFD: Int32?

    private var given: GivenPIN { GivenPIN(file: pinFile, descriptor: pinFD, option: "--pin") }

    func validate() throws { try given.validate() }

    /// What the PIN is read from; nil for the terminal.
    var source: InputFile? { given.source }

    /// The PIN of a vault that exists.
    func read() throws -> PIN {
        if let source { return try PIN.read(from: source) }
        let terminal = try Terminal.open(for: Terminal.pin)
        return try PIN(terminal.readSecret("PIN: ", limit: PIN.allowedLengths.upperBound))
    }

    /// A new PIN; at the terminal it is asked for twice.
    func readNew() throws -> PIN { try PIN.readNew(from: source, missing: Terminal.pin) }
}

/// Where the PIN of another slot, or the next PIN of this one, comes from.
struct NewPINOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("Read the new PIN from a file; one final line ending is dropped.", valueName: "path"))
    var newPinFile: String?

    @Option(name: .long, help: ArgumentHelp("Read the new PIN from an open file descriptor.", valueName: "number"))
    var newPinFD: Int32?

    private var given: GivenPIN { GivenPIN(file: newPinFile, descriptor: newPinFD, option: "--new-pin") }

    func validate() throws { try given.validate() }

    /// What the PIN is read from; nil for the terminal.
    var source: InputFile? { given.source }

    /// The PIN; at the terminal it is asked for twice.
    func read() throws -> PIN { try PIN.readNew(from: source, missing: Terminal.newPIN) }
}

/// The file or the descriptor that two options give, of which one at most is given.
private struct GivenPIN {
    let file: String?
    let descriptor: Int32?
    /// What both options begin with.
    let option: String

    func validate() throws {
        if file != nil, descriptor != nil { throw ValidationError("give \(option)-file or \(option)-fd, not both") }
        if let descriptor, descriptor < 0 { throw ValidationError("\(option)-fd takes a number from 0") }
    }

    var source: InputFile? { file.map { InputFile(path: $0) } ?? descriptor.map { InputFile(path: "/dev/fd/\($0)") } }
}

extension PIN {
    fileprivate static func read(from source: InputFile) throws -> PIN {
        do { return try PIN(source.readSecret(atMost: allowedLengths.upperBound)) } catch {
            throw Placed(place: source.name, error: error)
        }
    }

    fileprivate static func readNew(from source: InputFile?, missing wanted: String) throws -> PIN {
        if let source { return try read(from: source) }
        let terminal = try Terminal.open(for: wanted)
        return try PIN(terminal.readNewSecret("new PIN: ", again: "new PIN again: ", limit: allowedLengths.upperBound))
    }
}
