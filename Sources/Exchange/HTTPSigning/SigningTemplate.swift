import Codecs

/// The signed bytes of the profile `hmac`: literal text and fields in braces, for example
/// `{time}{method}{target}{body}` or `{method}\n{path}\n{query}\n{content-digest}\n{time}`.
///
/// In literal text, `\n` is a line feed, and `\\`, `\{` and `\}` are the characters themselves. All
/// other characters must be printable ASCII.
package struct SigningTemplate: Hashable, Sendable {
    package enum Field: String, CaseIterable, Sendable {
        case method
        case url
        /// The path and the query, as the request line has them.
        case target
        case path
        /// Without its question mark; empty if there is none.
        case query
        case body
        /// In the `time-unit` of the profile: decimal digits, or a time in UTC.
        case time
        /// Decimal digits.
        case nonce
        /// The digest of the body by the `hash` of the profile, in its `encoding`, or as
        /// Content-Digest has it.
        case contentDigest = "content-digest"
    }

    enum Part: Hashable {
        case literal([UInt8])
        case field(Field)

        func bytes(_ value: (Field) -> [UInt8]) -> [UInt8] {
            switch self {
            case .literal(let bytes): bytes
            case .field(let field): value(field)
            }
        }
    }

    package let text: String
    let parts: [Part]

    package static let maximumLength = 1_024

    /// - Throws: `profile(template)`.
    package init(_ text: String) throws(HTTPSigningError) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumLength else {
            throw .profile(.template(.tooLong(limit: Self.maximumLength), offset: Self.maximumLength))
        }
        var parts: [Part] = []
        var literal: [UInt8] = []
        var offset = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            switch byte {
            case UInt8(ascii: "{"):
                guard let end = bytes[offset...].firstIndex(of: UInt8(ascii: "}")) else {
                    throw .profile(.template(.brace, offset: offset))
                }
                let name = String(decoding: bytes[(offset + 1)..<end], as: UTF8.self)
                guard let field = Field(rawValue: name) else {
                    throw .profile(.template(.unknownField(name), offset: offset + 1))
                }
                if !literal.isEmpty { parts.append(.literal(literal)) }
                literal = []
                parts.append(.field(field))
                offset = end
            case UInt8(ascii: "}"): throw .profile(.template(.brace, offset: offset))
            case UInt8(ascii: "\\"):
                guard offset + 1 < bytes.count, let escaped = Self.escaped(bytes[offset + 1]) else {
                    throw .profile(.template(.escape, offset: offset))
                }
                literal.append(escaped)
                offset += 1
            default:
                guard byte.isPrintable else { throw .profile(.template(.character, offset: offset)) }
                literal.append(byte)
            }
            offset += 1
        }
        if !literal.isEmpty { parts.append(.literal(literal)) }
        self.text = text
        self.parts = parts
        guard contains(Set(Field.allCases)) else { throw .profile(.template(.noField, offset: 0)) }
    }

    private static func escaped(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "n"): UInt8(ascii: "\n")
        case UInt8(ascii: "\\"), UInt8(ascii: "{"), UInt8(ascii: "}"): byte
        default: nil
        }
    }

    /// True if the template has one of the fields.
    func contains(_ fields: Set<Field>) -> Bool {
        parts.contains { if case .field(let field) = $0 { fields.contains(field) } else { false } }
    }
}
