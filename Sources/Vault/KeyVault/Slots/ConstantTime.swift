/// Comparisons of secret numbers without a branch.
enum ConstantTime {
    /// All ones when both are equal, else zero, without a branch.
    static func mask(ifEqual left: UInt64, _ right: UInt64) -> UInt64 {
        let difference = left ^ right
        return ((difference | (0 &- difference)) &>> 63) &- 1
    }

    /// All ones when low <= value <= high, else zero; for numbers below 2^63.
    static func mask(_ value: UInt64, isFrom low: UInt64, to high: UInt64) -> UInt64 {
        (((value &- low) | (high &- value)) &>> 63) &- 1
    }
}
