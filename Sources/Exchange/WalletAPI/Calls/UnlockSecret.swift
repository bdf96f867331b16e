import Codecs
import JSON
import Messages
import SecureMemory

/// The body of the agent's own call `unlock`: the unlock method, copied from guarded memory to
/// guarded memory. The vault parses the values.
package enum UnlockSecret: ~Copyable {
    case pin(SecureBytes)
    case pinAndKeyFile(pin: SecureBytes, keyFile: SecureBytes)
    /// The words of a recovery phrase.
    case recovery(SecureBytes)

    /// Reads `{"pin": …}`, `{"pin": …, "key_file": …}` with the bytes of the file in hex, or
    /// `{"recovery": …}`.
    /// - Throws: `wrongBody`. The error has nothing of the body.
    init(_ body: borrowing SecureBytes) throws(WalletError) {
        // Reading text leaves parts of it in registers and on the stack.
        defer { wipeScratch() }
        self = try body.withBytes { span throws(WalletError) in
            try JSONReader.read(span, limits: BodyLimits.strings, orThrow: { _ in Self.malformed }) {
                reader throws(WalletError) in
                try Self.read(&reader)
            }
        }
    }

    private static let malformed = WalletError.wrongBody(
        "the body is not an object with pin, with pin and key_file, or with recovery")

    private static func read(_ reader: inout JSONReader) throws(WalletError) -> UnlockSecret {
        let tokens: [(name: String, value: JSONToken)]
        do throws(JSONError) { tokens = try Self.tokens(&reader) } catch { throw malformed }
        let names = tokens.map(\.name)
        func token(_ name: String) -> JSONToken? { tokens.first { $0.name == name }?.value }
        switch (names.count, token("pin"), token("key_file"), token("recovery")) {
        case (1, let pin?, nil, nil): return .pin(try Self.copy(pin, from: &reader))
        case (2, let pin?, let file?, nil):
            return .pinAndKeyFile(
                pin: try Self.copy(pin, from: &reader), keyFile: try Self.bytes(file, from: &reader))
        case (1, nil, nil, let words?): return .recovery(try Self.copy(words, from: &reader))
        default: throw malformed
        }
    }

    private static let names = ["pin", "key_file", "recovery"]

    /// Where the values are. The names are not secret; an unknown one is not kept.
    private static func tokens(
        _ reader: inout JSONReader
    ) throws(JSONError) -> [(name: String, value: JSONToken)] {
        var tokens: [(name: String, value: JSONToken)] = []
        try reader.beginObject()
        while let key = try reader.nextKey() {
            let name = names.first { name in
                reader.withBytes(of: key) { bytes in
                    bytes.count == name.utf8.count
                        && name.utf8.enumerated().allSatisfy { bytes[$0.offset] == $0.element }
                }
            }
            guard let name, !tokens.contains(where: { $0.name == name }) else {
                throw reader.duplicateKey(key)
            }
            tokens.append((name, try reader.readString()))
        }
        try reader.expectEnd()
        return tokens
    }

    private static func copy(
        _ token: JSONToken, from reader: inout JSONReader
    ) throws(WalletError) -> SecureBytes {
        var secret = try converting(
            { (_: SecureMemoryError) in WalletError(Words(.notEnoughMemory)) },
            SecureBytes(count: token.maximumCount))
        let count = secret.withMutableBytes { reader.copyValue(of: token, to: &$0) }
        secret.truncate(to: count)
        return secret
    }

    /// Bytes in hex.
    private static func bytes(
        _ token: JSONToken, from reader: inout JSONReader
    ) throws(WalletError) -> SecureBytes {
        let text = try copy(token, from: &reader)
        var bytes = try converting(
            { (_: SecureMemoryError) in WalletError(Words(.notEnoughMemory)) },
            SecureBytes(count: text.count / 2))
        let isHex = text.withBytes { text in
            bytes.withMutableBytes { bytes in
                do throws(CodecError) {
                    try Hex.decode(text, into: &bytes)
                    return true
                } catch { return false }
            }
        }
        guard isHex else { throw malformed }
        return bytes
    }
}
