import Codecs
import JSON
import SecureMemory
import Seeds

/// Encrypted bytes of Scatter: `{"iv":"…","salt":"…","ct":"…"}`, base64 with padding (aes-oop,
/// sjcl). The other parameters of sjcl have their default values.
struct ScatterBox {
    static let tagSize = 8
    private static let saltSize = 8
    private static let ivSize = 16

    let iv: [UInt8]
    let salt: [UInt8]
    /// The ciphertext, then the tag.
    let cipher: [UInt8]

    init(_ text: RawSpan, _ place: JSONPlace) throws(WalletError) {
        let names: [StaticString] = ["iv", "salt", "ct"]
        let texts = try place.read(text) { reader throws(WalletError) in
            try reader.publicTexts(names, place)
        }
        var parts: [[UInt8]] = []
        for (name, text) in zip(names, texts) {
            guard let text else { throw place.missing(name.description) }
            do { parts.append(try Base64.decode(utf8: text)) } catch {
                throw .form(.scatter, .base64(member: name.description, error))
            }
        }
        guard parts[0].count == Self.ivSize else { throw place.wrong("iv") }
        guard parts[1].count == Self.saltSize else { throw place.wrong("salt") }
        guard parts[2].count >= Self.tagSize else {
            throw .form(.scatter, .wrongLength(bytes: parts[2].count))
        }
        (iv, salt, cipher) = (parts[0], parts[1], parts[2])
    }
}

/// Opens the boxes of a backup.
///
/// scrypt of the password gives 16 bytes: the entropy of 12 words (BIP-39). The seed of the words,
/// as hex, is the password of all boxes: PBKDF2-HMAC-SHA256 in 10,000 rounds gives a key of
/// AES-128-GCM.
struct ScatterBoxes: ~Copyable {
    private static let cost = Derivation.ScryptCost(n: 16384, r: 8, p: 1)
    private static let rounds: UInt32 = 10_000

    private let seedText: SecureBytes
    /// The keys of AES, 16 bytes for each salt in `salts`. Boxes of one session have the same salt.
    private var aesKeys: SecureBytes
    private var salts: [[UInt8]] = []

    init(password: borrowing SecureBytes, salt: RawSpan) throws(WalletError) {
        SeedLibraries.start()
        let entropy = try password.withBytes { password throws(WalletError) in
            try Derivation.scrypt(password, salt: salt, Self.cost, count: 16)
        }
        let seed = try Self.seed(entropy)
        var text = try SecureBytes.forWallet(count: 2 * seed.count)
        seed.withBytes { seed in text.withMutableBytes { Hex.encode(seed, into: &$0) } }
        try self.init(seedText: text)
    }

    init(seedText: borrowing SecureBytes) throws(WalletError) {
        var text = try SecureBytes.forWallet(count: seedText.count)
        seedText.withBytes { source in text.withMutableBytes { $0.copy(source, to: 0) } }
        let aesKeys = try SecureBytes.forWallet(count: 16 * WalletLimits.derivationCount)
        self.seedText = text
        self.aesKeys = aesKeys
    }

    private static func seed(_ entropy: consuming SecureBytes) throws(WalletError) -> SecureBytes {
        do { return try SeedPhrase(entropy: entropy).seed(passphrase: nil) } catch {
            switch error {
            case .memory(let error): throw .memory(error)
            default: throw .libraryFailure
            }
        }
    }

    /// - Throws: `wrongPassword` if the tag does not match.
    mutating func open(_ box: ScatterBox) throws(WalletError) -> SecureBytes {
        let index = try keyIndex(of: box.salt)
        let count = box.cipher.count - ScatterBox.tagSize
        var plain = try SecureBytes.forWallet(count: count)
        let isOpen = try aesKeys.withBytes { keys throws(WalletError) in
            let aes = try AESCipher(key: keys.extracting((16 * index)..<(16 * index + 16)))
            return try plain.withMutableBytes { plain throws(WalletError) in
                try aes.openGCM(
                    iv: box.iv, Array(box.cipher[..<count]), tag: Array(box.cipher[count...]), into: &plain)
            }
        }
        guard isOpen else { throw .wrongPassword(.scatter) }
        return plain
    }

    private mutating func keyIndex(of salt: [UInt8]) throws(WalletError) -> Int {
        if let index = salts.firstIndex(of: salt) { return index }
        guard salts.count < WalletLimits.derivationCount else { throw .limit(.derivationCount) }
        let bytes = try converting(WalletError.memory, SecureBytes(copyingPublic: salt))
        let key = try converting(
            WalletError.memory,
            HMAC.sha256.derive(fromPassword: seedText, salt: bytes, rounds: Self.rounds, count: 16))
        let index = salts.count
        salts.append(salt)
        key.withBytes { key in aesKeys.withMutableBytes { $0.copy(key, to: 16 * index) } }
        return index
    }
}
