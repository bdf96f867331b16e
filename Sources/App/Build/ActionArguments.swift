import ABICodec
import ArgumentParser
import JSON
import Shell
import Transactions

/// An action that `build` makes. It is a subcommand, and can follow `--then`.
protocol BuildAction: SendableMetatype {
    /// The name and the help of the command.
    static var configuration: CommandConfiguration { get }

    /// The built-in ABI with its rules; nil for an action of any contract.
    static var form: ActionForm? { get }

    /// The arguments in their order, and the options.
    static var fields: [FieldArgument] { get }

    /// The command that makes a transaction with this action first.
    static var command: any ParsableCommand.Type { get }

    /// Refuses missing arguments that the parser does not require.
    static func expectComplete(_ texts: FieldTexts) throws

    /// True if the action uses the ABIs that the vault of --vault pins.
    static func usesPins(_ texts: FieldTexts) -> Bool

    /// Adds the values that the texts of the fields do not have.
    static func complete(_ values: inout ActionValues, _ texts: FieldTexts, _ context: BuildContext) throws

    /// Notes for the user about the action.
    static func notes(_ texts: FieldTexts, _ context: BuildContext) throws -> [String]
}

extension BuildAction {
    static var command: any ParsableCommand.Type { BuildCommand<Self>.self }
    static func expectComplete(_ texts: FieldTexts) throws {}
    static func usesPins(_ texts: FieldTexts) -> Bool { false }
    static func complete(_ values: inout ActionValues, _ texts: FieldTexts, _ context: BuildContext) throws {}
    static func notes(_ texts: FieldTexts, _ context: BuildContext) throws -> [String] { [] }

    static var commandName: String { configuration.commandName ?? "" }

    /// The fields with their types, and the option that the amount of a token may need.
    fileprivate static var arguments: [FieldArgument] {
        let types = Dictionary((form?.fields ?? []).map { ($0.name, $0.type) }) { first, _ in first }
        let typed = fields.map { $0.typed(types[$0.name]) }
        return typed + (typed.contains { $0.type == "asset" } ? [.tokenContract] : [])
    }

    /// An action in a list: this type without its own options.
    static func described(by arguments: ActionArguments<Self>) -> DescribedAction {
        DescribedAction(
            type: self, arguments: Self.arguments, texts: arguments.fields.texts,
            permissions: arguments.authorization)
    }

    /// Parses an action after `--then`.
    static func parsed(_ words: [String]) throws -> DescribedAction {
        try RepeatedOptions.refuse(in: words, of: ActionArguments<Self>.self)
        let arguments = try ActionArguments<Self>.parse(words)
        try expectComplete(arguments.fields.texts)
        return described(by: arguments)
    }
}

/// The arguments of one action. They follow `build`, and in a transaction with several actions also
/// `--then`.
struct ActionArguments<Action: BuildAction>: ParsableArguments {
    @OptionGroup var fields: ActionFields<Action>
    @OptionGroup var authorization: AuthorizationOptions
}

/// The arguments for the fields of an action. The argument parser finds declarations by reflection,
/// so they can be made from an ABI.
struct ActionFields<Action: BuildAction>: ParsableArguments, CustomReflectable {
    private(set) var texts = FieldTexts()

    init() {}

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: FieldArgument.Key.self)
        for field in Action.arguments {
            texts[field.name] = try field.declaration.texts(values, FieldArgument.Key(field.name))
        }
    }

    var customMirror: Mirror {
        Mirror(self, children: Action.arguments.map { ("_" + $0.name, $0.declaration.wrapper) })
    }
}

/// The texts of the arguments for fields, by the names of the fields.
struct FieldTexts {
    private var texts: [String: [String]] = [:]

    subscript(field: String) -> [String] {
        get { texts[field] ?? [] }
        set { texts[field] = newValue }
    }

    /// A name in an argument.
    /// - Parameter place: for the error.
    func name(_ field: String, _ place: String? = nil) throws -> Name {
        try parsedName(self[field].first ?? "", place ?? field)
    }

    func optionalName(_ field: String) throws -> Name? { self[field].isEmpty ? nil : try name(field) }

    /// The contract that --token-contract names.
    func tokenContract() throws -> Name? {
        let option = FieldArgument.tokenContract
        return self[option.name].isEmpty ? nil : try name(option.name, option.place)
    }

    func file(_ field: String) -> InputFile? { self[field].first.map { InputFile(path: $0) } }
}

/// An action of a transaction, with its arguments.
struct DescribedAction {
    fileprivate let type: any BuildAction.Type
    fileprivate let arguments: [FieldArgument]
    fileprivate let texts: FieldTexts
    fileprivate let permissions: AuthorizationOptions

    var name: String { type.commandName }

    var usesPins: Bool { type.usesPins(texts) }

    /// The files that are read.
    var files: [InputFile] { arguments.compactMap { $0.file(in: texts) } }

    /// The labels of keys that are looked up in the vault.
    func labels(_ contents: FileContents) throws -> [String] {
        try arguments.flatMap { try $0.labels(in: texts, contents) }
    }

    /// True if keys may be looked up in the vault. The content of a file is not known yet.
    var mayHaveLabels: Bool {
        arguments.contains { argument in
            argument.type == "authority" && argument.file(in: texts) != nil
                || (try? argument.labels(in: texts, FileContents()).isEmpty) == false
        }
    }

    func action(_ context: BuildContext) throws -> NewAction {
        let levels = try permissions.levels()
        guard let form = type.form else {
            return try OtherAction.action(texts, authorizedBy: levels, context.contents)
        }
        var values: ActionValues = [:]
        for field in arguments { values[field.name] = try field.value(of: texts, context) }
        try type.complete(&values, texts, context)
        return try form.action(values).authorized(by: levels)
    }

    func notes(_ context: BuildContext) throws -> [String] { try type.notes(texts, context) }
}

/// The values that all actions of a transaction share.
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

extension FileContents {
    /// True if the argument is the name of a JSON file.
    static func isJSONFile(_ text: String) -> Bool { text.hasSuffix(".json") && !text.hasPrefix("{") }

    /// The bytes of a JSON argument: its text, or the content of its file.
    func argument(_ text: String) throws -> [UInt8] {
        guard Self.isJSONFile(text) else { return Array(text.utf8) }
        let file = InputFile(path: text)
        let bytes = try bytes(of: file)
        _ = try placed(at: file.name) { try JSONValue.parse(bytes) }
        return bytes
    }

    /// The authority of an argument: its text, or the content of its file.
    func authority(_ text: String) throws -> AuthorityText {
        guard Self.isJSONFile(text) else { return try parsing { try AuthorityText(text) } }
        let file = InputFile(path: text)
        let json = try bytes(of: file)
        return try placed(at: file.name) { try AuthorityText(json: json) }
    }
}

/// An argument that is a name.
func parsedName(_ text: String, _ place: String) throws -> Name { try parsing(place) { try Name(text) } }
