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
            Words(.wrongType, "expected \(expectation.name), found \(found.name)")
        case .invalidUTF8: Words(.invalidUTF8, "the text is not UTF-8")
        }
    }

    private static func words(_ reason: ABIError.Shape) -> Words {
        switch reason {
        case .missingField(let name): Words(.missingField, "the field `\(Printable.excerpt(name))` is missing")
        case .unknownField(let name): Words(.unknownField, "the field `\(Printable.excerpt(name))` is unknown")
        case .duplicateField(let name): Words(.duplicateField, "the field `\(Printable.excerpt(name))` occurs twice")
        case .fieldAfterMissingExtension(let name):
            Words(
                .extensionGap,
                "the binary extension `\(Printable.excerpt(name))` is missing, but a field after it is present")
        case .unknownAlternative(let name):
            Words(.unknownAlternative, "the variant has no type `\(Printable.excerpt(name))`")
        case .alternativeOutOfRange(let index, let count):
            Words(.unknownAlternative, "variant index \(index), but the variant has \(Words.count(count, "type"))")
        case .invalidPresence(let byte): Words(.invalidOptional, "an optional starts with \(byte) instead of 0 or 1")
        case .nestedAbsence: Words(.nestedAbsence, "an optional contains an absent optional")
        case .depthExceeded(let limit): Words(.tooDeep, "nested deeper than \(limit) levels")
        case .tooManyEmptyElements(let limit): Words(.tooManyElements, "more than \(limit) elements that take no bytes")
        case .tooManyElements: Words(.tooManyElements, "more elements than can be counted in 32 bits")
        case .wrongElementCount(let expected, let found):
            Words(
                .wrongLength, "\(found.map { "\($0) instead of" } ?? "more than") \(Words.count(expected, "element"))")
        case .outputTooLong(let limit):
            Words(
                .tooLong, "the result would have more than \(Words.count(limit, "byte"))",
                hint: "this ABI expands a few bytes to very many: check where it comes from")
        }
    }

    private static func words(_ reason: ABIError.BuiltIn) -> Words {
        switch reason {
        case .invalidBoolean(let byte): Words(.invalidBool, "a bool is \(byte) instead of 0 or 1")
        case .invalidInteger(let type): Words(.invalidInteger, "\(type): not an integer")
        case .integerOutOfRange(let type): Words(.outOfRange, "\(type): out of range", hint: Words.range(of: type))
        case .invalidFloat: Words(.invalidFloat, "not a number")
        case .floatOutOfRange(let type): Words(.outOfRange, "\(type): out of range")
        case .unprintableNaN: Words(.unprintable, "a NaN with no text form")
        case .nameTooLong: Words(.invalidName, "name: more than 13 characters")
        case .invalidNameCharacter(let offset): Words(.invalidName, "name: character \(offset + 1) is not allowed")
        case .unprintableName: Words(.invalidName, "name: it ends with a dot, or its 13th character is after j")
        case .invalidAsset: Words(.invalidAsset, "asset: not of the form 1.0000 EOS")
        case .moreThan18Decimals(let type):
            Words(type == "symbol" ? .invalidSymbol : .invalidAsset, "\(type): more than 18 decimals")
        case .amountOutOfRange: Words(.outOfRange, "asset: the amount is 2^62 or more")
        case .invalidSymbol: Words(.invalidSymbol, "symbol: not of the form 4,EOS")
        case .invalidSymbolCode: Words(.invalidSymbol, "symbol_code: not 1 to 7 letters A to Z")
        case .invalidTime(let type):
            Words(.invalidTime, "\(type): not of the form 2026-12-01T00:00:00, or not a real date")
        case .unprintableTime: Words(.unprintable, "a time with no text form")
        case .invalidHexDigit(let offset): Words(.invalidHex, "character \(offset + 1) is not a hex digit")
        case .oddHexLength(let count): Words(.oddHex, "an odd number of hex digits: \(count)")
        case .wrongHexLength(let bytes, let expected):
            Words(.wrongLength, "the hex has \(Words.count(bytes, "byte")) instead of \(expected)")
        case .invalidBit(let offset): Words(.invalidBitset, "bitset: character \(offset + 1) is neither 0 nor 1")
        case .keyTooLong(let limit):
            Words(
                .tooLong, "the text of this key or signature would have more than \(Words.count(limit, "character"))",
                hint: "wallets make no key or signature of this length: check where it comes from")
        case .unusedBits: Words(.invalidBitset, "bitset: a bit after its end is set")
        }
    }

    private static func words(_ reason: ABIError.DefinitionFault) -> Words {
        switch reason {
        case .unsupportedVersion(let version):
            Words(.abiVersion, "ABI version `\(Printable.excerpt(version))` is not supported")
        case .duplicateDefinition(let kind, let name):
            Words(.abiDuplicate, "the \(kind.name) `\(Printable.excerpt(name))` is defined twice")
        case .typeExists(let name):
            Words(
                .abiTypeExists,
                "the type `\(Printable.excerpt(name))` already exists, and an alias can't have its name")
        case .unknownType(""): Words(.unknownType, "a type is empty or missing")
        case .unknownType(let name): Words(.unknownType, "the type `\(Printable.excerpt(name))` is unknown")
        case .circularAlias(let name): Words(.circularAlias, "the alias `\(Printable.excerpt(name))` refers to itself")
        case .circularBase(let name): Words(.circularBase, "the struct `\(Printable.excerpt(name))` is its own base")
        case .baseIsNotStruct(let name): Words(.invalidBase, "the base `\(Printable.excerpt(name))` is not a struct")
        case .misplacedExtension(let name):
            Words(
                .misplacedExtension,
                "`\(Printable.excerpt(name))`: `$` is allowed only after the type of a struct field")
        case .typeTooDeep(let limit): Words(.abiTooLong, "more than \(limit) nested type suffixes, aliases or bases")
        case .tooManyEmptyFields(let name):
            Words(.abiTooLong, "`\(Printable.excerpt(name))` has too many fields that take no bytes")
        case .definitionTooLong(let limit):
            Words(.abiTooLong, "a name or type has more than \(Words.count(limit, "byte"))")
        case .tooManyDefinitions(let limit):
            Words(.abiTooLong, "more than \(limit) definitions, fields or alternatives")
        case .tooManyFields(let limit):
            Words(.abiTooLong, "a struct has more than \(limit) fields, including the fields of its bases")
        case .fieldTakesNoBytes(let name):
            Words(.abiUnusableType, "the field `\(Printable.excerpt(name))` takes no bytes", hint: Words.madeByHand)
        case .redefinedType(let name):
            Words(
                .abiUnusableType,
                "the ABI defines a struct `\(Printable.excerpt(name))`, which is the name of a built-in type",
                hint: Words.madeByHand)
        case .unprintableDefinition(let name):
            Words(
                .abiUnusableType,
                name.isEmpty
                    ? "a field has an empty name"
                    : "the name `\(Printable.excerpt(name))` has characters that are not printable ASCII, or spaces",
                hint: Words.madeByHand)
        case .numericDefinition(let name):
            Words(
                .abiUnusableType, "the type name `\(Printable.excerpt(name))` looks like an amount",
                hint: Words.madeByHand)
        case .actionIsNotStruct(let type):
            Words(
                .abiUnusableType, "the action's type `\(Printable.excerpt(type))` is not a struct",
                hint: Words.madeByHand)
        case .notAnABI:
            Words(
                .notAnABI, "neither a JSON ABI nor a raw ABI",
                hint: "a raw ABI is bytes, hex or base64, without a prefix")
        case .notRawABI:
            Words(
                .notAnABI, "not a raw ABI in base64 or hex",
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
