import ABICodec
import JSON

/// A JSON pointer (RFC 6901) into the decoded data of an action.
package struct FieldPointer: Hashable, Sendable {
    package let text: String
    /// The parts between the slashes, with their escapes replaced.
    private let parts: [String]

    /// Decoded data is not nested more deeply.
    package static let maximumDepth = 32

    /// - Returns: nil for text in any other form.
    package init?(_ text: String) {
        guard text.isEmpty || text.utf8.first == UInt8(ascii: "/") else { return nil }
        let raw = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
        guard raw.count <= Self.maximumDepth else { return nil }
        var parts: [String] = []
        for part in raw {
            guard let part = Self.unescape(Array(part)) else { return nil }
            parts.append(part)
        }
        (self.text, self.parts) = (text, parts)
    }

    // Bytes are compared: Swift compares strings by canonical equivalence.
    package static func == (left: FieldPointer, right: FieldPointer) -> Bool {
        left.text.hasBytes(of: right.text)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(Array(text.utf8)) }

    /// `~1` is a slash, and `~0` is a tilde.
    private static func unescape(_ part: [UInt8]) -> String? {
        var bytes: [UInt8] = []
        var index = 0
        while index < part.count {
            var byte = part[index]
            if byte == UInt8(ascii: "~") {
                index += 1
                guard index < part.count, part[index] == UInt8(ascii: "0") || part[index] == UInt8(ascii: "1")
                else {
                    return nil
                }
                byte = part[index] == UInt8(ascii: "1") ? UInt8(ascii: "/") : UInt8(ascii: "~")
            }
            bytes.append(byte)
            index += 1
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A pointer's text with one more part.
    static func append(_ part: String, to pointer: String) -> String {
        var text = pointer + "/"
        for scalar in part.unicodeScalars {
            switch scalar {
            case "~": text += "~0"
            case "/": text += "~1"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// The value that the pointer refers to; nil if there is none.
    func value(in data: TypedValue) -> TypedValue? {
        var value = data
        for part in parts {
            switch value {
            case .fields(let fields):
                guard let field = fields.first(where: { $0.name.hasBytes(of: part) }) else {
                    return nil
                }
                value = field.value
            case .list(let list):
                guard let index = Self.index(part), index < list.count else { return nil }
                value = list[index]
            case .alternative:
                guard let index = Self.index(part), let parts = value.elements, index < parts.count else {
                    return nil
                }
                value = parts[index]
            default: return nil
            }
        }
        return value
    }

    /// Digits without leading zeros.
    private static func index(_ part: String) -> Int? {
        guard let index = Int(part), index >= 0, "\(index)".hasBytes(of: part) else { return nil }
        return index
    }
}

extension TypedValue {
    /// The elements of a JSON array: a list, or a variant's type and value.
    var elements: [TypedValue]? {
        switch self {
        case .list(let list): list
        case .alternative(let type, let value): [.plain(type), value]
        default: nil
        }
    }

    /// The value of a JSON string, or the text of a number or a boolean; nil for null, arrays and
    /// objects.
    var scalarText: String? {
        switch self {
        case .list, .fields, .alternative, .absent: nil
        case .unquoted(let text): text
        default: json.string
        }
    }
}
