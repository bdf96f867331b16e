import ArgumentParser
import Hardening
import Shell

/// The values of the two options that name the source of a secret, of which at most one is given.
struct GivenSecret {
    let file: InputFile?
    let descriptor: Int32?
    /// The common prefix of both options.
    let option: String

    func validate() throws {
        if file != nil, descriptor != nil { throw ValidationError("give \(option)-file or \(option)-fd, not both") }
        if let descriptor, descriptor < 0 { throw ValidationError("\(option)-fd needs a number that is not negative") }
    }

    /// The input that the secret is read from; nil for the terminal.
    var source: InputFile? { file ?? descriptor.map { InputFile(path: "/dev/fd/\($0)") } }
}

/// Two options that name the source of a secret.
protocol GivenSecretOptions: ParsableArguments {
    var given: GivenSecret { get }
}

extension GivenSecretOptions {
    func validate() throws { try given.validate() }

    /// The input that the secret is read from; nil for the terminal.
    var source: InputFile? { given.source }

    var inputs: [InputFile] { [InputFile](given: source) }

    var fileAccess: FileAccess { source?.fileAccess ?? .terminal }
}
