import Codecs
import SecureMemory

/// A text that a password encrypts, in a backup of Anchor (github.com/greymass/anchor,
/// app/shared/actions/wallet.js, with crypto-js 3.3.0): 32 hex digits of salt, 32 of IV, and base64
/// of AES in CBC with PKCS #7 padding.
///
/// The key is PBKDF2-HMAC-SHA1 of the password in 4,500 rounds. crypto-js counts a key in words of
/// 32 bits, and Anchor requests 64 words: AES has a key of 256 bytes and 70 rounds. There is no
/// MAC.
struct AnchorText {
    private static let saltDigits = 32
    private static let ivDigits = 32
    private static let rounds: UInt32 = 4500
    private static let keySize = 256

    private let salt: [UInt8]
    private let iv: [UInt8]
    private let cipher: [UInt8]

    /// - Parameter member: the name of the text, for errors.
    init(_ text: [UInt8], member: String) throws(WalletError) {
        let head = Self.saltDigits + Self.ivDigits
        guard text.count >= head else { throw .form(.anchor, .wrongLength(bytes: 0)) }
        let bytes: [UInt8]
        do { bytes = try Hex.decode(utf8: Array(text[..<head])) } catch {
            throw .form(.anchor, .hex(member: member, error))
        }
        salt = Array(bytes[..<(Self.saltDigits / 2)])
        iv = Array(bytes[(Self.saltDigits / 2)...])
        do { cipher = try Base64.decode(utf8: Array(text[head...])) } catch {
            throw .form(.anchor, .base64(member: member, error))
        }
        guard !cipher.isEmpty, cipher.count.isMultiple(of: AESCipher.blockSize) else {
            throw .form(.anchor, .wrongLength(bytes: cipher.count))
        }
    }

    /// The plaintext. A wrong password is not always noticed here.
    func decrypt(password: borrowing SecureBytes) throws(WalletError) -> SecureBytes {
        let salt = try converting(WalletError.memory, SecureBytes(copyingPublic: salt))
        let key = try converting(
            WalletError.memory,
            HMAC.sha1.derive(fromPassword: password, salt: salt, rounds: Self.rounds, count: Self.keySize))
        var plain = try SecureBytes.forWallet(count: cipher.count)
        try key.withBytes { key throws(WalletError) in
            let aes = try AESCipher(key: key)
            try iv.lend { iv throws(WalletError) in
                plain.withMutableBytes { aes.decryptCBC(iv: iv, cipher, into: &$0) }
            }
        }
        // The password is right if there is padding, except for one wrong password in 256.
        let padding = plain.withBytes { disclosed(AESCipher.paddingCount($0)) }
        guard padding > 0 else { throw .wrongPassword(.anchor) }
        plain.truncate(to: cipher.count - Int(padding))
        return plain
    }
}
