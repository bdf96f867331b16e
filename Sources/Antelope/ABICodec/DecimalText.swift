/// A decimal number in the grammar of RFC 8259: `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`.
struct DecimalText {
    private let isNegative: Bool
    /// All digits as one integer; nil when there are too many to be exact in 64 bits.
    private let digits: UInt64?
    /// The power of ten that the digits are multiplied by. It is exact unless it is so large that
    /// no text has enough digits to cancel it.
    private let exponent: Int

    /// Nil for text of any other form.
    init?(_ text: Span<UInt8>) {
        var index = 0
        func byte() -> UInt8 { index < text.count ? text[index] : 0 }
        func isDigit() -> Bool { byte() &- UInt8(ascii: "0") < 10 }

        var value: UInt64? = 0
        func readDigits() -> Int {
            let start = index
            while isDigit() {
                let digit = UInt64(byte() - UInt8(ascii: "0"))
                // 2^53 has sixteen digits. Longer numbers take the slow path.
                value = value.flatMap { $0 < 1_000_000_000_000_000 ? $0 * 10 + digit : nil }
                index += 1
            }
            return index - start
        }

        isNegative = byte() == UInt8(ascii: "-")
        if isNegative { index += 1 }
        let startsWithZero = byte() == UInt8(ascii: "0")
        let whole = readDigits()
        guard whole == 1 || (whole > 1 && !startsWithZero) else { return nil }
        var scale = 0
        if byte() == UInt8(ascii: ".") {
            index += 1
            scale = -readDigits()
            guard scale < 0 else { return nil }
        }
        if byte() | 0x20 == UInt8(ascii: "e") {
            index += 1
            let isDown = byte() == UInt8(ascii: "-")
            if isDown || byte() == UInt8(ascii: "+") { index += 1 }
            guard isDigit() else { return nil }
            var power = 0
            while isDigit() {
                // The cap is larger than the number of decimals of any text. Decimals offset the
                // exponent, so a lower cap would change the number.
                power = min(power * 10 + Int(byte() - UInt8(ascii: "0")), 1 << 40)
                index += 1
            }
            scale += isDown ? -power : power
        }
        guard index == text.count else { return nil }
        digits = value
        exponent = scale
    }

    /// The number, if its digits and its power of ten are both exact as float64, so that the result
    /// is rounded only once. (W. D. Clinger, "How to read floating point numbers accurately".)
    var exactDouble: Double? {
        guard let digits, digits <= 1 << 53, (-22...22).contains(exponent) else { return nil }
        var power = 1.0
        for _ in 0..<abs(exponent) { power *= 10 }
        let magnitude = exponent < 0 ? Double(digits) / power : Double(digits) * power
        return isNegative ? -magnitude : magnitude
    }
}
