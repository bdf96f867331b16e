import Codecs
import JSON
import Keys
import SecureMemory

/// One test: its fields and its expected result.
struct VectorTest {
    /// Checks a test of one kind. Refusals by the tested code are thrown as `.refused` or
    /// `.mismatch`.
    typealias Check = (VectorTest) throws(VectorFailure) -> Void

    private let json: JSONValue

    init(_ json: JSONValue) { self.json = json }

    var isValid: Bool { json["result"]?.string == "valid" }

    /// Runs the check and compares its result with the expected one.
    func run(_ check: Check) throws(VectorFailure) {
        guard json.object != nil else { throw .malformedField("test") }
        let result = try text("result")
        switch result {
        case "valid": try check(self)
        case "invalid":
            do { try check(self) } catch .refused { return } catch .mismatch { return }
            throw .accepted
        case "acceptable":
            // Both results are accepted; only a malformed test fails.
            do { try check(self) } catch .refused { return } catch .mismatch { return }
        default: throw .unknownResult(result)
        }
    }

    /// Runs a step of the tested code. If it throws, the result is "refused".
    func attempt<Value: ~Copyable>(_ step: String, _ body: () throws -> Value) throws(VectorFailure) -> Value
    {
        do { return try body() } catch { throw .refused(step) }
    }

    func expect(_ field: String, _ equal: Bool) throws(VectorFailure) {
        guard equal else { throw .mismatch(field) }
    }

    /// Compares a field with a value of its kind; text with nil for a form that does not exist.
    func expect(_ field: String, is value: String?) throws(VectorFailure) {
        try expect(field, text(field) == value)
    }
    func expect(_ field: String, is value: Int) throws(VectorFailure) {
        try expect(field, number(field) == value)
    }
    func expect(_ field: String, is value: Bool) throws(VectorFailure) {
        try expect(field, boolean(field) == value)
    }
    func expect(_ field: String, hex bytes: [UInt8]) throws(VectorFailure) {
        try expect(field, hex(field) == bytes)
    }

    // MARK: - fields

    /// The value that was read from a field; nil is malformed.
    func expect<Value>(_ value: Value?, _ field: String) throws(VectorFailure) -> Value {
        guard let value else { throw .malformedField(field) }
        return value
    }

    func value(_ field: String) throws(VectorFailure) -> JSONValue {
        guard let value = json[field] else { throw .missingField(field) }
        return value
    }

    func optional(_ field: String) -> JSONValue? { json[field] }

    /// True if an optional field is `true`.
    func isTrue(_ field: String) -> Bool { if case .boolean(true)? = json[field] { true } else { false } }

    func text(_ field: String) throws(VectorFailure) -> String {
        try expect(value(field).string, field)
    }

    func boolean(_ field: String) throws(VectorFailure) -> Bool {
        guard case .boolean(let value) = try value(field) else { throw .malformedField(field) }
        return value
    }

    func hex(_ field: String) throws(VectorFailure) -> [UInt8] {
        let text = try text(field)
        do { return try Hex.decode(text) } catch { throw .malformedField(field) }
    }

    func privateKey(_ field: String) throws(VectorFailure) -> PrivateKey {
        let text = try text(field)
        return try attempt(field) { try PrivateKey.parse(SecureBytes(copyingPublic: text.utf8)) }
    }

    /// A number without fraction and exponent.
    func number(_ field: String) throws(VectorFailure) -> Int {
        try expect(value(field).number.flatMap { Int($0) }, field)
    }

    /// A list of such numbers.
    func numbers(_ field: String) throws(VectorFailure) -> [Int] {
        try list(field).map { value throws(VectorFailure) in
            try expect(value.number.flatMap { Int($0) }, field)
        }
    }

    func texts(_ field: String) throws(VectorFailure) -> [String] {
        try list(field).map { value throws(VectorFailure) in try expect(value.string, field) }
    }

    func list(_ field: String) throws(VectorFailure) -> [JSONValue] {
        try expect(value(field).array, field)
    }
}
