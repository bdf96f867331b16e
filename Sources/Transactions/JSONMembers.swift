import ABICodec
import Codecs
import JSON

/// An object of the transaction's JSON, its members looked up by name; a name that is not expected is refused.
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

    func required<Value>(_ name: String, _ read: (JSONValue) throws(ABIError) -> Value) throws(TransactionError) -> Value {
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
    func text() throws(ABIError) -> String {
        guard let text = string else { throw ABIError(.expected(.text, found: kind)) }
        return text
    }

    /// An unsigned integer as a number or as text, in the one form that the ABI's integers have.
    func integer<Value: FixedWidthInteger & UnsignedInteger>() throws(ABIError) -> Value {
        guard let text = number ?? string else { throw ABIError(.expected(.integer, found: kind)) }
        let type = "uint\(Value.bitWidth)"
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            throw ABIError(.invalidInteger(type: type))
        }
        guard let value = Value(digits), value == 0 || digits.startIndex == text.startIndex else {
            throw ABIError(.integerOutOfRange(type: type))
        }
        return value
    }

    func hexBytes() throws(ABIError) -> [UInt8] {
        let text = try text()
        do { return try Hex.decode(text) } catch { throw ABIError(.bytes(error)) }
    }

    func list<Element>(_ read: (JSONValue) throws(ABIError) -> Element) throws(ABIError) -> [Element] {
        guard let elements = array else { throw ABIError(.expected(.array, found: kind)) }
        var list: [Element] = []
        for (index, element) in elements.enumerated() {
            do { list.append(try read(element)) } catch { throw error.inside(.element(index)) }
        }
        return list
    }
}
