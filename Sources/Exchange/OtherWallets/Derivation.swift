import CLibraries
import CWallets
import SecureMemory

/// Keys from passwords. Only this file calls these functions.
enum Derivation {
    /// The parameters of scrypt (RFC 7914).
    struct ScryptCost: Equatable {
        let n: UInt64
        let r: UInt32
        let p: UInt32

        /// The bytes that are written to memory: its size if p is 1.
        var bytes: UInt64 { 128 * n * UInt64(r) * UInt64(p) }
    }

    /// The caller checks the cost. The memory of scrypt, at most `WalletLimits.scryptMemory`, is
    /// not locked.
    static func scrypt(
        _ password: RawSpan, salt: RawSpan, _ cost: ScryptCost, count: Int
    ) throws(WalletError) -> SecureBytes {
        precondition(cost.bytes <= WalletLimits.scryptMemory)
        defer { wipeScratch() }
        var key = try SecureBytes.forWallet(count: count)
        let isDerived = key.withMutableBytes { key in
            unsafe key.withUnsafeMutableBytes { key in
                unsafe password.withUnsafeBytes { password in
                    unsafe salt.withUnsafeBytes { salt in
                        unsafe scrypt_derive(
                            password.baseAddress?.bytes, password.count, salt.baseAddress?.bytes, salt.count,
                            cost.n, cost.r, cost.p, key.baseAddress?.bytes, key.count) == 1
                    }
                }
            }
        }
        // Only an allocation can fail.
        guard isDerived else { throw .memory(.unavailable(count: Int(clamping: cost.bytes))) }
        return key
    }

    /// Argon2id, version 0x13, 32 bytes.
    static func argon2id(
        _ password: RawSpan, salt: RawSpan, passes: UInt32, kibibytes: UInt32, lanes: UInt32
    ) throws(WalletError) -> SecureBytes {
        defer { wipeScratch() }
        let cost = argon2_cost(passes: passes, kibibytes: kibibytes, lanes: lanes)
        var key = try SecureBytes.forWallet(count: 32)
        let isDerived = key.withMutableBytes { key in
            unsafe key.withUnsafeMutableBytes { key in
                unsafe password.withUnsafeBytes { password in
                    unsafe salt.withUnsafeBytes { salt in
                        unsafe argon2id_derive(
                            cost, password.baseAddress?.bytes, password.count, salt.baseAddress?.bytes,
                            salt.count, key.baseAddress?.bytes) == 1
                    }
                }
            }
        }
        guard isDerived else { throw .memory(.unavailable(count: Int(kibibytes) << 10)) }
        return key
    }
}

/// XSalsa20-Poly1305 of NaCl, by libsodium.
enum SecretBox {
    static let nonceSize = Int(crypto_secretbox_NONCEBYTES)
    static let tagSize = Int(crypto_secretbox_MACBYTES)

    /// - Parameters:
    ///   - box: the tag, then the ciphertext.
    ///   - nonce: 24 bytes.
    ///   - key: 32 bytes.
    /// - Returns: nil if the tag does not match.
    static func open(
        _ box: RawSpan, nonce: RawSpan, key: borrowing SecureBytes
    ) throws(WalletError) -> SecureBytes? {
        precondition(box.byteCount >= tagSize && nonce.byteCount == nonceSize && key.count == 32)
        defer { wipeScratch() }
        var plain = try SecureBytes.forWallet(count: box.byteCount - tagSize)
        let isOpen = key.withBytes { key in
            plain.withMutableBytes { plain in open(box, nonce, key, into: &plain) }
        }
        guard isOpen else { return nil }
        return plain
    }

    private static func open(
        _ box: RawSpan, _ nonce: RawSpan, _ key: RawSpan, into plain: inout MutableRawSpan
    ) -> Bool {
        unsafe plain.withUnsafeMutableBytes { plain in
            unsafe box.withUnsafeBytes { box in
                unsafe nonce.withUnsafeBytes { nonce in
                    unsafe key.withUnsafeBytes { key in
                        guard let output = plain.baseAddress, let box = box.baseAddress,
                            let nonce = nonce.baseAddress, let key = key.baseAddress
                        else { return false }
                        return unsafe crypto_secretbox_open_easy(
                            output.bytes, box.bytes, UInt64(plain.count + tagSize), nonce.bytes, key.bytes)
                            == 0
                    }
                }
            }
        }
    }
}
