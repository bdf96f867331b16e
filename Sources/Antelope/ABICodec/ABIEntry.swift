import Codecs
import JSON

extension ABIDefinition {
    /// The two users of the JSON form. Both read the same JSON that they write.
    enum Form {
        /// People and programs: the JSON of nodeos.
        case text
        /// The codec, which converts between this JSON and the raw form: a list that is omitted in
        /// the JSON is absent from the bytes.
        case raw
    }
}

/// A value in the definitions of an ABI.
protocol ABIPart: Equatable, Sendable {
    /// Its type in the raw form.
    static var rawType: String { get }
    /// The value of a member that is omitted, as in nodeos.
    static var empty: Self { get }
    /// True if null is read as the empty value.
    static var isNullable: Bool { get }

    init(_ json: JSONValue, of form: ABIDefinition.Form) throws(ABIError)
    func json(for form: ABIDefinition.Form) -> JSONValue

    /// The places of text that is not UTF-8, in this value.
    var unprintable: [String] { get }
}

extension ABIPart {
    static var isNullable: Bool { true }
    var unprintable: [String] { [] }
}

/// An object in the definitions of an ABI. Its JSON and its raw form are derived from its members.
protocol ABIEntry: ABIPart {
    init()
    /// In the order of the raw form.
    static var members: [ABIMember<Self>] { get }
}

/// A member of an object: its key, and the property with its value.
struct ABIMember<Entry: Sendable>: Sendable {
    let key: String
    let type: String
    let read: @Sendable (JSONValue, ABIDefinition.Form, inout Entry) throws(ABIError) -> Void
    let json: @Sendable (Entry, ABIDefinition.Form) -> JSONValue
    let unprintable: @Sendable (Entry) -> [String]

    init<Part: ABIPart>(_ key: String, _ property: any WritableKeyPath<Entry, Part> & Sendable) {
        (self.key, type) = (key, Part.rawType)
        read = { json, form, entry throws(ABIError) in entry[keyPath: property] = try json.part(key, of: form)
        }
        json = { entry, form in entry[keyPath: property].json(for: form) }
        unprintable = { $0[keyPath: property].unprintable }
    }
}

extension JSONValue {
    /// The value of an object's member.
    func part<Part: ABIPart>(_ key: String, of form: ABIDefinition.Form) throws(ABIError) -> Part {
        guard case .object = self else { throw ABIError(.expected(.object, found: kind)) }
        guard let member = self[key], !member.isNull || !Part.isNullable else { return .empty }
        do { return try Part(member, of: form) } catch { throw error.inside(.field(key)) }
    }
}

extension ABIEntry {
    static var empty: Self { Self() }

    init(_ json: JSONValue, of form: ABIDefinition.Form) throws(ABIError) {
        try self.init(members: json, of: form)
    }

    init(members json: JSONValue, of form: ABIDefinition.Form) throws(ABIError) {
        self.init()
        for member in Self.members { try member.read(json, form, &self) }
    }

    func json(for form: ABIDefinition.Form) -> JSONValue { members(for: form) }

    func members(for form: ABIDefinition.Form) -> JSONValue {
        .object(Self.members.map { JSONMember($0.key, $0.json(self, form)) })
    }

    var unprintable: [String] {
        Self.members.flatMap { member in member.unprintable(self).map { ".\(member.key)\($0)" } }
    }

    /// The type of the raw form.
    static var structure: ABIDefinition.Struct {
        ABIDefinition.Struct(
            name: rawType, fields: members.map { ABIDefinition.Field(name: $0.key, type: $0.type) })
    }
}

// MARK: - values

extension Array: ABIPart where Element: ABIPart {
    static var rawType: String { Element.rawType + "[]" }
    static var empty: Self { [] }

    init(_ json: JSONValue, of form: ABIDefinition.Form) throws(ABIError) {
        guard json.array?.count ?? 0 <= Layout.definitionLimit else {
            throw ABIError(.tooManyDefinitions(limit: Layout.definitionLimit))
        }
        self = try json.expectList { element throws(ABIError) in try Element(element, of: form) }
    }

    func json(for form: ABIDefinition.Form) -> JSONValue { .array(map { $0.json(for: form) }) }

    var unprintable: [String] {
        enumerated().flatMap { index, element in element.unprintable.map { "[\(index)]\($0)" } }
    }
}

/// A list that the raw form may lack.
extension Optional: ABIPart where Wrapped: ABIPart {
    static var rawType: String { Wrapped.rawType + "$" }
    static var empty: Self { nil }

    init(_ json: JSONValue, of form: ABIDefinition.Form) throws(ABIError) {
        self = try Wrapped(json, of: form)
    }

    func json(for form: ABIDefinition.Form) -> JSONValue { self?.json(for: form) ?? .null }

    var unprintable: [String] { self?.unprintable ?? [] }
}

extension String: ABIPart {
    static var rawType: String { "string" }
    static var empty: String { "" }

    init(_ json: JSONValue, of form: ABIDefinition.Form) throws(ABIError) {
        self = try json.expectText()
        let limit = Layout.definitionLengthLimit
        guard utf8.count <= limit else { throw ABIError(.definitionTooLong(limit: limit)) }
    }

    func json(for form: ABIDefinition.Form) -> JSONValue { .string(self) }
}

extension Name: ABIPart {
    static var rawType: String { "name" }
    static var empty: Name { Name(rawValue: 0) }

    init(_ json: JSONValue, of form: ABIDefinition.Form) throws(ABIError) {
        self = try Name(String(json, of: form))
    }

    func json(for form: ABIDefinition.Form) -> JSONValue { .string(text) }
}

extension UInt64: ABIPart {}
extension UInt16: ABIPart {}

extension ABIPart where Self: FixedWidthInteger {
    static var rawType: String { "uint\(bitWidth)" }
    static var empty: Self { 0 }
    static var isNullable: Bool { false }

    init(_ json: JSONValue, of form: ABIDefinition.Form) throws(ABIError) {
        self = try json.expectInteger(Self.bitWidth == 64 ? "uint64" : "uint16")
    }

    func json(for form: ABIDefinition.Form) -> JSONValue { .integer(UInt64(self)) }
}

extension ABIDefinition {
    /// Bytes that all forms of JSON have as hex.
    struct HexBytes: ABIPart {
        let hex: String

        static let rawType = "bytes"
        static let empty = HexBytes(hex: "")

        private init(hex: String) { self.hex = hex }

        init(_ json: JSONValue, of form: Form) throws(ABIError) { hex = try json.expectText() }

        func json(for form: Form) -> JSONValue { .string(hex) }
    }

    /// Text of an ABI that no action needs: a Ricardian contract, an error message, the keys of a
    /// table.
    ///
    /// nodeos stores and hashes these bytes without checking them, so a raw form may contain bytes
    /// that are not UTF-8. They are kept, so that the raw form and its hash stay the same. The raw
    /// form has them as `bytes`, which has the same layout as `string`.
    struct Prose: ABIPart {
        let bytes: [UInt8]

        static let rawType = "bytes"
        static let empty = Prose(bytes: [])

        private init(bytes: [UInt8]) { self.bytes = bytes }

        /// Reads the text. In the codec's form the JSON has hex, which can represent any bytes.
        init(_ json: JSONValue, of form: Form) throws(ABIError) {
            let text = try json.expectText()
            bytes = form == .raw ? try converting(ABIError.bytes, Hex.decode(text)) : Array(text.utf8)
        }

        /// U+FFFD is in place of bytes that are not UTF-8.
        func json(for form: Form) -> JSONValue {
            .string(form == .raw ? Hex.encode(bytes) : String(decoding: bytes, as: UTF8.self))
        }

        var unprintable: [String] { String(validating: bytes, as: UTF8.self) == nil ? [""] : [] }
    }
}

extension JSONValue {
    /// An integer as nodeos prints it: in quotes above 2^32 - 1, because readers that have only
    /// doubles may lose digits.
    static func integer(_ value: UInt64) -> JSONValue {
        value > 0xffff_ffff ? .string("\(value)") : .number(value)
    }
}
