/// Where a computation of a signature can go wrong. A bit that flips there, by a particle or by
/// somebody's hand on the voltage, is what gives keys away: a wrong signature beside a right one of
/// the same digest is enough to solve for the key.
package enum SigningFault: Sendable, Equatable {
    case key(bit: Int), digest(bit: Int), nonce(bit: Int), signature(bit: Int)
}

// Only tests flip bits: a release build has neither the variable nor the flipping (`make hardening`
// looks).
#if DEBUG
    extension SigningFault {
        /// The fault of every signature that is computed in this task. By this name it is searched
        /// for.
        @TaskLocal package static var testHook: SigningFault?

        /// Flips the bit in `bytes` that is injected at a place, counted from the lowest of the
        /// first byte.
        static func flip(in bytes: UnsafeMutablePointer<UInt8>?, _ place: (Int) -> SigningFault, count: Int) {
            guard let bytes = unsafe bytes, testHook != nil else { return }
            for bit in 0..<(8 * count) where testHook == place(bit) { unsafe bytes[bit / 8] ^= 1 << UInt8(bit % 8) }
        }

        /// Calls `body` with 32 bytes, or with a copy of them in which the bit is flipped.
        static func flipping(
            _ bytes: UnsafePointer<UInt8>, _ place: (Int) -> SigningFault, _ body: (UnsafePointer<UInt8>) -> Bool
        ) -> Bool {
            guard testHook != nil else { return unsafe body(bytes) }
            var copy = unsafe Array(UnsafeBufferPointer(start: bytes, count: 32))
            unsafe flip(in: &copy, place, count: 32)
            return unsafe body(copy)
        }
    }
#else
    extension SigningFault {
        @inline(__always)
        static func flip(in bytes: UnsafeMutablePointer<UInt8>?, _ place: (Int) -> SigningFault, count: Int) {}

        @inline(__always)
        static func flipping(
            _ bytes: UnsafePointer<UInt8>, _ place: (Int) -> SigningFault, _ body: (UnsafePointer<UInt8>) -> Bool
        ) -> Bool { unsafe body(bytes) }
    }
#endif
