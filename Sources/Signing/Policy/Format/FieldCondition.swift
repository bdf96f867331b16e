import ABICodec
import JSON

/// The condition for a field of an action's data. Each test must hold. In a list, it must hold for
/// each element.
package struct FieldCondition: Hashable, Sendable {
    package let pointer: FieldPointer
    let tests: [FieldTest]

    struct Failure {
        let test: FieldTest
        /// The text that failed; nil if there is no value, or if it is an object.
        let value: String?
    }

    /// The first test that fails.
    func failure(in data: inout FieldValues) -> Failure? {
        let value = data.value(at: pointer)
        for test in tests {
            if let failure = Self.failure(of: test, value) { return failure }
        }
        return nil
    }

    private static func failure(of test: FieldTest, _ value: FieldValues.Value) -> Failure? {
        if let elements = value.elements { return elements.lazy.compactMap { failure(of: test, $0) }.first }
        return value.text.map(test.holds) ?? false ? nil : Failure(test: test, value: value.text)
    }
}

/// The values of an action's data that conditions refer to. Each is found, and its text made, once
/// for all rules.
struct FieldValues {
    private static let maximumCount = 16

    private let data: TypedValue
    private var found: [(pointer: FieldPointer, value: Value)] = []

    init(of data: TypedValue) { self.data = data }

    struct Value {
        /// Of a JSON array; nil for another value.
        let elements: [Value]?
        /// Nil if there is no value, or if it is an object or an array.
        let text: String?

        fileprivate init(_ value: TypedValue?) {
            elements = value?.elements.map { $0.map(Value.init) }
            text = value?.scalarText
        }
    }

    mutating func value(at pointer: FieldPointer) -> Value {
        if let index = found.firstIndex(where: { $0.pointer == pointer }) { return found[index].value }
        let value = Value(pointer.value(in: data))
        // With more, finding one would take longer than making it.
        if found.count < Self.maximumCount { found.append((pointer, value)) }
        return value
    }
}

/// One test of a field's text.
package enum FieldTest: Hashable, Sendable {
    case equals(String)
    /// The texts in the order of the file, and their bytes.
    case oneOf([String], Set<[UInt8]>)
    case prefix(String)
    case pattern(TextPattern)
    case min(Bound)
    case max(Bound)

    /// Its name in the file.
    package var name: String {
        switch self {
        case .equals: "equals"
        case .oneOf: "one_of"
        case .prefix: "prefix"
        case .pattern: "pattern"
        case .min: "min"
        case .max: "max"
        }
    }

    func holds(for text: String) -> Bool {
        // Bytes are compared: Swift compares strings by canonical equivalence.
        switch self {
        case .equals(let other): text.hasBytes(of: other)
        case .oneOf(_, let bytes): bytes.contains(Array(text.utf8))
        case .prefix(let prefix): text.utf8.starts(with: prefix.utf8)
        case .pattern(let pattern): pattern.matches(text)
        case .min(let bound): bound.compare(text).map { $0 >= 0 } ?? false
        case .max(let bound): bound.compare(text).map { $0 <= 0 } ?? false
        }
    }
}

/// The end of a range: an integer, or an amount of a token.
package enum Bound: Hashable, Sendable {
    case integer(Int128)
    case asset(Asset)

    /// - Returns: nil for text in any other form.
    init?(_ text: String) {
        if let number = Int128(text), String(number).hasBytes(of: text) {
            self = .integer(number)
        } else if let asset = Asset(exactly: text) {
            self = .asset(asset)
        } else {
            return nil
        }
    }

    package var text: String {
        switch self {
        case .integer(let number): String(number)
        case .asset(let asset): asset.text
        }
    }

    /// Compares a text with the bound: -1 if it is less, 0 if equal, 1 if greater. nil for text of
    /// another kind, or of another symbol.
    func compare(_ text: String) -> Int? {
        guard let other = Bound(text) else { return nil }
        switch (self, other) {
        case (.integer(let bound), .integer(let value)): return value < bound ? -1 : value > bound ? 1 : 0
        case (.asset(let bound), .asset(let value)) where bound.symbol == value.symbol:
            return value.amount < bound.amount ? -1 : value.amount > bound.amount ? 1 : 0
        default: return nil
        }
    }
}
