/// Reed-Solomon check codewords over GF(256) with the polynomial x^8 + x^4 + x^3 + x^2 + 1
/// (ISO/IEC 18004:2015, 7.5.2).
struct ReedSolomon {
    /// The coefficients of (x - 1)(x - a)(x - a^2)…, from the highest power, without the leading 1.
    private let generator: [UInt8]

    init(checkCount: Int) {
        var generator = [UInt8](repeating: 0, count: checkCount)
        generator[checkCount - 1] = 1
        var root: UInt8 = 1
        for _ in 0..<checkCount {
            for index in generator.indices {
                generator[index] = Self.product(generator[index], root)
                if index + 1 < checkCount { generator[index] ^= generator[index + 1] }
            }
            root = Self.product(root, 2)
        }
        self.generator = generator
    }

    /// The remainder of the data, divided by the generator.
    func checks(_ data: ArraySlice<UInt8>) -> [UInt8] {
        var remainder = [UInt8](repeating: 0, count: generator.count)
        for byte in data {
            let factor = byte ^ remainder[0]
            for index in remainder.indices {
                let next = index + 1 < remainder.count ? remainder[index + 1] : 0
                remainder[index] = next ^ Self.product(generator[index], factor)
            }
        }
        return remainder
    }

    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var product: UInt8 = 0
        for shift in (0..<UInt8(8)).reversed() {
            let carry: UInt8 = product >> 7 == 1 ? 0x1d : 0
            product = product << 1 ^ carry
            if right >> shift & 1 == 1 { product ^= left }
        }
        return product
    }
}
