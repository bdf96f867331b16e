import ABICodec
import Codecs
import JSON

/// The members of an object in the transaction's JSON, looked up by name. Each value is text until
/// it is read, so the encoder reads action data in the transaction's own text.
struct JSONMembers {
    private let members: [(key: String, text: [UInt8])]

    /// - Parameter text: A value whose syntax was checked, with its keys.
    init(_ text: [UInt8]) throws(TransactionError) {
        members = try Self.parts(of: text, .object, as: .object)
    }

    /// Reads an object that is a whole text. The text is checked first, because its parts are read
    /// in another order.
    init(whole text: [UInt8]) throws(TransactionError) {
        try converting(
            TransactionError.json,
            JSONReader.read(text) { reader throws(JSONError) in
                try reader.skipValue()
                try reader.expectEnd()
            })
        try self.init(text)
    }

    /// The parts of an object or array whose syntax was checked.
    static func parts(
        of text: [UInt8], _ kind: JSONKind, as expectation: ABIError.Expectation
    ) throws(TransactionError) -> [(key: String, text: [UInt8])] {
        let found = try converting(TransactionError.json, JSONReader.parts(of: text))
        guard found.kind == kind else { throw .value(ABIError(.expected(expectation, found: found.kind))) }
        return found.parts
    }

    /// Refuses members with other names.
    func expectOnly(_ names: [String]) throws(TransactionError) {
        for member in members where !member.key.isAny(of: names) {
            throw .value(ABIError(.unknownField(member.key)))
        }
    }

    /// The text of a value; nil if there is none.
    func text(_ name: String) -> [UInt8]? { members.first { $0.key.hasBytes(of: name) }?.text }

    func required<Value>(_ name: String, _ read: (JSONValue) throws(ABIError) -> Value)
        throws(TransactionError)
        -> Value
    {
        guard let text = text(name) else { throw .value(ABIError(.missingField(name))) }
        return try Self.read(text, name, read)
    }

    func optional<Value>(
        _ name: String, _ absent: Value, _ read: (JSONValue) throws(ABIError) -> Value
    ) throws(TransactionError) -> Value {
        guard let text = text(name) else { return absent }
        return try Self.read(text, name, read)
    }

    /// - Parameter absent: The value if the field is absent; nil if the field is required.
    func integer<Value: FixedWidthInteger>(
        _ name: String, _ type: StaticString, ifAbsent absent: Value? = nil
    ) throws(TransactionError) -> Value {
        if let absent, text(name) == nil { return absent }
        return try required(name) { value throws(ABIError) in try value.expectInteger(type) }
    }

    private static func read<Value>(
        _ text: [UInt8], _ name: String, _ read: (JSONValue) throws(ABIError) -> Value
    ) throws(TransactionError) -> Value {
        let value = try converting(TransactionError.json, JSONValue.parse(text))
        do { return try read(value) } catch { throw .value(error.inside(.field(name))) }
    }
}

extension JSONValue {
    /// Throws if the value is not an object, or has a member with another name.
    func expectMembers(_ names: [String]) throws(ABIError) {
        guard let members = object else { throw ABIError(.expected(.object, found: kind)) }
        for member in members where !member.key.isAny(of: names) { throw ABIError(.unknownField(member.key)) }
    }

    func member(_ name: String) throws(ABIError) -> JSONValue {
        guard let value = self[name] else { throw ABIError(.missingField(name)) }
        return value
    }

    func hexBytes() throws(ABIError) -> [UInt8] {
        let text = try expectText()
        return try converting(ABIError.bytes, Hex.decode(text))
    }
}
