import ABICodec
import JSON

extension Words {
    init(_ error: ABIError) {
        let words = Words(error.reason)
        let path = Printable.line(ABIError.text(of: error.path.map(\.excerpt)))
        self = path.isEmpty ? words : words.at(path)
    }

    private init(_ reason: ABIError.Reason) {
        self =
            switch reason {
            case .input(let reason): Words(reason)
            case .shape(let reason): Words(reason)
            case .builtIn(let reason): Words(reason)
            case .definition(let reason): Words(reason)
            }
    }

    private init(_ reason: ABIError.Input) {
        self =
            switch reason {
            case .json(let error): Words(error)
            case .bytes(let error): Words(error)
            case .keyText(let error): Words(error, kind: .any)
            case .curve(let error): Words(error)
            case .expected(let expectation, let found):
                Words("wrong-type", "expected \(expectation.name), found \(found.name)")
            case .invalidUTF8: Words("invalid-utf8", "the text is not UTF-8")
            }
    }

    private init(_ reason: ABIError.Shape) {
        self =
            switch reason {
            case .missingField(let name): Words("missing-field", "the field `\(Printable.excerpt(name))` is missing")
            case .unknownField(let name): Words("unknown-field", "the field `\(Printable.excerpt(name))` is unknown")
            case .duplicateField(let name):
                Words("duplicate-field", "the field `\(Printable.excerpt(name))` occurs twice")
            case .fieldAfterMissingExtension(let name):
                Words(
                    "extension-gap",
                    "the binary extension `\(Printable.excerpt(name))` is missing, but a field after it is present")
            case .unknownAlternative(let name):
                Words("unknown-alternative", "the variant has no type `\(Printable.excerpt(name))`")
            case .alternativeOutOfRange(let index, let count):
                Words(
                    "unknown-alternative", "variant index \(index), but the variant has \(Words.count(count, "type"))")
            case .invalidPresence(let byte):
                Words("invalid-optional", "an optional starts with \(byte) instead of 0 or 1")
            case .nestedAbsence: Words("nested-absence", "an optional contains an absent optional")
            case .depthExceeded(let limit): Words("too-deep", "nested deeper than \(limit) levels")
            case .tooManyEmptyElements(let limit):
                Words("too-many-elements", "more than \(limit) elements that take no bytes")
            case .tooManyElements: Words("too-many-elements", "more elements than can be counted in 32 bits")
            case .wrongElementCount(let expected, let found):
                Words(
                    "wrong-length",
                    "\(found.map { "\($0) instead of" } ?? "more than") \(Words.count(expected, "element"))")
            case .outputTooLong(let limit):
                Words(
                    "too-long", "the result would have more than \(Words.count(limit, "byte"))",
                    hint: "this ABI expands a few bytes to very many: check where it comes from")
            }
    }

    private init(_ reason: ABIError.BuiltIn) {
        self =
            switch reason {
            case .invalidBoolean(let byte): Words("invalid-bool", "a bool is \(byte) instead of 0 or 1")
            case .invalidInteger(let type):
                Words(
                    "invalid-integer", "\(type): not an integer",
                    hint: "give only digits, with a minus sign if the type is signed")
            case .integerOutOfRange(let type):
                Words("out-of-range", "\(type): out of range", hint: Words.range(of: type))
            case .invalidFloat: Words("invalid-float", "not a number")
            case .floatOutOfRange(let type): Words("out-of-range", "\(type): out of range")
            case .unprintableNaN: Words("unprintable", "a NaN with no text form")
            case .nameTooLong: Words("invalid-name", "name: more than 13 characters", hint: Words.nameHint)
            case .invalidNameCharacter(let offset):
                Words("invalid-name", "name: character \(offset + 1) is not allowed", hint: Words.nameHint)
            case .unprintableName:
                Words(
                    "invalid-name", "name: it ends with a dot, or its 13th character is after j", hint: Words.nameHint)
            case .invalidAsset: Words("invalid-asset", "asset: not of the form 1.0000 EOS")
            case .moreThan18Decimals(let type):
                Words(type == "symbol" ? "invalid-symbol" : "invalid-asset", "\(type): more than 18 decimals")
            case .amountOutOfRange: Words("out-of-range", "asset: the amount is 2^62 or more")
            case .invalidSymbol: Words("invalid-symbol", "symbol: not of the form 4,EOS")
            case .invalidSymbolCode: Words("invalid-symbol", "symbol_code: not 1 to 7 letters A to Z")
            case .invalidTime(let type):
                Words(
                    "invalid-time", "\(type): not of the form 2026-12-01T00:00:00, or not a real date",
                    hint: "give the time in UTC, without a time zone")
            case .unprintableTime: Words("unprintable", "a time with no text form")
            case .invalidHexDigit(let offset): Words("invalid-hex", "character \(offset + 1) is not a hex digit")
            case .oddHexLength(let count): Words("odd-hex", "an odd number of hex digits: \(count)")
            case .wrongHexLength(let bytes, let expected):
                Words("wrong-length", "the hex has \(Words.count(bytes, "byte")) instead of \(expected)")
            case .invalidBit(let offset): Words("invalid-bitset", "bitset: character \(offset + 1) is neither 0 nor 1")
            case .keyTooLong(let limit):
                Words(
                    "too-long",
                    "the text of this key or signature would have more than \(Words.count(limit, "character"))",
                    hint: "wallets make no key or signature of this length: check where it comes from")
            case .unusedBits: Words("invalid-bitset", "bitset: a bit after its end is set")
            }
    }

    private init(_ reason: ABIError.DefinitionFault) {
        self =
            switch reason {
            case .unsupportedVersion(let version):
                Words(
                    "abi-version", "ABI version `\(Printable.excerpt(version))` is not supported",
                    hint: "the supported versions are eosio::abi/1.0 to 1.3")
            case .duplicateDefinition(let kind, let name):
                Words("abi-duplicate", "the \(kind.name) `\(Printable.excerpt(name))` is defined twice")
            case .typeExists(let name):
                Words(
                    "abi-type-exists",
                    "the type `\(Printable.excerpt(name))` already exists, and an alias can't have its name")
            case .unknownType(""): Words("unknown-type", "a type is empty or missing")
            case .unknownType(let name): Words("unknown-type", "the type `\(Printable.excerpt(name))` is unknown")
            case .circularAlias(let name):
                Words("circular-alias", "the alias `\(Printable.excerpt(name))` refers to itself")
            case .circularBase(let name):
                Words("circular-base", "the struct `\(Printable.excerpt(name))` is its own base")
            case .baseIsNotStruct(let name):
                Words("invalid-base", "the base `\(Printable.excerpt(name))` is not a struct")
            case .misplacedExtension(let name):
                Words(
                    "misplaced-extension",
                    "`\(Printable.excerpt(name))`: `$` is allowed only after the type of a struct field")
            case .typeTooDeep(let limit):
                Words("abi-too-long", "more than \(limit) nested type suffixes, aliases or bases")
            case .tooManyEmptyFields(let name):
                Words("abi-too-long", "`\(Printable.excerpt(name))` has too many fields that take no bytes")
            case .definitionTooLong(let limit):
                Words("abi-too-long", "a name or type has more than \(Words.count(limit, "byte"))")
            case .tooManyDefinitions(let limit):
                Words("abi-too-long", "more than \(limit) definitions, fields or alternatives")
            case .tooManyFields(let limit):
                Words("abi-too-long", "a struct has more than \(limit) fields, including the fields of its bases")
            case .notAnABI:
                Words(
                    "not-an-abi", "neither a JSON ABI nor a raw ABI",
                    hint: "a raw ABI is bytes, hex or base64, without a prefix")
            case .notRawABI:
                Words(
                    "not-an-abi", "not a raw ABI in base64 or hex",
                    hint: "if the account has no contract, the node gives an empty ABI: check the account name")
            case .hashMismatch:
                Words(
                    "abi-hash", "the ABI does not match its hash",
                    hint: "part of it was lost or changed: fetch it again")
            }
    }

    /// The smallest and the largest value of an integer type.
    private static func range(of type: String) -> String {
        guard let bits = Int(type.drop { !$0.isNumber }), (8...128).contains(bits) else {
            return "the limits depend on the type"
        }
        if type.contains("uint") { return "0 to \(UInt128.max >> UInt128(128 - bits))" }
        let most = UInt128.max >> UInt128(129 - bits)
        return "-\(most + 1) to \(most)"
    }

    fileprivate static let nameHint =
        "a name has up to 12 characters (a to z, 1 to 5, dots), and maybe a 13th (a to j, 1 to 5)"

    static func text(of reason: JSONError.Reason) -> String {
        switch reason {
        case .unexpectedEnd: "the JSON ends too early"
        case .unexpectedByte(let byte):
            (0x21...0x7e).contains(byte) ? "unexpected `\(Character(Unicode.Scalar(byte)))`" : "unexpected byte \(byte)"
        case .byteOrderMark: "a byte order mark, which JSON does not allow"
        case .trailingBytes: "something follows the end of the JSON"
        case .leadingZero: "a number has a leading zero"
        case .missingDigits: "a number lacks digits"
        case .controlCharacter(let byte): "control character \(byte) in a string"
        case .invalidUTF8: "the text is not UTF-8"
        case .invalidEscape: "an escape sequence that JSON does not allow"
        case .loneSurrogate: "half of a surrogate pair"
        case .duplicateKey: "a member name occurs twice in an object"
        case .tooDeep(let limit): "nested deeper than \(limit) levels"
        case .tooLong(let limit): "more than \(limit) bytes"
        }
    }
}

extension ABIWarning {
    /// A warning of one line about an ABI that can still be used.
    var text: String {
        switch self {
        case .fieldAfterExtension(let type, let field, let name):
            "\(Printable.excerpt(type)): `\(Printable.excerpt(field))` is after the extension "
                + "`\(Printable.excerpt(name))`, which therefore can't be omitted"
        case .notUsed(let kind, let name, let other):
            "the \(kind.words) `\(Printable.excerpt(name))` is not used: nodes use the \(other.words) of this name"
        case .ownBitset(let version):
            "the ABI's own `bitset` is used: version \(version) has no built-in type of this name"
        case .unusable(let flaw):
            "\(Words(flaw).message): actions that need this type can't be decoded"
        case .notUTF8(let place):
            "\(place): the text is not UTF-8, so the JSON has U+FFFD in it; no action needs this text"
        }
    }

    /// For programs. A code never changes.
    var code: String {
        switch self {
        case .fieldAfterExtension: "abi-field-after-extension"
        case .notUsed: "abi-name-taken"
        case .ownBitset: "abi-own-bitset"
        case .unusable: "abi-unusable-type"
        case .notUTF8: "abi-not-utf8"
        }
    }
}

extension ABIWarning.NamedType {
    fileprivate var words: String {
        switch self {
        case .builtIn: "built-in type"
        case .alias: "alias"
        case .variant: "variant"
        case .structure: "struct"
        }
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
    fileprivate var name: String {
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
