extension JSONReader {
    // MARK: - literals and numbers

    /// Reads `null`.
    @inlinable
    public mutating func readNull() throws(JSONError) { try read(literal: 0x6c6c_756e, count: 4) }

    /// Reads `true` or `false`.
    @inlinable
    public mutating func readBoolean() throws(JSONError) -> Bool {
        skipWhitespace()
        if byte() == UInt8(ascii: "t") {
            try read(literal: 0x6575_7274, count: 4)
            return true
        }
        try read(literal: 0x65_736c_6166, count: 5)
        return false
    }

    /// - Parameter literal: Its characters, the first one in the lowest byte.
    @usableFromInline
    mutating func read(literal: UInt64, count: Int) throws(JSONError) {
        skipWhitespace()
        for index in 0..<count {
            guard byte() == UInt8(truncatingIfNeeded: literal >> UInt64(8 * index)) else {
                throw unexpected()
            }
            offset += 1
        }
        // Refuses `nullx` and `true1`, which would be two values without a separator.
        guard !isWordByte(byte()) else { throw unexpected() }
    }

    private func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"), 0x80...:
            true
        default: false
        }
    }

    /// Reads a number. The token is its exact text.
    @inlinable
    public mutating func readNumber() throws(JSONError) -> JSONToken {
        skipWhitespace()
        let start = offset
        if byte() == UInt8(ascii: "-") { offset &+= 1 }
        if byte() == UInt8(ascii: "0") {
            offset &+= 1
            guard !isDigit(byte()) else { throw failure(.leadingZero) }
        } else {
            try readDigits(orThrow: offset == start)
        }
        let next = byte()
        if next == UInt8(ascii: ".") || next | 0x20 == UInt8(ascii: "e") { try readFraction() }
        return JSONToken(start: start, end: offset, hasEscapes: false)
    }

    /// Reads a number of 1 to 18 digits without sign, fraction or exponent. For any other value,
    /// returns nil and skips only white space: `readNumber` reads all numbers.
    @inlinable
    public mutating func readShortNatural() -> UInt64? {
        skipWhitespace()
        var value: UInt64 = 0
        var count = 0
        while count <= 18, isDigit(byte(ahead: count)) {
            value = value &* 10 &+ UInt64(byte(ahead: count) &- UInt8(ascii: "0"))
            count &+= 1
        }
        guard count > 0, count <= 18, count == 1 || byte() != UInt8(ascii: "0") else { return nil }
        let next = byte(ahead: count)
        guard next != UInt8(ascii: "."), next | 0x20 != UInt8(ascii: "e") else { return nil }
        offset &+= count
        return value
    }

    @inlinable @inline(__always)
    func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    @usableFromInline
    mutating func readFraction() throws(JSONError) {
        if byte() == UInt8(ascii: ".") {
            offset += 1
            try readDigits(orThrow: false)
        }
        if byte() | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if byte() == UInt8(ascii: "+") || byte() == UInt8(ascii: "-") { offset += 1 }
            try readDigits(orThrow: false)
        }
    }

    /// - Parameter isStart: True if no part of a number was read, so that the text is not a number
    ///   at all.
    @inlinable @inline(__always)
    mutating func readDigits(orThrow isStart: Bool) throws(JSONError) {
        guard isDigit(byte()) else { throw isStart ? unexpected() : failure(.missingDigits) }
        repeat { offset &+= 1 } while isDigit(byte())
    }

    // MARK: - strings

    /// Reads a string and checks its escapes and its UTF-8. `withBytes` gives access to its bytes.
    @inlinable
    public mutating func readString() throws(JSONError) -> JSONToken {
        skipWhitespace()
        guard byte() == UInt8(ascii: "\"") else { throw unexpected() }
        offset &+= 1
        let start = offset
        var hasEscapes = false
        while true {
            while let word = eightBytes() {
                let found = PlainRun.endMask(in: word)
                if found != 0 {
                    offset &+= found.trailingZeroBitCount &>> 3
                    break
                }
                offset &+= 8
            }
            let next = byte()
            if next == UInt8(ascii: "\"") {
                defer { offset &+= 1 }
                return JSONToken(start: start, end: offset, hasEscapes: hasEscapes)
            }
            if next == UInt8(ascii: "\\") {
                hasEscapes = true
                _ = try readEscape()
            } else if next >= 0x80 {
                try skipMultibyteScalar()
            } else if next >= 0x20 {
                offset &+= 1
            } else {
                throw offset < end ? failure(.controlCharacter(next)) : failure(.unexpectedEnd)
            }
        }
    }

    @usableFromInline
    mutating func skipMultibyteScalar() throws(JSONError) {
        let length = UTF8Scalar.length(byte(), byte(ahead: 1), byte(ahead: 2), byte(ahead: 3))
        guard length > 0, length <= end - offset else { throw failure(.invalidUTF8) }
        offset += length
    }

    /// Reads an escape and returns its scalar.
    @usableFromInline
    mutating func readEscape() throws(JSONError) -> UInt32 {
        let start = offset
        let letter = byte(ahead: 1)
        guard letter == UInt8(ascii: "u") else {
            guard let scalar = shortEscape(letter) else {
                throw offset + 1 < end ? failure(.invalidEscape) : failure(.unexpectedEnd, at: end)
            }
            offset += 2
            return scalar
        }
        let first = try readUnit()
        guard first & 0xf800 == 0xd800 else { return first }
        guard first < 0xdc00, byte() == UInt8(ascii: "\\"), byte(ahead: 1) == UInt8(ascii: "u") else {
            throw failure(.loneSurrogate, at: start)
        }
        let second = try readUnit()
        guard second & 0xfc00 == 0xdc00 else { throw failure(.loneSurrogate, at: start) }
        return 0x10000 + (first & 0x3ff) << 10 + (second & 0x3ff)
    }

    private func shortEscape(_ letter: UInt8) -> UInt32? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): UInt32(letter)
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0c
        case UInt8(ascii: "n"): 0x0a
        case UInt8(ascii: "r"): 0x0d
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    /// Reads `\uXXXX` as a UTF-16 unit.
    private mutating func readUnit() throws(JSONError) -> UInt32 {
        var unit: UInt32 = 0
        for distance in 2..<6 {
            guard let digit = Character(Unicode.Scalar(byte(ahead: distance))).hexDigitValue else {
                throw offset + distance < end ? failure(.invalidEscape) : failure(.unexpectedEnd, at: end)
            }
            unit = unit << 4 | UInt32(digit)
        }
        offset += 6
        return unit
    }

    /// Writes the value of a string with escapes to `scratch`.
    @usableFromInline
    mutating func spellOut(_ token: JSONToken) {
        var value = scratch
        scratch = []
        value.removeAll(keepingCapacity: true)
        forEachByte(of: token) { value.append($0) }
        scratch = value
    }

    /// Copies the value of a string, with its escapes replaced, to memory of the caller, which may
    /// be guarded. The reader keeps no copy.
    /// - Parameter target: has at least `token.maximumCount` bytes.
    /// - Returns: the number of bytes.
    public mutating func copyValue(of token: JSONToken, to target: inout MutableRawSpan) -> Int {
        var count = 0
        forEachByte(of: token) { byte in
            guard count < target.byteCount else { return }
            target.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
            count += 1
        }
        return count
    }

    /// Visits the bytes of the value of a string.
    private mutating func forEachByte(of token: JSONToken, _ visit: (UInt8) -> Void) {
        let before = offset
        offset = token.start
        while offset < min(token.end, end) {
            if byte() != UInt8(ascii: "\\") {
                visit(byte())
                offset += 1
            } else if let scalar = (try? readEscape()).flatMap(Unicode.Scalar.init) {
                for unit in scalar.utf8 { visit(unit) }
            } else {
                // Unreachable: a token comes from `readString`, which has read the same escapes.
                break
            }
        }
        offset = before
    }
}
