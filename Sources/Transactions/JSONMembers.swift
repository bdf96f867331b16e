import ABICodec
import Codecs
import JSON

/// The members of an object in the transaction's JSON, looked up by name. Members with unexpected
/// names are refused.
struct JSONMembers {
    private let json: JSONValue

    init(fields json: JSONValue, allowing names: [String]) throws(ABIError) {
        guard case .object(let members) = json else { throw ABIError(.expected(.object, found: json.kind)) }
        for member in members where !names.contains(member.key) { throw ABIError(.unknownField(member.key)) }
        self.json = json
    }

    init(_ json: JSONValue, allowing names: [String]) throws(TransactionError) {
        do { self = try Self(fields: json, allowing: names) } catch { throw .value(error) }
    }

    subscript(_ name: String) -> JSONValue? { json[name] }

    func value(_ name: String) throws(ABIError) -> JSONValue {
        guard let value = json[name] else { throw ABIError(.missingField(name)) }
        return value
    }

    func required<Value>(_ name: String, _ read: (JSONValue) throws(ABIError) -> Value) throws(TransactionError)
        -> Value
    {
        guard let value = json[name] else { throw .value(ABIError(.missingField(name))) }
        return try Self.read(value, name, read)
    }

    func optional<Value>(
        _ name: String, _ absent: Value, _ read: (JSONValue) throws(ABIError) -> Value
    ) throws(TransactionError) -> Value {
        guard let value = json[name] else { return absent }
        return try Self.read(value, name, read)
    }

    private static func read<Value>(
        _ value: JSONValue, _ name: String, _ read: (JSONValue) throws(ABIError) -> Value
    ) throws(TransactionError) -> Value {
        do { return try read(value) } catch { throw .value(error.inside(.field(name))) }
    }
}

extension JSONValue {
    func hexBytes() throws(ABIError) -> [UInt8] {
        let text = try expectText()
        do { return try Hex.decode(text) } catch { throw ABIError(.bytes(error)) }
    }
}
