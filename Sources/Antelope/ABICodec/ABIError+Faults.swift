import Messages

extension ABIError {
    /// The value of a built-in type is invalid.
    package struct BuiltIn: Equatable, Sendable {
        let code: ErrorCode
        let text: String
        let hint: String?

        init(_ text: String, code: ErrorCode = .invalidValue, hint: String? = nil) {
            (self.code, self.text, self.hint) = (code, text, hint)
        }

        package static func invalidBoolean(_ byte: UInt8) -> Self {
            Self("a bool is \(byte) instead of 0 or 1")
        }
        package static func invalidInteger(type: String) -> Self {
            Self(
                "\(type): not an integer",
                hint: "give only digits, with a minus sign before a negative number")
        }
        package static func integerOutOfRange(type: String) -> Self {
            Self("\(type): out of range", hint: range(of: type))
        }
        package static let invalidFloat = Self("not a number")
        package static func floatOutOfRange(type: String) -> Self { Self("\(type): out of range") }
        package static let unprintableNaN = Self("a NaN with no text form")
        package static let nameTooLong = Self("name: more than 13 characters", hint: nameRule)
        package static func invalidNameCharacter(offset: Int) -> Self {
            Self("name: character \(offset + 1) is not allowed", hint: nameRule)
        }
        /// It would not be printed as it was written.
        package static let unprintableName = Self(
            "name: it ends with a dot, or its 13th character is after j", hint: nameRule)
        private static let nameRule =
            "a name has up to 12 characters (a to z, 1 to 5, dots), and maybe a 13th (a to j, 1 to 5)"
        package static let invalidAsset = Self("asset: not of the form 1.0000 EOS")
        package static func moreThan18Decimals(type: String) -> Self {
            Self("\(type): more than 18 decimals")
        }
        package static let amountOutOfRange = Self("asset: the amount is 2^62 or more")
        package static let invalidSymbol = Self("symbol: not of the form 4,EOS")
        package static let invalidSymbolCode = Self("symbol_code: not 1 to 7 letters A to Z")
        package static func invalidTime(type: String) -> Self {
            Self(
                "\(type): not of the form 2026-12-01T00:00:00, or not a real date",
                hint: "give the time in UTC, without a time zone")
        }
        /// It has a fraction of a millisecond, or is before 1970 or after 2106.
        package static let unprintableTime = Self("a time with no text form")
        package static func invalidHexDigit(offset: Int) -> Self {
            Self("character \(offset + 1) is not a hex digit", code: .invalidEncoding)
        }
        package static func oddHexLength(count: Int) -> Self {
            Self("an odd number of hex digits: \(count)", code: .invalidEncoding)
        }
        package static func wrongHexLength(bytes: Int, expected: Int) -> Self {
            Self("the hex has \(Words.count(bytes, "byte")) instead of \(expected)")
        }
        package static func invalidBit(offset: Int) -> Self {
            Self("bitset: character \(offset + 1) is neither 0 nor 1")
        }
        package static let unusedBits = Self("bitset: a bit after its end is set")
        package static func keyTooLong(limit: Int) -> Self {
            Self(
                "the text of this key or signature would have more than \(Words.count(limit, "character"))",
                code: .tooLarge,
                hint: "wallets make no key or signature of this length: check where it comes from")
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
    }

    /// The ABI itself is invalid.
    package struct DefinitionFault: Equatable, Sendable {
        let code: ErrorCode
        let text: String
        let hint: String?

        init(_ text: String, code: ErrorCode = .invalidABI, hint: String? = nil) {
            (self.code, self.text, self.hint) = (code, text, hint)
        }

        /// A fault of the definition with this name. The text has `%` for the name.
        private static func of(_ name: String, _ text: String, hint: String? = nil) -> Self {
            Self(text.replacing("%", with: "`\(Printable.excerpt(name))`"), hint: hint)
        }

        package static func unsupportedVersion(_ version: String) -> Self {
            of(
                version, "ABI version % is not supported",
                hint: "the supported versions are eosio::abi/1.0 to 1.3")
        }
        package static func duplicateDefinition(_ kind: Definition, _ name: String) -> Self {
            of(name, "the \(kind.rawValue) % is defined twice")
        }
        /// An alias has the name of a built-in type, or of a composed type whose base is defined.
        package static func typeExists(_ name: String) -> Self {
            of(name, "the type % already exists, and an alias can't have its name")
        }
        package static func unknownType(_ name: String) -> Self {
            of(name, name.isEmpty ? "a type is empty or missing" : "the type % is unknown")
        }
        package static func circularAlias(_ name: String) -> Self { of(name, "the alias % refers to itself") }
        package static func circularBase(_ name: String) -> Self { of(name, "the struct % is its own base") }
        package static func baseIsNotStruct(_ name: String) -> Self { of(name, "the base % is not a struct") }
        package static func misplacedExtension(_ type: String) -> Self {
            of(type, "%: `$` is allowed only after the type of a struct field")
        }
        package static let notAnABI = Self(
            "neither a JSON ABI nor a raw ABI", hint: "a raw ABI is bytes, hex or base64, without a prefix")
        package static let notRawABI = Self(
            "not a raw ABI in base64 or hex",
            hint: "if the account has no contract, the node gives an empty ABI: check the account name")
        /// In a node's answer.
        package static let hashMismatch = Self("the ABI does not match its hash", code: .abiHash)

        // MARK: - limits

        private static func tooLarge(_ text: String) -> Self { Self(text, code: .tooLarge) }

        package static func typeTooDeep(limit: Int) -> Self {
            tooLarge("more than \(limit) nested type suffixes, aliases or bases")
        }
        package static func tooManyEmptyFields(_ name: String) -> Self {
            tooLarge("`\(Printable.excerpt(name))` has too many fields that take no bytes")
        }
        package static func definitionTooLong(limit: Int) -> Self {
            tooLarge("a name or type has more than \(Words.count(limit, "byte"))")
        }
        package static func tooManyDefinitions(limit: Int) -> Self {
            tooLarge("more than \(limit) definitions, fields or alternatives")
        }
        package static func tooManyFields(limit: Int) -> Self {
            tooLarge("a struct has more than \(limit) fields, including the fields of its bases")
        }

        // MARK: - what an action must not be decoded with

        private static func misleading(_ text: String) -> Self {
            Self(
                text, code: .undecodable, hint: "no compiler makes such an ABI: check where it comes from")
        }

        /// Its name could state anything about the data.
        package static func fieldTakesNoBytes(_ name: String) -> Self {
            misleading("the field `\(Printable.excerpt(name))` takes no bytes")
        }
        /// nodeos uses the built-in type instead.
        package static func redefinedType(_ name: String) -> Self {
            misleading(
                "the ABI defines a struct `\(Printable.excerpt(name))`, which is the name of a built-in type")
        }
        package static func unprintableDefinition(_ name: String) -> Self {
            misleading(
                name.isEmpty
                    ? "a field has an empty name"
                    : "the name `\(Printable.excerpt(name))` has characters that are not printable ASCII, or spaces"
            )
        }
        /// It starts with a digit, a sign or a dot.
        package static func numericDefinition(_ name: String) -> Self {
            misleading("the type name `\(Printable.excerpt(name))` looks like an amount")
        }
        package static func actionIsNotStruct(type: String) -> Self {
            misleading("the action's type `\(Printable.excerpt(type))` is not a struct")
        }
    }

    /// The lists of an ABI whose names must be unique.
    package enum Definition: String, Sendable {
        case type, alternative, action, table
        case actionResult = "action result"
        case errorMessage = "error message"
        case call
    }
}
