import CLibraries

@testable import HTTPSigning

extension Secret {
    /// The secret of a credential: its text, and the values of HMAC that can replace it.
    static func credential(_ name: String, _ text: String) -> Secret {
        let secret = Secret.text(name, text)
        return Secret(
            name, secret.bytes, secret.forms + KeyedHash.allCases.flatMap { macForms(secret.bytes, $0) })
    }

    /// The key with both pads, and the states of the hash function after them (RFC 2104).
    static func macForms(_ secret: [UInt8], _ hash: KeyedHash) -> [Form] {
        let size = hash == .sha512 ? 128 : 64
        let key = secret.count > size ? hash.digest(secret) : secret
        let hashed = secret.count > size ? [Form("\(hash) of the secret", key)] : []
        return hashed
            + [UInt8(0x36), 0x5c].flatMap { pad in
                let block = (key + [UInt8](repeating: 0, count: size - key.count)).map { $0 ^ pad }
                return [Form("\(hash), pad \(pad)", Array(block.prefix(key.count)))]
                    + stateForms("\(hash) after pad \(pad)", state(of: hash, after: block), hash)
            }
    }

    /// The words of a state from the first to the last. The processor's instructions for SHA-1 and
    /// SHA-256 keep them in the opposite order.
    private static func stateForms(_ name: String, _ state: [UInt8], _ hash: KeyedHash) -> [Form] {
        guard hash != .sha512 else { return [Form(name, state, step: 8)] }
        let words = stride(from: 0, to: state.count, by: 4).map { state[$0..<($0 + 4)] }
        return [
            Form(name, state, step: 4),
            Form("words of \(name) backwards", Array(words.reversed().joined()), step: 4),
        ]
    }

    private static func state(of hash: KeyedHash, after block: [UInt8]) -> [UInt8] {
        switch hash {
        case .sha1: state(SHA_CTX(), 20, block, SHA1_Init, SHA1_Update)
        case .sha256: state(SHA256_CTX(), 32, block, SHA256_Init, SHA256_Update)
        case .sha512: state(SHA512_CTX(), 64, block, SHA512_Init, SHA512_Update)
        }
    }

    /// The words of the state are the first bytes of each context.
    private static func state<Context>(
        _ context: Context, _ count: Int, _ block: [UInt8], _ begin: (UnsafeMutablePointer<Context>?) -> CInt,
        _ update: (UnsafeMutablePointer<Context>?, UnsafeRawPointer?, Int) -> CInt
    ) -> [UInt8] {
        var context = context
        guard begin(&context) == 1, update(&context, block, block.count) == 1 else { return [] }
        return withUnsafeBytes(of: context) { Array($0.prefix(count)) }
    }
}
