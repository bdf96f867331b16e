import SecureMemory

/// The field of SLIP-0039: bytes modulo x^8 + x^4 + x^3 + x + 1 (0x11b). No table is used, because
/// the time of a look-up depends on the index.
enum GF256 {
    /// The product, in constant time.
    static func times(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var (product, left) = (0 as UInt8, left)
        for bit in 0..<8 as Range<UInt8> {
            product ^= left & (0 &- (right &>> bit & 1))
            left = left &<< 1 ^ (0x1b & (0 &- (left &>> 7)))
        }
        return product
    }

    /// x^254, which is the inverse of x; 0 for 0.
    static func inverse(_ x: UInt8) -> UInt8 {
        var (square, power) = (x, 1 as UInt8)
        for _ in 0..<7 {
            square = times(square, square)
            power = times(power, square)
        }
        return power
    }

    /// The factor of the value at `x` in the polynomial's value at `target` (Lagrange).
    /// - Parameter points: the coordinates of all known values, different and public.
    static func factor(of x: UInt8, among points: [UInt8], at target: UInt8) -> UInt8 {
        var (numerator, denominator) = (1 as UInt8, 1 as UInt8)
        for point in points where point != x {
            numerator = times(numerator, point ^ target)
            denominator = times(denominator, point ^ x)
        }
        return times(numerator, inverse(denominator))
    }
}
