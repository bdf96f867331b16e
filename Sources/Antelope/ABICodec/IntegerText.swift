/// The decimal text of integers: `-?[0-9]+`. Leading zeros and `-0` are allowed.
enum IntegerText {
    /// - Parameter type: The name of the type in the errors.
    /// - Throws: `.invalidInteger`, `.integerOutOfRange`
    static func parse<Value: FixedWidthInteger>(_ text: Span<UInt8>, type: StaticString) throws(ABIError)
        -> Value
    {
        let isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
        var index = isNegative ? 1 : 0
        guard index < text.count else { throw ABIError(.invalidInteger(type: "\(type)")) }
        var magnitude: Value.Magnitude = 0
        var overflow = false
        while index < text.count {
            let digit = text[index] &- UInt8(ascii: "0")
            guard digit < 10 else { throw ABIError(.invalidInteger(type: "\(type)")) }
            let (product, high) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(Value.Magnitude(truncatingIfNeeded: digit))
            overflow = overflow || high || carry
            magnitude = sum
            index &+= 1
        }
        let limit = isNegative ? Value.min.magnitude : Value.max.magnitude
        guard !overflow, magnitude <= limit else { throw ABIError(.integerOutOfRange(type: "\(type)")) }
        let value = Value(truncatingIfNeeded: magnitude)
        return isNegative ? 0 &- value : value
    }

    /// The number of digits of a number below 10^19.
    static func count(_ value: UInt64) -> Int {
        var (count, power) = (1, 10 as UInt64)
        while value >= power, count < 19 {
            power &*= 10
            count &+= 1
        }
        return count
    }

    /// Appends the digits of a number. With `decimals`, a point precedes the last `decimals`
    /// digits, and at least one digit precedes the point.
    static func append(_ value: UInt64, decimals: Int = 0, to bytes: inout [UInt8]) {
        // Least significant digit first: at most 20 digits, or 18 decimals and the digit before
        // them.
        var digits = InlineArray<20, UInt8>(repeating: UInt8(ascii: "0"))
        var count = 0
        var rest = value
        repeat {
            digits[count] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
            count &+= 1
        } while rest != 0
        count = max(count, min(decimals, 18) &+ 1)
        bytes.append(addingCapacity: count &+ 1) { free in
            while count > 0 {
                if count == decimals { free.append(UInt8(ascii: ".")) }
                count &-= 1
                free.append(digits[count])
            }
        }
    }

    /// Appends the digits of a number of up to 128 bits.
    static func append(_ value: UInt128, to bytes: inout [UInt8]) {
        let unit: UInt128 = 1_000_000_000_000_000_000
        if let value = UInt64(exactly: value) { return append(value, to: &bytes) }
        append(value / unit, to: &bytes)
        // The lower eighteen digits, with leading zeros: a one is added before them for printing,
        // then removed.
        let start = bytes.count
        append(UInt64(truncatingIfNeeded: value % unit) + UInt64(unit), to: &bytes)
        bytes.remove(at: start)
    }
}
