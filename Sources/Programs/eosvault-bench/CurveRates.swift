import CYardstick
import Keys
import SecureMemory

/// Compares K1 with the same calls in C: the same static library, a context created in the same
/// way, the same scalar and digests. The product additionally uses guarded memory, wiping and typed
/// values.
enum CurveRates {
    private static let count = 250
    static let scalar = [UInt8](repeating: 7, count: 32)

    static func key() throws -> PrivateKey {
        try PrivateKey(curve: .k1, scalar: SecureBytes(copyingPublic: scalar))
    }

    static func digests(_ count: Int = count) throws -> [SigningDigest] {
        try (0..<count).map { number in
            try SigningDigest(
                [UInt8](repeating: 0x5a, count: 30) + [UInt8(number >> 8), UInt8(number & 0xff)])
        }
    }

    /// A canonical signature without a check of the recovered key.
    static func sign(_ name: String) throws -> Rate? {
        let key = try key()
        let digests = try digests()
        let flat = digests.flatMap(\.bytes)
        return try Rate.compare(name, with: "the same loop in C", count: count) {
            for digest in digests { _ = try key.signUnchecked(digest) }
        } c: {
            unsafe yardstick_sign(scalar, flat, count)
        }
    }

    /// A signature as a batch makes it: its nonce is checked, its key is recovered and compared.
    static func signChecked(_ name: String) throws -> Rate? {
        let key = try key()
        let digests = try digests()
        let flat = digests.flatMap(\.bytes)
        let point = key.publicKey.body
        var nonce = try PrivateKey.nonceMemory()
        return try Rate.compare(name, with: "sign, recover, compare in C", count: count) {
            for digest in digests { _ = try key.sign(digest, nonce: &nonce) }
        } c: {
            unsafe yardstick_sign_checked(scalar, point, flat, count)
        }
    }

    static func derive(_ name: String) throws -> Rate? {
        let secret = try SecureBytes(copyingPublic: scalar)
        var point = [UInt8](repeating: 0, count: 33)
        return try Rate.compare(name, with: "create, serialize in C", count: count) {
            for _ in 0..<count {
                _ = try secret.withBytes { scalar throws(CurveError) in
                    try PrivateKey.publicKey(of: scalar, on: .k1)
                }
            }
        } c: {
            unsafe yardstick_derive(scalar, &point, count)
        }
    }

    static func recover(_ name: String) throws -> Rate? {
        let digest = try digests()[0]
        let signature = try key().sign(digest).signature
        var point = [UInt8](repeating: 0, count: 33)
        return try Rate.compare(name, with: "parse, recover, serialize in C", count: count) {
            for _ in 0..<count { _ = try signature.recover(digest) }
        } c: {
            unsafe yardstick_recover(signature.body, digest.bytes, &point, count)
        }
    }
}
