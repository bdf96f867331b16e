import Codecs
import Keys
import SecureMemory

/// A private key that a password encrypts (EEP-8; github.com/greymass/eosio-key-encryption):
///
///     1 byte    the cost of scrypt
///     4 bytes   SHA-256 twice of the text `PUB_…` of the public key, its start: a check of the
///               password, and the salt
///     32 bytes  AES-256-CBC of the private key, without padding
///
/// scrypt of the password gives 48 bytes: the IV (16) and the key of AES (32).
struct EncryptedKey {
    static let size = 1 + checkSize + PrivateKey.size
    private static let checkSize = 4

    let curve: Curve
    private let cost: Derivation.ScryptCost
    private let check: [UInt8]
    private let cipher: [UInt8]

    /// - Parameter payload: 37 bytes.
    /// - Throws: `.limit(.derivation)` before memory is allocated.
    init(curve: Curve, payload: [UInt8]) throws(WalletError) {
        precondition(payload.count == Self.size)
        let header = payload[0]
        cost = Derivation.ScryptCost(
            n: 1 << (UInt64(header >> 5) + 14), r: 1 << (UInt32(header >> 2 & 7) + 3),
            p: 1 << UInt32(header & 3))
        guard cost.bytes <= WalletLimits.scryptMemory else { throw .limit(.derivation(bytes: cost.bytes)) }
        self.curve = curve
        check = Array(payload[1...Self.checkSize])
        cipher = Array(payload[(1 + Self.checkSize)...])
    }

    /// - Parameter format: for the error.
    func decrypt(password: RawSpan, _ format: WalletFormat) throws(WalletError) -> PrivateKey {
        let derived = try check.lend { check throws(WalletError) in
            try Derivation.scrypt(password, salt: check, cost, count: 48)
        }
        var scalar = try SecureBytes.forWallet(count: PrivateKey.size)
        try derived.withBytes { derived throws(WalletError) in
            let aes = try AESCipher(key: derived.extracting(16..<48))
            scalar.withMutableBytes { aes.decryptCBC(iv: derived.extracting(0..<16), cipher, into: &$0) }
        }
        let key: PrivateKey
        do { key = try PrivateKey(curve: curve, scalar: scalar) } catch {
            switch error {
            case .scalarOutOfRange: throw .wrongPassword(format)
            case .memory(let error): throw .memory(error)
            default: throw .key(number: 1, .scalar(error))
            }
        }
        let once = HashFunction.sha256.hash(Array(key.publicKey.canonicalText.utf8))
        guard HashFunction.sha256.hash(once).starts(with: check) else { throw .wrongPassword(format) }
        return key
    }

    // MARK: text

    /// Reads a file with one text, `SEC_K1_…` or `SEC_R1_…`, and at most one line ending.
    static func read(_ file: RawSpan, password: borrowing SecureBytes) throws(WalletError) -> WalletFile {
        let encrypted = try EncryptedKey(text: file.extracting(0..<file.countWithoutLineEnding))
        let key = try password.withBytes { password throws(WalletError) in
            try encrypted.decrypt(password: password, .secK1)
        }
        var keys = try KeyCollector(capacity: 1)
        try keys.add(key, label: nil)
        return keys.finish()
    }

    /// No text is longer: 41 bytes have at most 57 characters of base58.
    private static let maximumTextCount = 128

    private init(text: RawSpan) throws(WalletError) {
        // Text that does not begin so may be a private key, and is not copied.
        guard text.starts(with: "SEC_"), text.byteCount <= Self.maximumTextCount else {
            throw .form(.secK1, .missingPart("SEC_K1_"))
        }
        let characters = (0..<text.byteCount).map { text[byte: $0] }
        let parts = characters.dropFirst(4).split(
            separator: UInt8(ascii: "_"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw .form(.secK1, .missingPart("SEC_K1_")) }
        let name = String(decoding: parts[0], as: UTF8.self)
        guard let curve = Curve.allCases.first(where: { $0.suffix == name }) else {
            throw .unsupported(.curve(name))
        }
        let bytes: [UInt8]
        do { bytes = try Base58.decode(parts[1]) } catch { throw .form(.secK1, .base58(error)) }
        guard bytes.count > Self.checkSize else {
            throw .form(.secK1, .base58(.wrongBase58Length(expected: Self.size + Self.checkSize)))
        }
        let (payload, checksum) = (Array(bytes.dropLast(Self.checkSize)), bytes.suffix(Self.checkSize))
        guard HashFunction.ripemd160.hash(payload + curve.suffix.utf8).starts(with: checksum) else {
            throw .form(.secK1, .checksum)
        }
        guard payload.count == Self.size else {
            throw .form(.secK1, .base58(.wrongBase58Length(expected: Self.size + Self.checkSize)))
        }
        try self.init(curve: curve, payload: payload)
    }
}

extension RawSpan {
    /// The number of bytes without one LF or CRLF at the end.
    var countWithoutLineEnding: Int {
        var count = byteCount
        if count > 0, isSeparator(UInt8(ascii: "\n"), at: count - 1) {
            count -= 1
            if count > 0, isSeparator(UInt8(ascii: "\r"), at: count - 1) { count -= 1 }
        }
        return count
    }
}
