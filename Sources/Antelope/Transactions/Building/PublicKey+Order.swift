import Keys

extension PublicKey {
    /// True if nodeos sorts `left` before `right`: K1 before R1 before WebAuthn, then by the bytes
    /// of the point. WebAuthn keys of one point are sorted by the user presence, then by the bytes
    /// of the relying party id (AntelopeIO/spring 17ed17f, libraries/libfc:
    /// include/fc/crypto/common.hpp, `less_comparator`; include/fc/array.hpp, `operator <`;
    /// include/fc/crypto/elliptic_webauthn.hpp, `operator<`).
    package static func isOrdered(_ left: PublicKey, before right: PublicKey) -> Bool {
        guard left.kind == right.kind else { return left.kind.rawValue < right.kind.rawValue }
        return left.orderedBytes.lexicographicallyPrecedes(right.orderedBytes)
    }

    /// The body without the length of the relying party id, which does not count in the order.
    private var orderedBytes: [UInt8] {
        let fixed = 34
        guard kind == .webAuthn, body.count > fixed else { return body }
        // The length is a varuint32: all of its bytes but the last have the highest bit.
        let rest = body[fixed...].drop { $0 & 0x80 != 0 }.dropFirst()
        return Array(body[..<fixed] + rest)
    }
}
