import Codecs
import JSON

/// One test: its fields, and what must come of it.
struct VectorTest {
    /// Does what the kind says. Refusals of what is tested are thrown as `.refused` or `.mismatch`.
    typealias Check = (VectorTest) throws(VectorFailure) -> Void

    private let json: JSONValue

    init(_ json: JSONValue) { self.json = json }

    var isValid: Bool { json["result"]?.string == "valid" }

    /// Runs the check and compares what came of it with the expected result.
    func run(_ check: Check) throws(VectorFailure) {
        guard json.object != nil else { throw .malformedField("test") }
        let result = try text("result")
        switch result {
        case "valid": try check(self)
        case "invalid":
            do { try check(self) } catch .refused { return } catch .mismatch { return }
            throw .accepted
        case "acceptable":
            // Either answer is right; only a malformed test is not.
            do { try check(self) } catch .refused { return } catch .mismatch { return }
        default: throw .unknownResult(result)
        }
    }

    /// Runs a step of what is tested; that it throws is the answer "refused".
    func attempt<Value: ~Copyable>(_ step: String, _ body: () throws -> Value) throws(VectorFailure) -> Value {
        do { return try body() } catch { throw .refused(step) }
    }

    func expect(_ field: String, _ equal: Bool) throws(VectorFailure) {
        guard equal else { throw .mismatch(field) }
    }

    // MARK: - fields

    func value(_ field: String) throws(VectorFailure) -> JSONValue {
        guard let value = json[field] else { throw .missingField(field) }
        return value
    }

    func optional(_ field: String) -> JSONValue? { json[field] }

    func text(_ field: String) throws(VectorFailure) -> String {
        guard let text = try value(field).string else { throw .malformedField(field) }
        return text
    }

    func hex(_ field: String) throws(VectorFailure) -> [UInt8] {
        let text = try text(field)
        do { return try Hex.decode(text) } catch { throw .malformedField(field) }
    }

    func list(_ field: String) throws(VectorFailure) -> [JSONValue] {
        guard let list = try value(field).array else { throw .malformedField(field) }
        return list
    }
}
