/// Public keys of P-256 as authenticators encode them: RFC 8152, section 13.1.1.
enum COSEKey {
    /// x and y, 32 bytes each, of a key with this algorithm.
    /// - Parameters:
    ///   - algorithm: -7 (ES256) for a credential, -25 (ECDH-ES + HKDF-256) for a key agreement.
    /// - Returns: nil if it is another kind of key. The point is not checked.
    static func point(_ key: CBORValue, algorithm: Int) -> [UInt8]? {
        guard key[1] == .unsigned(2), key[3] == number(algorithm), key.member(number(-1)) == .unsigned(1),
            let x = key.member(number(-2))?.bytes, let y = key.member(number(-3))?.bytes,
            x.count == 32, y.count == 32
        else { return nil }
        return x + y
    }

    /// The key agreement key of this program.
    static func agreement(_ point: [UInt8]) -> CBORValue {
        .map([
            .init(.unsigned(1), .unsigned(2)), .init(.unsigned(3), number(-25)),
            .init(number(-1), .unsigned(1)), .init(number(-2), .bytes(Array(point.prefix(32)))),
            .init(number(-3), .bytes(Array(point.dropFirst(32)))),
        ])
    }

    static func number(_ value: Int) -> CBORValue {
        value < 0 ? .negative(UInt64(-1 - value)) : .unsigned(UInt64(value))
    }
}
