extension CBORValue {
    /// The canonical encoding of CTAP 2.1, section 8: shortest forms, and keys in the order of
    /// their kind, then of their length, then of their bytes.
    package var encoded: [UInt8] {
        switch self {
        case .unsigned(let number): Self.head(0, number)
        case .negative(let number): Self.head(1, number)
        case .bytes(let bytes): Self.head(2, UInt64(bytes.count)) + bytes
        case .text(let text): Self.head(3, UInt64(text.utf8.count)) + text.utf8
        case .array(let values): Self.head(4, UInt64(values.count)) + values.flatMap(\.encoded)
        case .map(let entries):
            Self.head(5, UInt64(entries.count))
                + entries.map { (key: $0.key.encoded, value: $0.value.encoded) }
                .sorted { Self.isBefore($0.key, $1.key) }.flatMap { $0.key + $0.value }
        case .bool(let bool): [bool ? 0xf5 : 0xf4]
        }
    }

    private static func isBefore(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        let kinds = ((left.first ?? 0) >> 5, (right.first ?? 0) >> 5)
        if kinds.0 != kinds.1 { return kinds.0 < kinds.1 }
        return left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
    }

    /// The first byte and the bytes of its argument.
    private static func head(_ kind: UInt8, _ number: UInt64) -> [UInt8] {
        func bytes(_ low: UInt8, _ count: UInt64) -> [UInt8] {
            [kind << 5 | low]
                + (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        return switch number {
        case ..<24: [kind << 5 | UInt8(truncatingIfNeeded: number)]
        case ..<(1 << 8): bytes(24, 1)
        case ..<(1 << 16): bytes(25, 2)
        case ..<(1 << 32): bytes(26, 4)
        default: bytes(27, 8)
        }
    }

    /// A map with numbers as keys; entries without a value are omitted.
    static func numbered(_ members: KeyValuePairs<UInt64, CBORValue?>) -> CBORValue {
        .map(members.compactMap { key, value in value.map { Entry(.unsigned(key), $0) } })
    }

    /// A map with texts as keys; entries without a value are omitted.
    static func named(_ members: KeyValuePairs<String, CBORValue?>) -> CBORValue {
        .map(members.compactMap { key, value in value.map { Entry(.text(key), $0) } })
    }
}
