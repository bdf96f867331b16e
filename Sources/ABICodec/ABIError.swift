import Codecs
import Curves
import JSON
import KeyText

/// Why a definition, a value or its bytes are refused, and where in the value.
package struct ABIError: Error, Equatable {
    package let reason: Reason
    /// From the value that was given down to the one that is wrong.
    package var path: [Step] { reversedPath.reversed() }
    /// Grows at its end as the error goes up.
    private var reversedPath: [Step] = []

    /// A way from a value to a part of it.
    package enum Step: Equatable, Sendable {
        /// A field of a struct, or a member of a definition.
        case field(String)
        /// An element of an array, counted from 0.
        case element(Int)
    }

    package init(_ reason: Reason) { self.reason = reason }

    /// The same error, seen from one level further out.
    package func inside(_ step: Step) -> ABIError {
        var error = self
        error.reversedPath.append(step)
        return error
    }

    /// The path as a person writes it: `keys[2].weight`; empty for the value itself.
    package var pathText: String { Self.text(of: path) }

    /// `keys[2].weight` for its steps.
    package static func text(of path: [Step]) -> String {
        path.reduce(into: "") { text, step in
            switch step {
            case .field(let name): text += text.isEmpty ? name : "." + name
            case .element(let index): text += "[\(index)]"
            }
        }
    }
}

/// Runs a step, its error told as one inside a list of an ABI.
func inside<Result>(_ list: String, _ step: () throws(ABIError) -> Result) throws(ABIError) -> Result {
    do { return try step() } catch { throw error.inside(.field(list)) }
}

extension ABIError {
    package enum Reason: Equatable, Sendable {
        // MARK: texts and bytes

        /// The text is no JSON.
        case json(JSONError)
        /// The bytes end early, go on after the value, or hold a padded varuint.
        case bytes(CodecError)
        case keyText(KeyTextError)
        /// A binary public key or signature that is none.
        case curve(CurveError)
        /// Another kind of JSON value stands there.
        case expected(Expectation, found: JSONKind)
        case invalidUTF8

        // MARK: shapes of values

        /// A struct's field is left out that is neither optional nor an extension at the end.
        case missingField(String)
        case unknownField(String)
        case duplicateField(String)
        /// A field is there although the binary extension before it was left out.
        case fieldAfterMissingExtension(String)
        /// A value of a type that the variant does not have.
        case unknownAlternative(String)
        /// A binary variant index past the `count` types.
        case alternativeOutOfRange(index: UInt32, count: Int)
        /// The byte before an optional is neither 0 nor 1.
        case invalidPresence(UInt8)
        /// An optional that is there and holds an optional that is not: its text would be that of
        /// neither.
        case nestedAbsence
        /// Structs, arrays, optionals and variants in each other.
        case depthExceeded(limit: Int)
        /// An array of elements that take no bytes.
        case tooManyEmptyElements(limit: Int)
        case tooManyElements
        /// More or fewer elements than `T[N]` has.
        /// - Parameter found: nil for more than that.
        case wrongElementCount(expected: Int, found: Int?)
        /// What was written is out of all proportion to what was read: absent fields, long names,
        /// values of no bytes.
        case outputTooLong(limit: Int)

        // MARK: built-in types

        case invalidBoolean(UInt8)
        /// Text that is not of the form `-?[0-9]+`.
        case invalidInteger(type: String)
        case integerOutOfRange(type: String)
        case invalidFloat
        case floatOutOfRange(type: String)
        /// A NaN whose bits no text stands for.
        case unprintableNaN
        case nameTooLong
        case invalidNameCharacter(offset: Int)
        /// The name ends with a dot, or its 13th character is past `j`: it would not print as it
        /// was written.
        case unprintableName
        case invalidAsset
        case moreThan18Decimals(type: String)
        /// The amount's magnitude is 2^62 or more.
        case amountOutOfRange
        case invalidSymbol
        case invalidSymbolCode
        /// Not of the form `YYYY-MM-DDThh:mm:ss`, with a fraction where the type takes one, or no
        /// real date.
        case invalidTime(type: String)
        /// A binary time between the milliseconds, or before 1970 or after 2106: no text stands for
        /// it.
        case unprintableTime
        case invalidHexDigit(offset: Int)
        case oddHexLength(count: Int)
        /// Hex text of another number of bytes.
        case wrongHexLength(bytes: Int, expected: Int)
        /// A character other than 0 and 1 in the text of a bitset.
        case invalidBit(offset: Int)
        /// Bits past the end of a binary bitset that are not zero.
        case unusedBits
        /// A binary WebAuthn key or signature whose base58 text would have more characters than are
        /// read.
        case keyTooLong(limit: Int)

        // MARK: definitions

        /// Not one of `eosio::abi/1.0` to `eosio::abi/1.3`.
        case unsupportedVersion(String)
        case duplicateDefinition(Definition, String)
        /// An alias has the name of a built-in type, or of a type composed of one that is defined.
        case typeExists(String)
        case unknownType(String)
        case circularAlias(String)
        case circularBase(String)
        /// A struct's base that is not a struct.
        case baseIsNotStruct(String)
        /// `$` elsewhere than at the end of a struct field's type.
        case misplacedExtension(String)
        /// More suffixes on one type than any value could be nested, or a longer chain of aliases
        /// or bases.
        case typeTooDeep(limit: Int)
        /// A struct whose fields take no bytes and are this many all the same.
        case tooManyEmptyFields(String)
        /// A name or a type with more bytes than any has.
        case definitionTooLong(limit: Int)
        /// More definitions, fields with those of the bases, or alternatives than any ABI has.
        case tooManyDefinitions(limit: Int)
        /// A struct with more fields than any has, those of its bases included.
        case tooManyFields(limit: Int)
        /// Contents that are neither JSON of an object nor begin as a raw ABI does.
        case notAnABI
        /// Text that should be a raw ABI in hex or base64 and begins as none does.
        case notRawABI
        /// A node's answer states another hash than that of the ABI in it.
        case hashMismatch
    }

    /// What was asked for when JSON of another kind stood there.
    package enum Expectation: Equatable, Sendable {
        case boolean, integer, float, text, object, array
        /// `["type", value]`
        case variant
    }

    /// The lists of an ABI in which a name stands once.
    package enum Definition: Equatable, Sendable {
        case type, alternative, action, table, actionResult, errorMessage, call
    }
}
