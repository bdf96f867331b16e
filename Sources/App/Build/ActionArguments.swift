import ABICodec
import ArgumentParser
import Shell
import Transactions

/// The arguments of one action that `build` makes. They follow `build`, and in a transaction with
/// several actions also `--then`.
protocol ActionArguments: ParsableArguments {
    /// The name and the help of the command.
    static var configuration: CommandConfiguration { get }

    var authorization: AuthorizationOptions { get }

    /// The files that are read.
    var files: [InputFile] { get }

    /// Whether the ABIs that the vault of --vault pins are used: the action can be of any contract.
    var usesPins: Bool { get }

    /// The labels of keys that are looked up in the vault.
    func labels() throws -> [String]

    /// The action, with its default authorization.
    func action(_ context: BuildContext) throws -> NewAction

    /// What the user must know about the action.
    func notes(_ context: BuildContext) throws -> [String]
}

extension ActionArguments {
    var files: [InputFile] { [] }
    var usesPins: Bool { false }
    func labels() throws -> [String] { [] }
    func notes(_ context: BuildContext) throws -> [String] { [] }

    static var commandName: String { configuration.commandName ?? "" }
}

/// What the actions of a transaction depend on.
struct BuildContext {
    let chain: ChainID
    let contracts: ContractABIs
    let contents: FileContents
    let keys: LabelledKeys

    /// Runs a step with the contents of a file, and adds the file's name to an error.
    func read<Value>(_ file: InputFile, _ step: ([UInt8]) throws -> Value) throws -> Value {
        let bytes = try contents.bytes(of: file)
        return try placed(at: file.name) { try step(bytes) }
    }
}

/// An argument that is a name.
func parsedName(_ text: String, _ place: String) throws -> Name { try placed(at: place) { try Name(text) } }
