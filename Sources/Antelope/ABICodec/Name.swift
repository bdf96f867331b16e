/// An account, action, table or permission name: up to 13 characters in 64 bits, five bits for each
/// of the first twelve and four for the thirteenth (AntelopeIO/spring,
/// libraries/chain/include/eosio/chain/name.hpp).
///
/// Each of the 2^64 values has exactly one text, and that text parses to the value.
package struct Name: TextValue, Hashable, Sendable {
    package let rawValue: UInt64

    @inlinable package init(rawValue: UInt64) { self.rawValue = rawValue }

    // Written out, so that other modules can inline them.
    @inlinable @inline(__always) package static func == (left: Name, right: Name) -> Bool {
        left.rawValue == right.rawValue
    }
    @inlinable package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// Up to 12 characters of `.12345a-z` and a 13th of `.1-5a-j`. The last character is not a dot,
    /// because it would not be printed.
    /// - Throws: `.nameTooLong`, `.invalidNameCharacter`, `.unprintableName`
    @inlinable package init(utf8 text: Span<UInt8>) throws(ABIError) {
        guard text.count <= 13 else { throw Self.refusal(of: text) }
        var value: UInt64 = 0
        var last: UInt64 = 1
        for index in text.indices {
            guard let digit = Self.digit(for: text[index]) else { throw Self.refusal(of: text) }
            last = digit
            if index < 12 {
                value |= digit &<< (59 &- 5 &* UInt64(truncatingIfNeeded: index))
            } else {
                // Only 16 of the 32 characters fit into the last four bits.
                guard digit < 16 else { throw Self.refusal(of: text) }
                value |= digit
            }
        }
        // A dot is a zero, and zeros at the end are not printed.
        guard last != 0 else { throw Self.refusal(of: text) }
        rawValue = value
    }

    /// Finds the error. Not inlined, to keep the fast path small.
    @usableFromInline @inline(never)
    static func refusal(of text: Span<UInt8>) -> ABIError {
        for index in text.indices where digit(for: text[index]) == nil {
            return ABIError(.invalidNameCharacter(offset: index))
        }
        return ABIError(text.count > 13 ? .nameTooLong : .unprintableName)
    }

    @inlinable @inline(__always)
    static func digit(for character: UInt8) -> UInt64? {
        switch character {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt64(character &- UInt8(ascii: "a") &+ 6)
        case UInt8(ascii: "1")...UInt8(ascii: "5"): UInt64(character &- UInt8(ascii: "1") &+ 1)
        case UInt8(ascii: "."): 0
        default: nil
        }
    }

    @inlinable @inline(__always)
    static func character(for digit: UInt64) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: digit & 31)
        if value == 0 { return UInt8(ascii: ".") }
        return value < 6 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &- 6 &+ value
    }

    /// The number of characters: each takes five bits, and zeros at the end are not printed.
    package var count: Int { (64 &- rawValue.trailingZeroBitCount &+ 4) / 5 }

    package func append(to bytes: inout [UInt8]) {
        var rest = rawValue
        // The twelve five-bit characters are the highest bits, the four-bit thirteenth the lowest.
        bytes.append(addingCapacity: 13) { free in
            for _ in 0..<12 where rest != 0 {
                free.append(Self.character(for: rest &>> 59))
                rest &<<= 5
            }
            if rest != 0 { free.append(Self.character(for: rest &>> 60)) }
        }
    }
}
