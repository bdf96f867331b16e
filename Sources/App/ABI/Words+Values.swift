import ABICodec
import JSON
import Shell

extension ABIError: WordedError {
    package var words: Words {
        let words =
            switch reason {
            case .input(let reason): Self.words(reason)
            case .shape(let reason): Self.words(reason)
            case .builtIn(let reason): Self.words(reason)
            case .definition(let reason): Self.words(reason)
            }
        let path = Printable.line(ABIError.text(of: path.map(\.excerpt)))
        return path.isEmpty ? words : words.at(path)
    }

    private static func words(_ reason: ABIError.Input) -> Words {
        switch reason {
        case .json(let error): error.words
        case .bytes(let error): error.words
        case .keyText(let error): error.words(kind: .any)
        case .curve(let error): error.words
        case .expected(let expectation, let found):
            Words(.wrongFields, "expected \(expectation.name), found \(found.name)")
        case .invalidUTF8: Words(.invalidEncoding, "the text is not UTF-8")
        }
    }

    private static func words(_ reason: ABIError.Shape) -> Words {
        switch reason {
        case .missingField(let name): Words(.wrongFields, "the field `\(Printable.excerpt(name))` is missing")
        case .unknownField(let name): Words(.wrongFields, "the field `\(Printable.excerpt(name))` is unknown")
        case .duplicateField(let name): Words(.wrongFields, "the field `\(Printable.excerpt(name))` occurs twice")
        case .fieldAfterMissingExtension(let name):
            Words(
                .wrongFields,
                "the binary extension `\(Printable.excerpt(name))` is missing, but a field after it is present")
        case .unknownAlternative(let name):
            Words(.invalidValue, "the variant has no type `\(Printable.excerpt(name))`")
        case .alternativeOutOfRange(let index, let count):
            Words(.invalidValue, "variant index \(index), but the variant has \(Words.count(count, "type"))")
        case .invalidPresence(let byte): Words(.invalidValue, "an optional starts with \(byte) instead of 0 or 1")
        case .nestedAbsence: Words(.invalidValue, "an optional contains an absent optional")
        case .depthExceeded(let limit): Words(.tooLarge, "nested deeper than \(limit) levels")
        case .tooManyEmptyElements(let limit): Words(.tooLarge, "more than \(limit) elements that take no bytes")
        case .tooManyElements: Words(.tooLarge, "more elements than can be counted in 32 bits")
        case .wrongElementCount(let expected, let found):
            Words(
                .invalidValue, "\(found.map { "\($0) instead of" } ?? "more than") \(Words.count(expected, "element"))")
        case .outputTooLong(let limit):
            Words(
                .tooLarge, "the result would have more than \(Words.count(limit, "byte"))",
                hint: "this ABI expands a few bytes to very many: check where it comes from")
        }
    }

    private static func words(_ reason: ABIError.BuiltIn) -> Words {
        switch reason {
        case .invalidBoolean(let byte): Words(.invalidValue, "a bool is \(byte) instead of 0 or 1")
        case .invalidInteger(let type): Words(.invalidValue, "\(type): not an integer")
        case .integerOutOfRange(let type): Words(.invalidValue, "\(type): out of range", hint: Words.range(of: type))
        case .invalidFloat: Words(.invalidValue, "not a number")
        case .floatOutOfRange(let type): Words(.invalidValue, "\(type): out of range")
        case .unprintableNaN: Words(.invalidValue, "a NaN with no text form")
        case .nameTooLong: Words(.invalidValue, "name: more than 13 characters")
        case .invalidNameCharacter(let offset): Words(.invalidValue, "name: character \(offset + 1) is not allowed")
        case .unprintableName: Words(.invalidValue, "name: it ends with a dot, or its 13th character is after j")
        case .invalidAsset: Words(.invalidValue, "asset: not of the form 1.0000 EOS")
        case .moreThan18Decimals(let type):
            Words(.invalidValue, "\(type): more than 18 decimals")
        case .amountOutOfRange: Words(.invalidValue, "asset: the amount is 2^62 or more")
        case .invalidSymbol: Words(.invalidValue, "symbol: not of the form 4,EOS")
        case .invalidSymbolCode: Words(.invalidValue, "symbol_code: not 1 to 7 letters A to Z")
        case .invalidTime(let type):
            Words(.invalidValue, "\(type): not of the form 2026-12-01T00:00:00, or not a real date")
        case .unprintableTime: Words(.invalidValue, "a time with no text form")
        case .invalidHexDigit(let offset): Words(.invalidEncoding, "character \(offset + 1) is not a hex digit")
        case .oddHexLength(let count): Words(.invalidEncoding, "an odd number of hex digits: \(count)")
        case .wrongHexLength(let bytes, let expected):
            Words(.invalidValue, "the hex has \(Words.count(bytes, "byte")) instead of \(expected)")
        case .invalidBit(let offset): Words(.invalidValue, "bitset: character \(offset + 1) is neither 0 nor 1")
        case .keyTooLong(let limit):
            Words(
                .tooLarge, "the text of this key or signature would have more than \(Words.count(limit, "character"))",
                hint: "wallets make no key or signature of this length: check where it comes from")
        case .unusedBits: Words(.invalidValue, "bitset: a bit after its end is set")
        }
    }

    private static func words(_ reason: ABIError.DefinitionFault) -> Words {
        switch reason {
        case .unsupportedVersion(let version):
            Words(.invalidABI, "ABI version `\(Printable.excerpt(version))` is not supported")
        case .duplicateDefinition(let kind, let name):
            Words(.invalidABI, "the \(kind.name) `\(Printable.excerpt(name))` is defined twice")
        case .typeExists(let name):
            Words(
                .invalidABI,
                "the type `\(Printable.excerpt(name))` already exists, and an alias can't have its name")
        case .unknownType(""): Words(.invalidABI, "a type is empty or missing")
        case .unknownType(let name): Words(.invalidABI, "the type `\(Printable.excerpt(name))` is unknown")
        case .circularAlias(let name): Words(.invalidABI, "the alias `\(Printable.excerpt(name))` refers to itself")
        case .circularBase(let name): Words(.invalidABI, "the struct `\(Printable.excerpt(name))` is its own base")
        case .baseIsNotStruct(let name): Words(.invalidABI, "the base `\(Printable.excerpt(name))` is not a struct")
        case .misplacedExtension(let name):
            Words(
                .invalidABI,
                "`\(Printable.excerpt(name))`: `$` is allowed only after the type of a struct field")
        case .typeTooDeep(let limit): Words(.tooLarge, "more than \(limit) nested type suffixes, aliases or bases")
        case .tooManyEmptyFields(let name):
            Words(.tooLarge, "`\(Printable.excerpt(name))` has too many fields that take no bytes")
        case .definitionTooLong(let limit):
            Words(.tooLarge, "a name or type has more than \(Words.count(limit, "byte"))")
        case .tooManyDefinitions(let limit):
            Words(.tooLarge, "more than \(limit) definitions, fields or alternatives")
        case .tooManyFields(let limit):
            Words(.tooLarge, "a struct has more than \(limit) fields, including the fields of its bases")
        case .fieldTakesNoBytes(let name):
            Words(.undecodable, "the field `\(Printable.excerpt(name))` takes no bytes", hint: Words.madeByHand)
        case .redefinedType(let name):
            Words(
                .undecodable,
                "the ABI defines a struct `\(Printable.excerpt(name))`, which is the name of a built-in type",
                hint: Words.madeByHand)
        case .unprintableDefinition(let name):
            Words(
                .undecodable,
                name.isEmpty
                    ? "a field has an empty name"
                    : "the name `\(Printable.excerpt(name))` has characters that are not printable ASCII, or spaces",
                hint: Words.madeByHand)
        case .numericDefinition(let name):
            Words(
                .undecodable, "the type name `\(Printable.excerpt(name))` looks like an amount",
                hint: Words.madeByHand)
        case .actionIsNotStruct(let type):
            Words(
                .undecodable, "the action's type `\(Printable.excerpt(type))` is not a struct",
                hint: Words.madeByHand)
        case .notAnABI:
            Words(
                .invalidABI, "neither a JSON ABI nor a raw ABI",
                hint: "a raw ABI is bytes, hex or base64, without a prefix")
        case .notRawABI:
            Words(
                .invalidABI, "not a raw ABI in base64 or hex",
                hint: "if the account has no contract, the node gives an empty ABI: check the account name")
        case .hashMismatch: Words(.abiHash, "the ABI does not match its hash")
        }
    }
}

extension Words {
    fileprivate static let madeByHand = "no compiler makes such an ABI: check where it comes from"

    /// The smallest and the largest value of an integer type.
    fileprivate static func range(of type: String) -> String {
        guard let bits = Int(type.drop { !$0.isNumber }), (8...128).contains(bits) else {
            return "the limits depend on the type"
        }
        if type.contains("uint") { return "0 to \(UInt128.max >> UInt128(128 - bits))" }
        let most = UInt128.max >> UInt128(129 - bits)
        return "-\(most + 1) to \(most)"
    }

}

extension ABIError.Step {
    /// The step, with a long name shortened.
    fileprivate var excerpt: ABIError.Step {
        guard case .field(let name) = self else { return self }
        return .field(Printable.excerpt(name))
    }
}

extension ABIError.Expectation {
    fileprivate var name: String {
        switch self {
        case .boolean: "true or false"
        case .integer: "an integer"
        case .float: "a number"
        case .text: "a string"
        case .object: "an object"
        case .array: "an array"
        case .variant: "[\"type\", value]"
        }
    }
}

extension ABIError.Definition {
    fileprivate var name: String {
        switch self {
        case .type: "type"
        case .alternative: "alternative"
        case .action: "action"
        case .table: "table"
        case .actionResult: "action result"
        case .errorMessage: "error message"
        case .call: "call"
        }
    }
}

extension JSONKind {
    var name: String {
        switch self {
        case .null: "null"
        case .boolean: "true or false"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
