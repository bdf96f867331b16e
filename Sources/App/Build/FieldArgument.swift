import ABICodec
import ArgumentParser
import Shell
import Transactions

/// An argument or an option of an action: the properties of the field that the ABI does not state.
struct FieldArgument {
    enum Form { case required, optional, option }

    /// The name of the field, or of an option that is no field.
    let name: String
    /// The name in the help and in errors, if it differs.
    private let shownName: String
    private let help: String
    private let valueName: String?
    private let form: Form
    /// The type of the field in the ABI, or how its text is read. An option that is no field is a
    /// text or a `file`.
    private(set) var type: String
    /// False if the ABI states the type.
    private let hasOwnType: Bool
    /// The text for no value.
    private let absentText: String?

    init(
        _ name: String, as shownName: String? = nil, _ help: String, value: String? = nil,
        _ form: Form = .required,
        type: String? = nil, absent: String? = nil
    ) {
        (self.name, self.shownName, self.help, valueName) = (name, shownName ?? name, help, value)
        (self.form, self.type, hasOwnType, absentText) = (form, type ?? "string", type != nil, absent)
    }

    /// The argument of a field that has this type in the ABI.
    func typed(_ type: String?) -> FieldArgument {
        guard let type, !hasOwnType else { return self }
        var argument = self
        argument.type = type
        return argument
    }

    static let tokenContract = FieldArgument(
        "token-contract",
        "The account of the token's contract. It is required if the token is not known for the chain.",
        value: "account", .option)

    /// The name in errors.
    var place: String { form == .option ? "--\(shownName)" : shownName }

    /// The file that is read for the argument; nil if it is no file.
    func file(in texts: FieldTexts) -> InputFile? {
        let isFile =
            ["file", "transaction"].contains(type)
            || ["authority", "json"].contains(type) && texts[name].first.map(FileContents.isJSONFile) == true
        return isFile ? texts.file(name) : nil
    }

    /// The labels of keys in the argument.
    func labels(in texts: FieldTexts, _ contents: FileContents) throws -> [String] {
        guard let text = texts[name].first else { return [] }
        return try placed(at: place) {
            switch type {
            case "authority": return try contents.authority(text).labels
            case "public_key": return try parsing { try KeySource(text) }.labelText.map { [$0] } ?? []
            default: return []
            }
        }
    }

    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    // MARK: - the declaration

    /// A property wrapper of the argument parser, and how its value is read.
    struct Declaration {
        let wrapper: Any
        let texts: (KeyedDecodingContainer<Key>, Key) throws -> [String]

        fileprivate init<Wrapper: ValueWrapper>(
            _ wrapper: Wrapper, _ texts: @escaping (Wrapper.Value) -> [String]
        ) {
            self.wrapper = wrapper
            self.texts = { try texts($0.decode(Wrapper.self, forKey: $1).wrappedValue) }
        }
    }

    /// The type decides about the argument.
    var declaration: Declaration {
        let help = ArgumentHelp(
            "\(self.help)", valueName: valueName ?? shownName.replacing("_", with: "-"))
        let names = NameSpecification.customLong(shownName)
        switch (form, type) {
        case (.option, "file"):
            return Declaration(Option<InputFile?>(name: names, help: help)) { $0.map { [$0.path] } ?? [] }
        case (.option, _):
            return Declaration(Option<String?>(name: names, help: help)) { $0.map { [$0] } ?? [] }
        case (_, "bool"):
            return Declaration(Flag(wrappedValue: false, name: names, help: help)) { $0 ? ["true"] : [] }
        case (_, "uint32"): return Declaration(Argument<UInt32>(help: help)) { ["\($0)"] }
        case (.optional, "uint16"):
            return Declaration(Argument<UInt16>(wrappedValue: 0, help: help)) { ["\($0)"] }
        case (_, "transaction"): return Declaration(Argument<InputFile>(help: help)) { [$0.path] }
        case (.required, _) where isList: return Declaration(Argument<[String]>(help: help)) { $0 }
        case (_, _) where isList: return Declaration(Argument<[String]>(wrappedValue: [], help: help)) { $0 }
        case (.optional, "string"): return Declaration(Argument(wrappedValue: "", help: help)) { [$0] }
        case (.optional, _):
            return Declaration(Argument<String?>(help: help, completion: completion)) {
                $0.map { [$0] } ?? []
            }
        case (.required, _): return Declaration(Argument<String>(help: help, completion: completion)) { [$0] }
        }
    }

    private var isList: Bool { type.hasSuffix("[]") }

    private var completion: CompletionKind? { ["authority", "public_key"].contains(type) ? .keys : nil }

    // MARK: - the value

    /// - Returns: nil for an absent value, and for an option that is no field.
    func value(of texts: FieldTexts, _ context: BuildContext) throws -> FieldValue? {
        let given = texts[name]
        switch type {
        case "bool": return .flag(!given.isEmpty)
        case _ where isList:
            return .list(try given.map { try value($0, of: String(type.dropLast(2)), texts, context) })
        case "transaction":
            return try texts.file(name).map { file in
                try context.read(file) { bytes in
                    let signed = try SignedTransaction(reading: bytes, abis: context.contracts)
                    try signed.expectChain(context.chain)
                    return .transaction(signed)
                }
            }
        default:
            return try given.first.flatMap {
                $0 == absentText ? nil : try value($0, of: type, texts, context)
            }
        }
    }

    private func value(
        _ text: String, of type: String, _ texts: FieldTexts, _ context: BuildContext
    ) throws -> FieldValue {
        let contract = type == "asset" ? try texts.tokenContract() : nil
        return try placed(at: place) {
            switch type {
            case "name": .name(try parsing { try Name(text) })
            case "asset":
                .amount(try parsing { try TokenAmount(text, chain: context.chain, contract: contract) })
            case "uint16", "uint32": .number(Int64(text) ?? 0)
            case "share": .number(try parsing { try ResourceShare(text) }.units)
            case "authority": .authority(try context.contents.authority(text).authority(context.keys))
            case "public_key": .key(try parsing { try KeySource(text) }.key(context.keys))
            case "permission_level": .level(try parsing { try PermissionLevel(text) })
            default: .text(text)
            }
        }
    }
}

/// A property wrapper of the argument parser.
private protocol ValueWrapper: Decodable {
    associatedtype Value
    var wrappedValue: Value { get }
}

extension Argument: ValueWrapper {}
extension Option: ValueWrapper {}
extension Flag: ValueWrapper {}
