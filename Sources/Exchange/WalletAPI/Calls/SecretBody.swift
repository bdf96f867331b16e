import Codecs
import JSON
import SecureMemory

/// The body of `unlock` and `import_key`: an array of the wallet's name and a secret. The secret is
/// copied from guarded memory to guarded memory.
struct SecretBody: ~Copyable {
    let name: WalletName
    let secret: SecureBytes

    private init(name: WalletName, secret: consuming SecureBytes) {
        self.name = name
        self.secret = secret
    }

    /// - Throws: `invalidHTTPRequest`. The error has nothing of the body.
    init(_ body: borrowing SecureBytes) throws(WalletError) {
        // Reading text leaves parts of it in registers and on the stack.
        defer { wipeScratch() }
        self = try body.withBytes { span throws(WalletError) in
            try JSONReader.read(span, limits: BodyLimits.strings, orThrow: { _ in .unparsable }) {
                reader throws(WalletError) in
                let strings = try reader.strings(2)
                let name = try WalletName(reader.text(of: strings[0]))
                return SecretBody(name: name, secret: try Self.secret(strings[1], in: &reader))
            }
        }
    }

    private static func secret(
        _ token: JSONToken, in reader: inout JSONReader
    ) throws(WalletError) -> SecureBytes {
        var secret = try converting(
            { (_: SecureMemoryError) in WalletError.noMemory }, SecureBytes(count: token.maximumCount))
        let count = secret.withMutableBytes { reader.copyValue(of: token, to: &$0) }
        secret.truncate(to: count)
        return secret
    }
}
