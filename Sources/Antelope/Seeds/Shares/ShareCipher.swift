import Codecs
import SecureMemory

/// The encryption of the secret of a set by a passphrase: a Feistel network of four rounds, each
/// with PBKDF2-HMAC-SHA256 (SLIP-0039, "Encryption of the master secret").
///
/// Every passphrase decrypts every set, to another secret.
enum ShareCipher {
    /// The greatest exponent that is derived. Wallets use 0 and 1; 15 would take 327 million
    /// rounds.
    static let maximumExponent = 5
    private static let steps: [UInt8] = [0, 1, 2, 3]

    /// The rounds of HMAC that an exponent takes.
    static func rounds(_ exponent: Int) -> Int { 10_000 << exponent }

    static func encrypt(
        _ secret: borrowing SecureBytes, passphrase: borrowing SecureBytes?, _ parameters: ShareParameters
    ) throws(SeedError) -> SecureBytes { try run(steps, secret, passphrase, parameters) }

    static func decrypt(
        _ encrypted: borrowing SecureBytes, passphrase: borrowing SecureBytes?, _ parameters: ShareParameters
    ) throws(SeedError) -> SecureBytes { try run(steps.reversed(), encrypted, passphrase, parameters) }

    private static func run(
        _ steps: [UInt8], _ input: borrowing SecureBytes, _ passphrase: borrowing SecureBytes?,
        _ parameters: ShareParameters
    ) throws(SeedError) -> SecureBytes {
        let half = input.count / 2
        var left = try part(of: input, from: 0)
        var right = try part(of: input, from: half)
        var password: SecureBytes
        switch passphrase {
        case .some(let passphrase):
            try SeedPassphrase.check(passphrase)
            password = try guarded(1 + passphrase.count)
            password.copy(passphrase, to: 1)
        case .none: password = try guarded(1)
        }
        // The identifier is not hashed in extendable sets, so that another set can be made of the
        // same secret.
        let identifier = parameters.identifier
        let start =
            parameters.isExtendable
            ? [] : Array("shamir".utf8) + [UInt8(identifier >> 8), UInt8(identifier & 0xff)]
        for step in steps {
            password.withMutableBytes { $0[byte: 0] = step }
            var salt = try guarded(start.count + half)
            salt.withMutableBytes { salt in
                for (index, byte) in start.enumerated() { salt[byte: index] = byte }
            }
            salt.copy(right, to: start.count)
            let rounds = UInt32(rounds(parameters.exponent) / Self.steps.count)
            let mask: SecureBytes = try converting(
                SeedError.outOfMemory,
                HMAC.sha256.derive(fromPassword: password, salt: salt, rounds: rounds, count: half))
            mask.withBytes { mask in
                left.withMutableBytes { left in
                    for index in 0..<half { left[byte: index] ^= mask[byte: index] }
                }
            }
            swap(&left, &right)
        }
        var output = try guarded(input.count)
        output.copy(right, to: 0)
        output.copy(left, to: half)
        return output
    }

    /// A half of the bytes.
    private static func part(of bytes: borrowing SecureBytes, from start: Int) throws(SeedError)
        -> SecureBytes
    {
        let half = bytes.count / 2
        var part = try guarded(half)
        bytes.withBytes { bytes in
            part.withMutableBytes { $0.copy(bytes.extracting(start..<start + half), to: 0) }
        }
        return part
    }
}
