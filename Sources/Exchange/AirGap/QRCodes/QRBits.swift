/// Bits in codewords, the most significant bit first.
struct QRBits {
    private(set) var codewords: [UInt8] = []
    private(set) var count = 0

    /// Appends the lowest bits of a value.
    mutating func append(_ value: Int, count bits: Int) {
        for shift in (0..<bits).reversed() {
            if count % 8 == 0 { codewords.append(0) }
            if value >> shift & 1 == 1 { codewords[codewords.count - 1] |= 0x80 >> UInt8(count % 8) }
            count += 1
        }
    }

    /// Appends the terminator and the padding (ISO/IEC 18004:2015, 7.4.9 and 7.4.10). The bits fit
    /// `dataCount` codewords.
    mutating func finish(dataCount: Int) {
        append(0, count: min(4, dataCount * 8 - count))
        count = codewords.count * 8
        for index in 0..<(dataCount - codewords.count) { append(index % 2 == 0 ? 0xec : 0x11, count: 8) }
    }
}
