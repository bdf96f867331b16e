import Codecs
import JSON
import Keys
import SecureMemory

/// The wallet file of keosd: `{"cipher_keys": "HEX"}` (AntelopeIO/spring,
/// plugins/wallet_plugin/wallet.cpp).
///
/// The hex is AES-256-CBC with PKCS #7 padding. SHA-512 of the password gives the key (32 bytes)
/// and the IV (16 bytes). The plaintext:
///
///     64 bytes   the hash again
///     varuint32  the number n of keys
///     n times    type (0 K1, 1 R1), public key (33), type again, private key (32)
///
/// There is no checksum over the keys. One changed bit gives another private key with the same
/// public key, so each key is compared.
enum KeosdWallet {
    static let member: StaticString = "cipher_keys"
    static let entrySize = 1 + 33 + 1 + PrivateKey.size
    /// The hash, a count and padding.
    private static let minimumSize = SHA512.size + AESCipher.blockSize

    static func read(_ file: RawSpan, password: borrowing SecureBytes) throws(WalletError) -> WalletFile {
        let cipher = try ciphertext(of: file)
        var hash = try SecureBytes.forWallet(count: SHA512.size)
        password.withBytes { password in hash.withMutableBytes { SHA512.hash(password, into: &$0) } }
        var plain = try SecureBytes.forWallet(count: cipher.count)
        try hash.withBytes { hash throws(WalletError) in
            let aes = try AESCipher(key: hash.extracting(0..<32))
            plain.withMutableBytes { aes.decryptCBC(iv: hash.extracting(32..<48), cipher, into: &$0) }
        }
        let padding = try hash.withBytes { hash throws(WalletError) in
            try plain.withBytes { plain throws(WalletError) in try paddingCount(plain, hash: hash) }
        }
        return try plain.withBytes { plain throws(WalletError) in
            try keys(plain.extracting(SHA512.size..<(plain.byteCount - padding)))
        }
    }

    private static func ciphertext(of file: RawSpan) throws(WalletError) -> [UInt8] {
        let place = JSONPlace.outside(.keosd)
        let texts = try place.read(file) { reader throws(WalletError) in
            try reader.publicTexts([member], place)
        }
        guard let text = texts[0] else { throw place.missing(member.description) }
        let cipher: [UInt8]
        do { cipher = try Hex.decode(utf8: text) } catch {
            throw .form(.keosd, .hex(member: member.description, error))
        }
        guard cipher.count >= minimumSize, cipher.count.isMultiple(of: AESCipher.blockSize) else {
            throw .form(.keosd, .wrongLength(bytes: cipher.count))
        }
        return cipher
    }

    /// Decides on the padding and the hash together, so that the time is the same for both.
    private static func paddingCount(_ plain: RawSpan, hash: RawSpan) throws(WalletError) -> Int {
        let padding = AESCipher.paddingCount(plain)
        var difference: UInt8 = 0
        for index in 0..<SHA512.size { difference |= plain[byte: index] ^ hash[byte: index] }
        // 1 for no padding.
        let isUnpadded = (padding &- 1) >> 31
        guard disclosed(UInt32(difference) | isUnpadded) == 0 else { throw .wrongPassword(.keosd) }
        // The length of the plaintext follows from the number of keys.
        return Int(disclosed(padding))
    }

    /// - Parameter list: the number of keys, and the keys.
    static func keys(_ list: RawSpan) throws(WalletError) -> WalletFile {
        guard let (count, start) = count(list), count <= WalletLimits.keyCount * 2 else {
            throw .contents(.keosd, .wrongCount)
        }
        guard list.byteCount - start == count * entrySize else { throw .contents(.keosd, .wrongCount) }
        guard count <= WalletLimits.keyCount else { throw .limit(.keyCount) }
        var keys = try KeyCollector(capacity: count)
        var memory: SecureBytes? = nil
        for index in 0..<count {
            let offset = start + index * entrySize
            let entry = list.extracting(offset..<(offset + entrySize))
            let key = try key(entry, number: index + 1, in: memory.take())
            try keys.add(key, label: nil)
            memory = key.takeScalar()
        }
        return keys.finish()
    }

    /// The varuint32 at the start, and where the entries start. Padded forms are refused.
    private static func count(_ list: RawSpan) -> (count: Int, start: Int)? {
        var count = 0
        for index in 0..<min(5, list.byteCount) {
            let byte = disclosed(list[byte: index])
            count |= Int(byte & 0x7f) << (7 * index)
            if byte & 0x80 == 0 { return byte == 0 && index > 0 ? nil : (count, index + 1) }
        }
        return nil
    }

    private static func key(
        _ entry: RawSpan, number: Int, in memory: consuming SecureBytes?
    ) throws(WalletError) -> PrivateKey {
        let (type, second) = (disclosed(entry[byte: 0]), disclosed(entry[byte: 34]))
        guard let curve = Curve(rawValue: type) else { throw .key(number: number, .unknownType(type)) }
        guard second == type else { throw .key(number: number, .mismatch) }
        var scalar = try SecureBytes.forScalar(reusing: memory)
        scalar.withMutableBytes { $0.copy(entry.extracting(35..<entrySize), to: 0) }
        let key = try PrivateKey.decrypted(curve, scalar, number: number)
        let point = key.publicKey.body
        // No point is parsed: the computed one decides.
        guard (0..<point.count).allSatisfy({ disclosed(entry[byte: 1 + $0]) == point[$0] }) else {
            throw .key(number: number, .mismatch)
        }
        return key
    }
}
