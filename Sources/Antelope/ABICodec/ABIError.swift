import Codecs
import JSON
import Keys
import Messages

/// Why a definition, a value or its bytes are refused, and at which place in the value.
package struct ABIError: WordedError, Equatable {
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
    /// - Parameter printed: changes each name.
    package static func text(of path: [Step], _ printed: (String) -> String = { $0 }) -> String {
        path.reduce(into: "") { text, step in
            switch step {
            case .field(let name): text += text.isEmpty ? printed(name) : "." + printed(name)
            case .element(let index): text += "[\(index)]"
            }
        }
    }

    package var words: Words {
        let words =
            switch reason {
            case .input(let reason): reason.words
            case .shape(let reason): reason.words
            case .builtIn(let fault): Words(fault.code, fault.text, hint: fault.hint)
            case .definition(let fault): Words(fault.code, fault.text, hint: fault.hint)
            }
        let path = Printable.line(Self.text(of: path, Printable.excerpt))
        return path.isEmpty ? words : words.at(path)
    }
}

/// Runs a step and adds the name of an ABI's list to the path of its error.
package func inside<Result>(_ list: String, _ step: () throws(ABIError) -> Result) throws(ABIError) -> Result
{
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
        case json(JSONError)
        case bytes(CodecError)
        case keyText(KeyTextError)
        /// Bytes that are not a binary public key or signature.
        case curve(CurveError)
        /// The JSON has a value of another kind.
        case expected(Expectation, found: JSONKind)
        case invalidUTF8

        fileprivate var words: Words {
            switch self {
            case .json(let error): error.words
            case .bytes(let error): error.words
            case .keyText(let error): error.words
            case .curve(let error): error.words
            case .expected(let kind, let found):
                Words(.wrongFields, "expected \(kind.rawValue), found \(found.name)")
            case .invalidUTF8: Words(.invalidEncoding, "the text is not UTF-8")
            }
        }
    }

    /// The kind of value that was expected when the JSON had another kind.
    package enum Expectation: String, Sendable {
        case boolean = "true or false"
        case integer = "an integer"
        case float = "a number"
        case text = "a string"
        case object = "an object"
        case array = "an array"
        case variant = #"["type", value]"#
        case permission = "ACCOUNT@PERMISSION"
    }

    /// The value does not have the shape of its type.
    package enum Shape: Equatable, Sendable {
        /// A struct field that is neither optional nor an extension at the end.
        case missingField(String)
        case unknownField(String)
        case duplicateField(String)
        case fieldAfterMissingExtension(String)
        /// A value of a type that the variant does not have.
        case unknownAlternative(String)
        case alternativeOutOfRange(index: UInt32, count: Int)
        case invalidPresence(UInt8)
        /// JSON has no text for this value.
        case nestedAbsence
        case depthExceeded(limit: Int)
        case tooManyEmptyElements(limit: Int)
        case tooManyElements
        /// The array does not have the N elements of `T[N]`.
        /// - Parameter found: nil when there are more than N.
        case wrongElementCount(expected: Int, found: Int?)
        /// Absent fields, long names or values of no bytes can cause this.
        case outputTooLong(limit: Int)

        fileprivate var words: Words {
            switch self {
            case .missingField(let name): field(name, "is missing")
            case .unknownField(let name): field(name, "is unknown")
            case .duplicateField(let name): field(name, "occurs twice")
            case .fieldAfterMissingExtension(let name):
                Words(
                    .wrongFields,
                    "the binary extension `\(Printable.excerpt(name))` is missing, but a field after it is present"
                )
            case .unknownAlternative(let name):
                Words(.invalidValue, "the variant has no type `\(Printable.excerpt(name))`")
            case .alternativeOutOfRange(let index, let count):
                Words(
                    .invalidValue, "variant index \(index), but the variant has \(Words.count(count, "type"))"
                )
            case .invalidPresence(let byte):
                Words(.invalidValue, "an optional starts with \(byte) instead of 0 or 1")
            case .nestedAbsence: Words(.invalidValue, "an optional contains an absent optional")
            case .depthExceeded(let limit): Words(.tooLarge, "nested deeper than \(limit) levels")
            case .tooManyEmptyElements(let limit):
                Words(.tooLarge, "more than \(limit) elements that take no bytes")
            case .tooManyElements: Words(.tooLarge, "more elements than can be counted in 32 bits")
            case .wrongElementCount(let expected, let found):
                Words(
                    .invalidValue,
                    "\(found.map { "\($0) instead of" } ?? "more than") \(Words.count(expected, "element"))")
            case .outputTooLong(let limit):
                Words(
                    .tooLarge, "the result would have more than \(Words.count(limit, "byte"))",
                    hint: "this ABI expands a few bytes to very many: check where it comes from")
            }
        }

        private func field(_ name: String, _ fault: String) -> Words {
            Words(.wrongFields, "the field `\(Printable.excerpt(name))` \(fault)")
        }
    }
}
