/// A float64 with 17 decimals, as `%.17f` and nodeos print it: exact, with the last decimal rounded
/// half to even.
enum FixedText {
    private static let decimals = 17
    private static let unit: UInt64 = 100_000_000_000_000_000

    /// - Parameter value: A finite number.
    static func text(of value: Double) -> String {
        var bytes: [UInt8] = value.sign == .minus ? [UInt8(ascii: "-")] : []
        // value = significand * 2^exponent
        let field = Int(value.exponentBitPattern)
        let significand = value.significandBitPattern | (field == 0 ? 0 : 1 << 52)
        let exponent = max(field, 1) - 1075
        if exponent >= 0 {
            appendInteger(significand, shiftedBy: exponent, to: &bytes)
            append(fraction: 0, to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
        let shift = -exponent
        let whole = shift < 64 ? significand >> UInt64(shift) : 0
        let rest = shift < 64 ? significand & (1 << UInt64(shift) - 1) : significand
        // A double below 1 is at most 1 - 2^-53, which 17 decimals don't round up to 1.
        let fraction = roundedShift(UInt128(rest) * UInt128(unit), by: shift)
        IntegerText.append(whole, to: &bytes)
        append(fraction: fraction, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(fraction: UInt64, to bytes: inout [UInt8]) {
        // A one before the 17 digits makes their leading zeros appear. It is then replaced by the
        // point.
        let start = bytes.count
        IntegerText.append(fraction + unit, to: &bytes)
        bytes[start] = UInt8(ascii: ".")
    }

    /// number / 2^shift, rounded half to even. The number must be below 2^110.
    private static func roundedShift(_ number: UInt128, by shift: Int) -> UInt64 {
        guard shift < 120 else { return 0 }
        let quotient = number >> UInt128(shift)
        let rest = number & (1 << UInt128(shift) - 1)
        let half: UInt128 = 1 << UInt128(shift - 1)
        let roundsUp = rest > half || (rest == half && quotient & 1 == 1)
        return UInt64(truncatingIfNeeded: quotient) + (roundsUp ? 1 : 0)
    }

    /// Appends number * 2^shift, which has at most 309 digits.
    private static func appendInteger(_ number: UInt64, shiftedBy shift: Int, to bytes: inout [UInt8]) {
        // Parts of nineteen digits, the least significant part first.
        let base: UInt128 = 10_000_000_000_000_000_000
        var parts: [UInt64] = [number]
        var left = shift
        while left > 0 {
            let step = min(left, 60)
            var carry: UInt128 = 0
            for index in parts.indices {
                let product = UInt128(parts[index]) << UInt128(step) + carry
                parts[index] = UInt64(truncatingIfNeeded: product % base)
                carry = product / base
            }
            if carry > 0 { parts.append(UInt64(truncatingIfNeeded: carry)) }
            left -= step
        }
        var value = parts.removeLast()
        IntegerText.append(value, to: &bytes)
        while let part = parts.popLast() {
            value = part
            let start = bytes.count
            IntegerText.append(UInt128(value) + base, to: &bytes)
            bytes.remove(at: start)
        }
    }
}
