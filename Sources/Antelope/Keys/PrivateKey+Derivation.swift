import SecureMemory

/// What the derivation of keys from a seed needs (BIP-32).
extension PrivateKey {
    /// Adds a number to a K1 scalar, modulo the order of the curve. Both have 32 bytes, most
    /// significant byte first.
    /// - Returns: false if the number is not below the order, or the sum is zero. The scalar
    ///   is then useless.
    package static func add(_ number: RawSpan, toScalar scalar: inout MutableRawSpan) -> Bool {
        CurveLibraries.start()
        defer { wipeScratch() }
        return K1.add(number, to: &scalar)
    }

    /// The public key of a K1 scalar, for a child that is not hardened.
    /// - Throws: `scalarOutOfRange`.
    package static func publicKey(ofScalar scalar: RawSpan) throws(CurveError) -> PublicKey {
        CurveLibraries.start()
        defer { wipeScratch() }
        guard K1.isScalar(scalar) else { throw .scalarOutOfRange(.k1) }
        return try K1.publicKey(of: scalar)
    }
}
