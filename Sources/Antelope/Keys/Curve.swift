/// The two curves of Antelope keys.
public enum Curve: UInt8, Sendable, CaseIterable {
    /// secp256k1
    case k1 = 0
    /// secp256r1, also called P-256
    case r1 = 1
}
