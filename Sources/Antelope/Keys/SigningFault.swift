/// A place where a bit can flip while a signature is computed, caused by a particle or by an
/// attacker who manipulates the voltage. A wrong signature and a correct signature of the same
/// digest are enough to compute the private key.
package enum SigningFault: Sendable, Equatable {
    case key(bit: Int), digest(bit: Int), nonce(bit: Int), signature(bit: Int)
}

// Only tests flip bits. A release build has neither the variable nor the code that flips; `make
// hardening` checks this.
extension SigningFault {
    #if DEBUG
        /// The fault to inject into every signature that is computed in this task. `make hardening`
        /// searches for this name.
        @TaskLocal package static var testHook: SigningFault?
    #endif

    /// Flips the injected bit, if it is at this place. Bits are counted from the lowest bit of the
    /// first byte.
    @inline(__always)
    static func flip(in bytes: UnsafeMutablePointer<UInt8>?, _ place: (Int) -> SigningFault, count: Int) {
        #if DEBUG
            guard let bytes = unsafe bytes, testHook != nil else { return }
            for bit in 0..<(8 * count) where testHook == place(bit) {
                unsafe bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            }
        #endif
    }

    /// Calls `body` with the 32 bytes; if a fault is set, with a copy of them.
    @inline(__always)
    static func flipping(
        _ bytes: UnsafePointer<UInt8>, _ place: (Int) -> SigningFault, _ body: (UnsafePointer<UInt8>) -> Bool
    ) -> Bool {
        #if DEBUG
            if testHook != nil {
                var copy = unsafe Array(UnsafeBufferPointer(start: bytes, count: 32))
                unsafe flip(in: &copy, place, count: 32)
                return unsafe body(copy)
            }
        #endif
        return unsafe body(bytes)
    }
}
