import WordLists

/// RS1024, a Reed-Solomon code over GF(1024): it detects any error in up to three words (SLIP-0039,
/// "Checksum").
enum ShareChecksum {
    static let wordCount = 3

    private static let generator: [UInt32] = [
        0x00e0_e040, 0x01c1_c080, 0x0383_8100, 0x0707_0200, 0x0e0e_0009, 0x1c0c_2412, 0x3808_6c24,
        0x3090_fc48, 0x21b1_f890, 0x03f3_f120,
    ]

    /// The remainder of a share's words; 1 if the checksum is right. The time does not depend on
    /// the words.
    static func remainder(of numbers: borrowing WordNumbers, isExtendable: Bool) -> UInt32 {
        var remainder: UInt32 = 1
        for byte in (isExtendable ? "shamir_extendable" : "shamir").utf8 { add(UInt32(byte), to: &remainder) }
        for position in 0..<numbers.count {
            // The conversion does not test whether the number fits.
            add(UInt32(truncatingIfNeeded: numbers[position]), to: &remainder)
        }
        return remainder
    }

    private static func add(_ value: UInt32, to remainder: inout UInt32) {
        let top = remainder &>> 20
        remainder = (remainder & 0xfffff) &<< 10 ^ value
        for (bit, term) in generator.enumerated() {
            remainder ^= term & (0 &- (top &>> UInt32(bit) & 1))
        }
    }

    /// Sets the last three words, which are 0.
    static func complete(_ numbers: inout WordNumbers, isExtendable: Bool) {
        let checksum = remainder(of: numbers, isExtendable: isExtendable) ^ 1
        for index in 0..<wordCount {
            numbers[numbers.count - 1 - index] = Int(
                truncatingIfNeeded: checksum &>> UInt32(10 * index) & 0x3ff)
        }
    }
}
