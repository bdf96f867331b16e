/// A value of an authenticator's answer: the part of CBOR that CTAP 2.1, section 8, allows.
///
/// Refused: numbers and lengths that are not in their shortest form, indefinite lengths, tags,
/// floating-point numbers, duplicate keys, text that is not UTF-8, more than four levels, bytes
/// after the value. The order of keys is not checked, because some authenticators on the market do
/// not sort them, and nothing depends on it.
package indirect enum CBORValue: Equatable, Sendable {
    case unsigned(UInt64)
    /// The value -1 - n.
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case array([CBORValue])
    case map([Entry])
    case bool(Bool)

    package struct Entry: Equatable, Sendable {
        package let key: CBORValue
        package let value: CBORValue

        package init(_ key: CBORValue, _ value: CBORValue) { (self.key, self.value) = (key, value) }
    }

    /// CTAP 2.1, section 8: nested structures have at most four levels.
    static let depthLimit = 4

    /// Reads exactly one value.
    /// - Returns: nil if the bytes are not one.
    package init?(_ encoded: [UInt8]) {
        guard let (value, rest) = Self.first(in: encoded), rest.isEmpty else { return nil }
        self = value
    }

    /// The first value, and the bytes after it.
    package static func first(in bytes: [UInt8]) -> (value: CBORValue, rest: ArraySlice<UInt8>)? {
        var reader = CBORReader(bytes)
        guard let value = reader.value(depth: 0) else { return nil }
        return (value, reader.rest)
    }

    // MARK: members of maps

    package subscript(_ key: UInt64) -> CBORValue? { member(.unsigned(key)) }
    package subscript(_ key: String) -> CBORValue? { member(.text(key)) }

    func member(_ key: CBORValue) -> CBORValue? {
        guard case .map(let entries) = self else { return nil }
        return entries.first { $0.key == key }?.value
    }

    // MARK: kinds

    var isMap: Bool { if case .map = self { true } else { false } }
    var unsigned: UInt64? { if case .unsigned(let number) = self { number } else { nil } }
    var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var array: [CBORValue]? { if case .array(let values) = self { values } else { nil } }
    var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
}

/// A cursor over the bytes of an answer. Each length is checked before it is used.
private struct CBORReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// - Parameter depth: how many arrays and maps the value is in.
    mutating func value(depth: Int) -> CBORValue? {
        guard let first = rest.popFirst() else { return nil }
        let (kind, low) = (first >> 5, first & 0x1f)
        if kind == 7 { return low == 20 ? .bool(false) : low == 21 ? .bool(true) : nil }
        guard let number = number(low) else { return nil }
        switch kind {
        case 0: return .unsigned(number)
        case 1: return .negative(number)
        case 2: return take(number).map { .bytes($0) }
        case 3:
            guard let bytes = take(number) else { return nil }
            return String(validating: bytes, as: UTF8.self).map { .text($0) }
        // Each element has at least one byte.
        case 4 where depth < CBORValue.depthLimit && number <= UInt64(rest.count):
            return array(Int(number), depth: depth + 1)
        case 5 where depth < CBORValue.depthLimit && number <= UInt64(rest.count) / 2:
            return map(Int(number), depth: depth + 1)
        default: return nil
        }
    }

    /// The argument of a first byte, in its shortest form.
    private mutating func number(_ low: UInt8) -> UInt64? {
        guard low >= 24 else { return UInt64(low) }
        guard low <= 27, let bytes = take(1 << UInt64(low - 24)) else { return nil }
        let number = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let least: UInt64 = [24, 1 << 8, 1 << 16, 1 << 32][Int(low - 24)]
        return number >= least ? number : nil
    }

    private mutating func take(_ count: UInt64) -> [UInt8]? {
        guard count <= UInt64(rest.count) else { return nil }
        defer { rest.removeFirst(Int(count)) }
        return Array(rest.prefix(Int(count)))
    }

    private mutating func array(_ count: Int, depth: Int) -> CBORValue? {
        var values: [CBORValue] = []
        for _ in 0..<count {
            guard let value = value(depth: depth) else { return nil }
            values.append(value)
        }
        return .array(values)
    }

    private mutating func map(_ count: Int, depth: Int) -> CBORValue? {
        var entries: [CBORValue.Entry] = []
        for _ in 0..<count {
            guard let key = value(depth: depth), !entries.contains(where: { $0.key == key }),
                let value = value(depth: depth)
            else { return nil }
            entries.append(CBORValue.Entry(key, value))
        }
        return .map(entries)
    }
}
