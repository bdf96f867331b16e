import ABICodec
import Codecs
import Keys
import SecureMemory
import WordLists

/// The owner key certificate of Anchor (github.com/greymass/keycert-js). The text is `anchorcert:`,
/// and `//` in some versions, then base64url of:
///
///     32 bytes  chain id
///     8, 8      account and permission, little-endian
///     38        type of the key (0 K1, 1 R1), and the encrypted key (`EncryptedKey`)
///
/// On paper, the last 38 bytes are words. The password has six words, and is the bytes that
/// they encode. Words are the digits of one number in base 2,048; each leading zero byte is one
/// word `abandon` (base2048-js).
enum AnchorCertificate {
    private static let scheme = "anchorcert:"
    private static let chainSize = 32
    private static let keySize = 1 + EncryptedKey.size
    private static let size = chainSize + 16 + keySize
    private static let passwordWordCount = 6
    /// 28 words for most keys. An R1 key has 27, and each zero byte at the start takes a word.
    private static let wordCounts = 27...31
    private static let usualWordCount = 28

    static func read(
        _ file: borrowing SecureBytes, password words: borrowing SecureBytes
    ) throws(WalletError) -> WalletFile {
        let isText = file.withBytes { $0.starts(with: scheme) }
        let bytes = isText ? try decode(text: file) : try decode(words: file)
        let key = bytes.suffix(keySize)
        let type = key.first ?? 0
        guard let curve = Curve(rawValue: type) else { throw .key(number: 1, .unknownType(type)) }
        let encrypted = try EncryptedKey(curve: curve, payload: Array(key.dropFirst()))
        let password = try Self.password(words)
        let decrypted = try password.withBytes { password throws(WalletError) in
            try encrypted.decrypt(password: password, .anchorCertificate)
        }
        var keys = try KeyCollector(capacity: 1)
        try keys.add(decrypted, label: isText ? label(bytes) : nil)
        return keys.finish()
    }

    private static func decode(text file: borrowing SecureBytes) throws(WalletError) -> [UInt8] {
        let text = file.withBytes { file in
            (0..<file.countWithoutLineEnding).map { file[byte: $0] }.dropFirst(scheme.utf8.count)
        }
        let body = text.starts(with: "//".utf8) ? text.dropFirst(2) : text
        let bytes: [UInt8]
        do { bytes = try Base64.decode(utf8: Array(body.prefix(2 * size)), .url) } catch {
            throw .form(.anchorCertificate, .base64(member: scheme, error))
        }
        guard bytes.count == size else {
            throw .form(.anchorCertificate, .wrongLength(bytes: bytes.count))
        }
        return bytes
    }

    private static func label(_ bytes: [UInt8]) -> String {
        let names = [chainSize, chainSize + 8].map { start in
            Name(rawValue: bytes[start..<(start + 8)].reversed().reduce(0) { $0 << 8 | UInt64($1) })
        }
        return "\(names[0].text)@\(names[1].text)"
    }

    // MARK: words

    /// The numbers of the words of a text.
    private static func numbers(
        _ text: borrowing SecureBytes, counts: ClosedRange<Int>, expected: Int
    ) throws(WalletError) -> WordNumbers {
        defer { wipeScratch() }
        let count = try forEachWord(in: text) { _, _ in }
        guard counts.contains(count) else {
            throw .words(.wrongCount(given: count, expected: expected))
        }
        var numbers = try converting(WalletError.memory, WordNumbers(list: .bip39, count: count))
        var unknown: Int?
        try forEachWord(in: text) { index, letters in
            if let number = letters.flatMap(WordList.bip39.number(of:)) {
                numbers[index] = number
            } else if unknown == nil {
                unknown = index + 1
            }
        }
        if let unknown { throw .words(.unknownWord(number: unknown)) }
        return numbers
    }

    @discardableResult
    private static func forEachWord(
        in text: borrowing SecureBytes, _ body: (_ index: Int, _ letters: UInt64?) -> Void
    ) throws(WalletError) -> Int {
        do { return try TypedWords.forEach(in: text, body) } catch { throw .memory(error) }
    }

    /// The 38 bytes. They are encrypted, so they are public.
    private static func decode(words file: borrowing SecureBytes) throws(WalletError) -> [UInt8] {
        // Text that is not words may be a private key.
        guard file.count <= TypedWords.maximumTextCount, try forEachWord(in: file, { _, _ in }) > 1 else {
            throw .form(.anchorCertificate, .missingPart(scheme))
        }
        let words = try numbers(file, counts: wordCounts, expected: usualWordCount)
        let digits = (0..<words.count).map { words[$0] }
        var bytes = [UInt8](repeating: 0, count: keySize)
        for digit in digits {
            var carry = UInt32(truncatingIfNeeded: digit)
            for index in bytes.indices.reversed() {
                carry += UInt32(bytes[index]) << 11
                bytes[index] = UInt8(truncatingIfNeeded: carry)
                carry >>= 8
            }
            guard carry == 0 else { throw .words(.malformed) }
        }
        let zeros = (words: digits.prefix { $0 == 0 }.count, bytes: bytes.prefix { $0 == 0 }.count)
        guard zeros.words == zeros.bytes else { throw .words(.malformed) }
        return bytes
    }

    /// The bytes of the six words.
    private static func password(_ words: borrowing SecureBytes) throws(WalletError) -> SecureBytes {
        let words = try numbers(
            words, counts: passwordWordCount...passwordWordCount, expected: passwordWordCount)
        return try bytes(of: words)
    }

    /// Not inlined, so that its stack frame is below the caller's, where `wipeScratch` clears it.
    @inline(never)
    private static func bytes(of words: borrowing WordNumbers) throws(WalletError) -> SecureBytes {
        defer { wipeScratch() }
        // 66 bits.
        var (number, zeros, stillZero) = (0 as UInt128, 0, 1)
        for index in 0..<words.count {
            let digit = words[index]
            number = number << 11 | UInt128(truncatingIfNeeded: digit)
            // 1 for the digit 0, without a branch.
            stillZero &= (digit &- 1) >> 63 & 1
            zeros &+= stillZero
        }
        let high = UInt64(truncatingIfNeeded: number >> 64)
        let low = UInt64(truncatingIfNeeded: number)
        var used = 0
        for index in 0..<8 { used |= ((1 << (index + 1)) &- 1) & mask(low >> UInt64(8 * index) & 0xff) }
        used |= 0x1ff & mask(high)
        // The length of the password, almost always 8 or 9, is public: it decides on the memory.
        let count = disclosed(zeros &+ used.nonzeroBitCount)
        var password = try SecureBytes.forWallet(count: count)
        password.withMutableBytes { password in
            for index in 0..<min(count, 9) {
                password[byte: count - 1 - index] = UInt8(truncatingIfNeeded: number >> UInt128(8 * index))
            }
        }
        return password
    }

    /// All ones if the number is not 0, without a branch.
    private static func mask(_ number: UInt64) -> Int {
        Int(truncatingIfNeeded: 0 &- (number | (0 &- number)) >> 63)
    }
}
