import Codecs
import JSON
import Keys

/// Why a definition, a value or its bytes are refused, and at which place in the value.
package struct ABIError: Error, Equatable {
    package let reason: Reason
    /// The steps from the outermost value to the part with the error.
    package var path: [Step] { reversedPath.reversed() }
    /// Innermost step first: each level appends its step while the error is rethrown.
    private var reversedPath: [Step] = []

    /// A step from a value to one of its parts.
    package enum Step: Equatable, Sendable {
        /// A field of a struct, or a member of a definition.
        case field(String)
        /// An element of an array, counted from 0.
        case element(Int)
    }

    package init(_ reason: Reason) { self.reason = reason }

    /// The same error with one more outer step in its path.
    package func inside(_ step: Step) -> ABIError {
        var error = self
        error.reversedPath.append(step)
        return error
    }

    /// The path as text, such as `keys[2].weight`; empty for the value itself.
    package var pathText: String { Self.text(of: path) }

    /// The text of a path, such as `keys[2].weight`.
    package static func text(of path: [Step]) -> String {
        path.reduce(into: "") { text, step in
            switch step {
            case .field(let name): text += text.isEmpty ? name : "." + name
            case .element(let index): text += "[\(index)]"
            }
        }
    }
}

/// Runs a step and adds the name of an ABI's list to the path of its error.
package func inside<Result>(_ list: String, _ step: () throws(ABIError) -> Result) throws(ABIError) -> Result {
    do { return try step() } catch { throw error.inside(.field(list)) }
}

extension ABIError {
    package enum Reason: Equatable, Sendable {
        case input(Input)
        case shape(Shape)
        case builtIn(BuiltIn)
        case definition(DefinitionFault)
    }

    package init(_ reason: Input) { self.init(.input(reason)) }
    package init(_ reason: Shape) { self.init(.shape(reason)) }
    package init(_ reason: BuiltIn) { self.init(.builtIn(reason)) }
    package init(_ reason: DefinitionFault) { self.init(.definition(reason)) }

    package static func json(_ error: JSONError) -> ABIError { ABIError(Input.json(error)) }
    package static func bytes(_ error: CodecError) -> ABIError { ABIError(Input.bytes(error)) }
    static func curve(_ error: CurveError) -> ABIError { ABIError(Input.curve(error)) }

    /// The text or the bytes can't be read.
    package enum Input: Equatable, Sendable {
        /// The text is not JSON.
        case json(JSONError)
        /// The bytes end early, continue after the value, or contain a padded varuint.
        case bytes(CodecError)
        case keyText(KeyTextError)
        /// Bytes that are not a valid binary public key or signature.
        case curve(CurveError)
        /// The JSON has a value of another kind.
        case expected(Expectation, found: JSONKind)
        case invalidUTF8
    }

    /// The value does not have the shape of its type.
    package enum Shape: Equatable, Sendable {
        /// A missing struct field that is neither optional nor an extension at the end.
        case missingField(String)
        case unknownField(String)
        case duplicateField(String)
        /// A field is present although the binary extension before it was omitted.
        case fieldAfterMissingExtension(String)
        /// A value of a type that the variant does not have.
        case unknownAlternative(String)
        /// A binary variant index that is not less than `count`, the number of types.
        case alternativeOutOfRange(index: UInt32, count: Int)
        /// The byte before an optional is neither 0 nor 1.
        case invalidPresence(UInt8)
        /// An optional that is present and contains an absent optional. JSON has no text for this
        /// value.
        case nestedAbsence
        /// Structs, arrays, optionals and variants are nested too deeply.
        case depthExceeded(limit: Int)
        /// An array has too many elements that take no bytes.
        case tooManyEmptyElements(limit: Int)
        case tooManyElements
        /// The array does not have the N elements of `T[N]`.
        /// - Parameter found: nil when there are more than N.
        case wrongElementCount(expected: Int, found: Int?)
        /// The output is too long for the input. Absent fields, long names or values of no bytes
        /// can cause this.
        case outputTooLong(limit: Int)
    }

    /// The value of a built-in type is invalid.
    package enum BuiltIn: Equatable, Sendable {
        case invalidBoolean(UInt8)
        /// Text that is not of the form `-?[0-9]+`.
        case invalidInteger(type: String)
        case integerOutOfRange(type: String)
        case invalidFloat
        case floatOutOfRange(type: String)
        /// A NaN whose bits have no text form.
        case unprintableNaN
        case nameTooLong
        case invalidNameCharacter(offset: Int)
        /// The name ends with a dot, or its 13th character is beyond `j`. It would not be printed
        /// as it was written.
        case unprintableName
        case invalidAsset
        case moreThan18Decimals(type: String)
        /// The amount's magnitude is 2^62 or more.
        case amountOutOfRange
        case invalidSymbol
        case invalidSymbolCode
        /// The text does not have the form `YYYY-MM-DDThh:mm:ss`, with a fraction where the type
        /// allows one, or the date does not exist.
        case invalidTime(type: String)
        /// A binary time without a text form: it has a fraction of a millisecond, or is before 1970
        /// or after 2106.
        case unprintableTime
        case invalidHexDigit(offset: Int)
        case oddHexLength(count: Int)
        /// Hex text with a wrong number of bytes.
        case wrongHexLength(bytes: Int, expected: Int)
        /// A character other than 0 and 1 in the text of a bitset.
        case invalidBit(offset: Int)
        /// A binary bitset whose unused bits in the last byte are not zero.
        case unusedBits
        /// A binary WebAuthn key or signature whose base58 text would exceed the limit for reading.
        case keyTooLong(limit: Int)
    }

    /// The ABI itself is invalid.
    package enum DefinitionFault: Equatable, Sendable {
        /// Not one of `eosio::abi/1.0` to `eosio::abi/1.3`.
        case unsupportedVersion(String)
        case duplicateDefinition(Definition, String)
        /// An alias has the name of a built-in type, or of a composed type whose base is defined.
        case typeExists(String)
        case unknownType(String)
        case circularAlias(String)
        case circularBase(String)
        /// The base of a struct is not a struct.
        case baseIsNotStruct(String)
        /// `$` in a place other than the end of a struct field's type.
        case misplacedExtension(String)
        /// A type has more suffixes than the nesting limit, or a chain of aliases or bases is
        /// longer than it.
        case typeTooDeep(limit: Int)
        /// A struct that takes no bytes and contains more structs than the limit.
        case tooManyEmptyFields(String)
        /// A name or a type exceeds the limit in bytes.
        case definitionTooLong(limit: Int)
        /// The number of definitions, of fields (those of bases included) or of alternatives
        /// exceeds the limit.
        case tooManyDefinitions(limit: Int)
        /// The number of fields of a struct, those of its bases included, exceeds the limit.
        case tooManyFields(limit: Int)
        /// A field whose value takes no bytes. Its name could state anything about the data.
        case fieldTakesNoBytes(String)
        /// The ABI defines a struct with the name of a built-in type, which nodeos uses instead.
        /// For the data of actions.
        case redefinedType(String)
        /// A name of a struct, a field or an alternative that is empty or has a character that is a
        /// space or not printable ASCII.
        case unprintableDefinition(String)
        /// A name of a struct or an alternative that starts with a digit, a sign or a dot.
        case numericDefinition(String)
        /// The type of an action is not a struct, so its data has no fields.
        case actionIsNotStruct(type: String)
        /// The contents are neither a JSON object nor start as a raw ABI does.
        case notAnABI
        /// A raw ABI in hex or base64 is required, but the text does not start like a raw ABI.
        case notRawABI
        /// The hash in a node's answer differs from the hash of the ABI in it.
        case hashMismatch
    }

    /// The kind of value that was expected when the JSON had another kind.
    package enum Expectation: Equatable, Sendable {
        case boolean, integer, float, text, object, array
        /// `["type", value]`
        case variant
    }

    /// The lists of an ABI whose names must be unique.
    package enum Definition: Equatable, Sendable {
        case type, alternative, action, table, actionResult, errorMessage, call
    }
}
