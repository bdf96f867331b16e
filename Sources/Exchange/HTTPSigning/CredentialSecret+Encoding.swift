import Codecs
import SecureMemory

/// Secrets that a service shows as base64 or hex, and whose bytes are the key of the HMAC.
extension CredentialSecret {
    /// The most bytes to read: the text of the longest secret, and its line ending.
    package static let maximumEncodedInput = 2 * maximumCount + 2

    /// Decodes a secret in guarded memory. One final LF or CRLF is dropped.
    /// - Throws: `secret`, `memory`.
    package static func decoded(
        _ text: consuming SecureBytes, _ encoding: SignatureEncoding
    ) throws(HTTPSigningError) -> SecureBytes {
        text.dropFinalLineEnding()
        guard text.count > 0 else { throw .secret(.empty) }
        let count: Int? = encoding == .hex ? text.count / 2 : text.withBytes { Base64.byteCount(of: $0) }
        guard let count else { throw .secret(.incomplete(encoding)) }
        var secret = try converting(HTTPSigningError.memory, SecureBytes(count: count))
        do throws(CodecError) {
            try text.withBytes { text throws(CodecError) in
                try secret.withMutableBytes { bytes throws(CodecError) in
                    switch encoding {
                    case .hex: try Hex.decode(text, into: &bytes)
                    case .base64: try Base64.decode(text, into: &bytes)
                    }
                }
            }
        } catch {
            if let offset = error.offset { throw .secret(.notEncoded(encoding, offset: offset)) }
            throw .secret(.incomplete(encoding))
        }
        try check(count: count)
        return secret
    }

    /// The text of a secret, in guarded memory.
    package static func encoded(
        _ secret: borrowing SecureBytes, _ encoding: SignatureEncoding
    ) throws(SecureMemoryError) -> SecureBytes {
        let count = encoding == .hex ? 2 * secret.count : Base64.textCount(for: secret.count)
        var text = try SecureBytes(count: count)
        secret.withBytes { secret in
            text.withMutableBytes { text in
                switch encoding {
                case .hex: Hex.encode(secret, into: &text)
                case .base64: Base64.encode(secret, into: &text)
                }
            }
        }
        return text
    }

    /// True if all bytes are visible ASCII characters.
    package static func isPlainText(_ secret: borrowing SecureBytes) -> Bool {
        secret.withBytes { secret in
            var fault: UInt32 = 0
            for offset in 0..<secret.byteCount { fault |= ~mask(UInt32(secret[byte: offset]), 0x21, 0x7e) }
            return disclosed(fault == 0)
        }
    }
}

extension CodecError {
    /// The offset of a wrong character; nil for text that is cut off.
    fileprivate var offset: Int? {
        switch self {
        case .invalidHexDigit(let offset), .invalidBase64Character(let offset): offset
        default: nil
        }
    }
}
