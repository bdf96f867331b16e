/// Keys and signatures of devices, which know no recovery id and no other rule of nodeos.
extension Signature {
    /// A signature from r and s, 32 bytes each, most significant byte first. The lower s is used,
    /// and the header byte is found by recovery.
    /// - Returns: nil if nodeos refuses it because it is not canonical (K1 only).
    /// - Throws: `recoveredOtherKey` if it is not a signature of the key.
    package init?(
        numbers: [UInt8], of key: PublicKey, over digest: SigningDigest
    ) throws(CurveError) {
        guard numbers.count == Self.compactSize - 1, let curve = Curve(key.kind) else {
            throw .wrongLength(expected: Self.compactSize - 1)
        }
        let compact = numbers[..<32] + curve.lower(Array(numbers[32...]))
        for header in 31...34 as ClosedRange<UInt8> {
            let signature = Signature(computed: key.kind, [header] + compact)
            guard (try? signature.recover(digest)) == key else { continue }
            guard curve.accepts(signature) else { return nil }
            self = signature
            return
        }
        throw .recoveredOtherKey
    }
}

extension PublicKey {
    /// The key of a point as PKCS#11 has it.
    /// - Parameters:
    ///   - ellipticPoint: CKA_EC_POINT: an OCTET STRING with the point (PKCS#11 2.40, 2.3.3), or
    ///     the point alone, which some modules state.
    ///   - parameters: CKA_EC_PARAMS: the object identifier of the curve in DER.
    package init(ellipticPoint: [UInt8], parameters: [UInt8]) throws(CurveError) {
        guard let curve = Curve.allCases.first(where: { $0.objectIdentifier == parameters }) else {
            throw .wrongLength(expected: 33)
        }
        var point = ellipticPoint[...]
        if [67, 35].contains(point.count), point.starts(with: [0x04, UInt8(point.count - 2)]) {
            point = point.dropFirst(2)
        }
        let kind: Kind = curve == .k1 ? .k1 : .r1
        guard let first = point.first else { throw .wrongLength(expected: 33) }
        switch (point.count, first) {
        case (33, 2), (33, 3): try self.init(kind: kind, body: Array(point))
        case (65, 4):
            let sign: UInt8 = 2 + (point.last ?? 0) & 1
            try self.init(kind: kind, body: [sign] + point.dropFirst().prefix(32))
            guard curve.isOn(Array(point)) else { throw .notOnCurve(curve) }
        default: throw .wrongLength(expected: 33)
        }
    }
}

extension Curve {
    init?(_ kind: PublicKey.Kind) {
        switch kind {
        case .k1: self = .k1
        case .r1: self = .r1
        case .webAuthn: return nil
        }
    }

    /// True if nodeos accepts a signature with these r and s, 32 bytes each, once it has the lower
    /// s.
    package func accepts(numbers: [UInt8]) -> Bool {
        let kind: PublicKey.Kind = self == .k1 ? .k1 : .r1
        let compact = [31] + numbers[..<32] + lower(Array(numbers[32...]))
        return accepts(Signature(computed: kind, compact))
    }

    /// On K1, both numbers must be canonical.
    fileprivate func accepts(_ signature: Signature) -> Bool { self == .r1 || signature.isCanonical }

    /// In DER: 1.3.132.0.10 (SEC 2) and 1.2.840.10045.3.1.7 (RFC 5480).
    package var objectIdentifier: [UInt8] {
        switch self {
        case .k1: [0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x0a]
        case .r1: [0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]
        }
    }

    /// The order of the curve's group, most significant byte first (SEC 2, 2.4.1 and 2.4.2).
    var order: [UInt8] {
        switch self {
        case .k1:
            [
                0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                0xfe, 0xba, 0xae, 0xdc, 0xe6, 0xaf, 0x48, 0xa0, 0x3b, 0xbf, 0xd2, 0x5e, 0x8c, 0xd0, 0x36,
                0x41, 0x41,
            ]
        case .r1:
            [
                0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                0xff, 0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63,
                0x25, 0x51,
            ]
        }
    }

    /// The smaller one of s and the order minus s. An s above the order stays as it is, and does
    /// not recover.
    func lower(_ s: [UInt8]) -> [UInt8] {
        guard let other = Self.difference(order, s) else { return s }
        return other.lexicographicallyPrecedes(s) ? other : s
    }

    /// A number of 32 bytes modulo the order. It is less than twice the order.
    func reduced(_ number: [UInt8]) -> [UInt8] { Self.difference(number, order) ?? number }

    /// The difference of two numbers of 32 bytes; nil if it is negative.
    private static func difference(_ number: [UInt8], _ other: [UInt8]) -> [UInt8]? {
        guard !number.lexicographicallyPrecedes(other) else { return nil }
        var difference = number
        var borrow = 0
        for index in stride(from: 31, through: 0, by: -1) {
            let byte = Int(number[index]) - Int(other[index]) - borrow
            difference[index] = UInt8(truncatingIfNeeded: byte)
            borrow = byte < 0 ? 1 : 0
        }
        return difference
    }

    /// True if the uncompressed point, 65 bytes, is on the curve.
    fileprivate func isOn(_ point: [UInt8]) -> Bool { self == .k1 ? K1.isOn(point) : R1.isOn(point) }
}
