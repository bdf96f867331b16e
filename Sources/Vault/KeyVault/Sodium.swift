import CLibraries
import Codecs
import Keys
import SecureMemory

/// The only file that calls libsodium. Secrets are passed in guarded memory. Salts, nonces,
/// ciphertext, digests and authenticated data are public and may be arrays.
enum Sodium {
    static let digestCount = 32
    static let keyCount = 32
    static let saltCount = 16
    static let nonceCount = 24
    static let tagCount = 16

    /// Initialises libsodium and the libraries of the sealed keys. Unlocking or making a vault
    /// calls this first, so that no library starts when a key is open.
    /// - Throws: `memory(.unavailable)` when libsodium can't be initialised.
    static func start() throws(VaultError) {
        try startWithoutKeys()
        CurveLibraries.start()
    }

    /// Initialises only libsodium, for reading a vault that may stay locked.
    static func startWithoutKeys() throws(VaultError) {
        // Idempotent and thread-safe; 1 means "already done".
        guard sodium_init() >= 0 else { throw .machine(.memory(.unavailable(count: 0))) }
    }

    static func randomBytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        unsafe randombytes_buf(&bytes, count)
        return bytes
    }

    /// BLAKE2b-256 without a key. It detects accidents and authenticates nothing.
    static func hash(_ message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: digestCount)
        // Fails only for lengths out of range; these lengths are fixed.
        _ = unsafe crypto_generichash(&digest, digestCount, message, UInt64(message.count), nil, 0)
        return digest
    }

    /// BLAKE2b-256 with a key of 32 bytes: a MAC.
    static func keyedHash(_ message: [UInt8], key: borrowing SecureBytes) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: digestCount)
        let count = key.count
        _ = unsafe key.lend { key in
            unsafe crypto_generichash(&digest, digestCount, message, UInt64(message.count), key, count)
        }
        // BLAKE2b leaves its first block, which is the key, on the stack. It is wiped here, because
        // callers make SQLite's system calls between two of these hashes.
        wipeShallowScratch()
        return digest
    }

    /// BLAKE2b-256 of public bytes with a key. The result is a secret of 32 bytes.
    static func keyedSecret(of message: [UInt8], key: borrowing SecureBytes) throws(VaultError) -> SecureBytes
    {
        let message: SecureBytes = try converting(VaultError.memory, SecureBytes(copyingPublic: message))
        return try keyedSecret(of: message, key: key)
    }

    /// BLAKE2b-256 of public bytes followed by a secret, with a key. The result is a secret of 32
    /// bytes.
    static func keyedSecret(
        of prefix: [UInt8], _ secret: borrowing SecureBytes, key: borrowing SecureBytes
    ) throws(VaultError) -> SecureBytes {
        var message = try guarded(prefix.count + secret.count)
        message.withMutableBytes { target in
            for (index, byte) in prefix.enumerated() { target[byte: index] = byte }
            secret.withBytes { span in
                for index in 0..<span.byteCount { target[byte: prefix.count + index] = span[byte: index] }
            }
        }
        return try keyedSecret(of: message, key: key)
    }

    private static func keyedSecret(of message: borrowing SecureBytes, key: borrowing SecureBytes)
        throws(VaultError)
        -> SecureBytes
    {
        var derived = try guarded(keyCount)
        let keyCount = key.count
        let messageCount = UInt64(message.count)
        unsafe derived.lendMutable { derived, count in
            _ = unsafe message.lend { message in
                unsafe key.lend { key in
                    unsafe crypto_generichash(derived, count, message, messageCount, key, keyCount)
                }
            }
        }
        wipeScratch()
        return derived
    }

    /// True if both digests are equal, in a time that depends only on the lengths.
    static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        // Discloses whether they differ, not where.
        return unsafe disclosed(sodium_memcmp(left, right, left.count) == 0)
    }

    /// SHA-256 of a secret, in guarded memory, because the secret may have few bits.
    static func sha256(_ message: borrowing SecureBytes) throws(VaultError) -> SecureBytes {
        var digest = try guarded(digestCount)
        let count = UInt64(message.count)
        unsafe digest.lendMutable { digest, _ in
            _ = unsafe message.lend { message in unsafe crypto_hash_sha256(digest, message, count) }
        }
        wipeScratch()
        return digest
    }

    /// `crypto_kdf_derive_from_key`: 32 bytes of BLAKE2b with the subkey's number as salt and the
    /// context as personalisation.
    static func subkey(_ subkey: Subkey, of key: borrowing SecureBytes) throws(VaultError) -> SecureBytes {
        var derived = try guarded(keyCount)
        let context = subkey.context.map { CChar(bitPattern: $0) }
        unsafe derived.lendMutable { derived, count in
            _ = unsafe key.lend { key in
                unsafe crypto_kdf_derive_from_key(derived, count, subkey.number, context, key)
            }
        }
        wipeScratch()
        return derived
    }

    /// Argon2id version 1.3, one lane, 32 bytes.
    /// - Throws: `notEnoughMemory`.
    static func argon2id(_ password: borrowing SecureBytes, salt: [UInt8], cost: KDFCost) throws(VaultError)
        -> SecureBytes
    {
        guard salt.count == saltCount else { throw .damaged(.slots) }
        var derived = try guarded(keyCount)
        let passwordCount = UInt64(password.count)
        let result = unsafe derived.lendMutable { derived, count in
            unsafe password.lend { password in
                unsafe password.withMemoryRebound(to: CChar.self, capacity: Int(passwordCount)) { password in
                    unsafe crypto_pwhash(
                        derived, UInt64(count), password, passwordCount, salt, UInt64(cost.passes),
                        Int(cost.memory),
                        crypto_pwhash_alg_argon2id13())
                }
            }
        }
        wipeScratch()
        guard result == 0 else { throw .machine(.notEnoughMemory(needed: cost.memory)) }
        // The PIN is not marked as secret up to here: by design, Argon2id accesses memory at
        // positions that depend on it.
        derived.classify()
        return derived
    }

    /// XChaCha20-Poly1305 (IETF): a ciphertext as long as the secret, then the tag of 16 bytes.
    static func seal(
        _ secret: RawSpan, binding associated: [UInt8], nonce: [UInt8], key: borrowing SecureBytes
    ) -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: secret.byteCount + tagCount)
        // Never fails: libsodium returns 0 for every message shorter than 2^64 bytes.
        _ = unsafe secret.lend { bytes in
            unsafe key.lend { key in
                unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
                    &sealed, nil, bytes, UInt64(secret.byteCount), associated, UInt64(associated.count), nil,
                    nonce, key
                )
            }
        }
        wipeScratch()
        // The sealed bytes are public: they are written to the file.
        return disclosed(sealed)
    }

    /// The secret. Nil when the key, nonce, associated data or ciphertext differ from the values of
    /// the sealing.
    static func open(
        _ sealed: [UInt8], binding associated: [UInt8], nonce: [UInt8], key: borrowing SecureBytes
    ) throws(VaultError) -> SecureBytes? {
        guard sealed.count >= tagCount else { return nil }
        var secret = try guarded(sealed.count - tagCount)
        let isOpen = unsafe secret.lendMutable { secret, _ in
            unsafe decrypt(sealed, associated, nonce, key, into: secret)
        }
        guard isOpen else { return nil }
        return secret
    }

    /// Lends the secret of a seal, in guarded memory that is used for many secrets.
    /// - Parameter memory: has room for the secret.
    /// - Returns: the result of `body`. Nil when the key, nonce, associated data or ciphertext
    ///   differ from the values of the sealing.
    static func open<Result>(
        _ sealed: [UInt8], binding associated: [UInt8], nonce: [UInt8], key: borrowing SecureBytes,
        into memory: inout ReusedBytes, _ body: (RawSpan) throws(VaultError) -> Result
    ) throws(VaultError) -> Result? {
        guard sealed.count >= tagCount else { return nil }
        return try memory.lend(sealed.count - tagCount) { secret throws(VaultError) in
            let isOpen = unsafe secret.withUnsafeMutableBytes { buffer in
                unsafe decrypt(
                    sealed, associated, nonce, key,
                    into: buffer.baseAddress?.assumingMemoryBound(to: UInt8.self))
            }
            return isOpen ? try body(secret.bytes) : nil
        }
    }

    /// The bytes in a seal, which need no guarded memory. Nil when the key, nonce, associated data
    /// or ciphertext differ from the values of the sealing.
    static func openPublic(
        _ sealed: [UInt8], binding associated: [UInt8], nonce: [UInt8], key: borrowing SecureBytes
    ) -> [UInt8]? {
        guard sealed.count >= tagCount else { return nil }
        var bytes = [UInt8](repeating: 0, count: sealed.count - tagCount)
        return unsafe decrypt(sealed, associated, nonce, key, into: &bytes) ? disclosed(bytes) : nil
    }

    /// True if the seal verifies. The secret is not decrypted, so no memory for it is needed.
    static func isSealed(
        _ sealed: [UInt8], binding associated: [UInt8], nonce: [UInt8], key: borrowing SecureBytes
    )
        -> Bool
    {
        // Without a place for the secret, libsodium only compares the tag.
        unsafe decrypt(sealed, associated, nonce, key, into: nil)
    }

    /// - Parameter secret: has room for the sealed bytes without their tag.
    /// - Returns: true if the seal verifies.
    @unsafe
    private static func decrypt(
        _ sealed: [UInt8], _ associated: [UInt8], _ nonce: [UInt8], _ key: borrowing SecureBytes,
        into secret: UnsafeMutablePointer<UInt8>?
    ) -> Bool {
        guard sealed.count >= tagCount, nonce.count == nonceCount, key.count == keyCount else { return false }
        let result = unsafe key.lend { key in
            unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
                secret, nil, nil, sealed, UInt64(sealed.count), associated, UInt64(associated.count), nonce,
                key)
        }
        wipeScratch()
        // Discloses whether the seal verifies.
        return disclosed(result == 0)
    }

    /// `count` random bytes in guarded memory.
    static func randomKey() throws(VaultError) -> SecureBytes {
        let key = try converting(VaultError.memory, SecureBytes(randomCount: keyCount))
        key.classify()
        return key
    }

    static func guarded(_ count: Int) throws(VaultError) -> SecureBytes {
        try converting(VaultError.memory, SecureBytes(count: count))
    }

    static func guarded(copying secret: RawSpan) throws(VaultError) -> SecureBytes {
        var copy = try guarded(secret.byteCount)
        copy.withMutableBytes { bytes in
            for index in 0..<secret.byteCount { bytes[byte: index] = secret[byte: index] }
        }
        return copy
    }
}

/// The purpose of a derived key, as libsodium's KDF takes it.
struct Subkey {
    let number: UInt64
    /// 8 bytes.
    let context: [UInt8]

    private init(_ number: UInt64, _ context: StaticString) {
        self.number = number
        self.context = unsafe [UInt8](UnsafeBufferPointer(start: context.utf8Start, count: 8))
    }

    // Derived from the master key.
    static let seal = Subkey(1, "eosvseal")
    static let manifest = Subkey(1, "eosvmani")
    static let audit = Subkey(1, "eosvaudi")
    // Derived from the secret that a slot's unlock method yields.
    static let wrapping = Subkey(1, "eosvslot")
    static let commitment = Subkey(2, "eosvslot")
}

// A pointer passed to libsodium is never null, even for zero bytes.
extension RawSpan {
    @unsafe
    fileprivate func lend<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        unsafe withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else {
                return unsafe withUnsafePointer(to: 0 as UInt8) { unsafe body($0) }
            }
            return unsafe body(base.assumingMemoryBound(to: UInt8.self))
        }
    }
}

extension SecureBytes {
    @unsafe
    fileprivate borrowing func lend<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        withBytes { unsafe $0.lend(body) }
    }

    @unsafe
    fileprivate mutating func lendMutable<Result>(_ body: (UnsafeMutablePointer<UInt8>, Int) -> Result)
        -> Result
    {
        withMutableBytes { span in
            unsafe span.withUnsafeMutableBytes { buffer in
                guard let base = buffer.baseAddress else {
                    var none: UInt8 = 0
                    return unsafe withUnsafeMutablePointer(to: &none) { unsafe body($0, 0) }
                }
                return unsafe body(base.assumingMemoryBound(to: UInt8.self), buffer.count)
            }
        }
    }
}
