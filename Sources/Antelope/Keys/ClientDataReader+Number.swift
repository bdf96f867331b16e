extension ClientDataReader {
    /// Skips a number. rapidjson computes the value and refuses one that is too large. This code
    /// repeats its steps to get the same result.
    mutating func skipNumber() throws(ClientData.Fault) {
        var number = try readInteger()
        if skip(UInt8(ascii: ".")) { try readFraction(&number) }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) { try readExponent(&number) }
        guard number.isFinite else { throw fault }
    }

    private struct Number {
        /// The digits as an integer, as long as they fit.
        var significand: UInt64 = 0
        /// The value as a floating-point number, after the digits no longer fit.
        var approximation: Double?
        /// The number of significant digits after the first one.
        var digits = 0
        /// The power of ten that the digits are multiplied by.
        var power = 0

        var digitsValue: Double { approximation ?? Double(significand) }

        var isFinite: Bool {
            // A negative power can't make the value infinite.
            let factor = power > 0 ? Double("1e\(power)") ?? .infinity : 1
            return (digitsValue * factor).isFinite
        }
    }

    private mutating func takeDigit() -> UInt64? {
        guard isAtDigit else { return nil }
        defer { advance() }
        return UInt64(next - UInt8(ascii: "0"))
    }

    private mutating func readInteger() throws(ClientData.Fault) -> Number {
        let limit = skip(UInt8(ascii: "-")) ? UInt64(1) << 63 : UInt64.max
        var number = Number()
        guard let first = takeDigit() else { throw fault }
        guard first > 0 else { return number }
        number.significand = first
        while let digit = takeDigit() {
            if let approximation = number.approximation {
                number.approximation = approximation * 10 + Double(digit)
            } else if number.significand > (limit - digit) / 10 {
                number.approximation = Double(number.significand) * 10 + Double(digit)
            } else {
                number.significand = number.significand * 10 + digit
                number.digits += 1
            }
        }
        return number
    }

    private mutating func readFraction(_ number: inout Number) throws(ClientData.Fault) {
        guard isAtDigit else { throw fault }
        if number.approximation == nil {
            while number.significand < 1 << 53, let digit = takeDigit() {
                number.significand = number.significand * 10 + digit
                number.power -= 1
                if number.significand != 0 { number.digits += 1 }
            }
        }
        var value = number.digitsValue
        while number.digits < 17, let digit = takeDigit() {
            value = value * 10 + Double(digit)
            number.power -= 1
            if value > 0 { number.digits += 1 }
        }
        while takeDigit() != nil {}
        number.approximation = value
    }

    private mutating func readExponent(_ number: inout Number) throws(ClientData.Fault) {
        let isNegative = skip(UInt8(ascii: "-"))
        if !isNegative { _ = skip(UInt8(ascii: "+")) }
        guard isAtDigit else { throw fault }
        let most = 308 - number.power
        var exponent = 0
        while let digit = takeDigit() {
            exponent = min(exponent * 10 + Int(digit), most + 1)
            guard isNegative || exponent <= most else { throw fault }
        }
        number.power += isNegative ? -exponent : exponent
    }
}
