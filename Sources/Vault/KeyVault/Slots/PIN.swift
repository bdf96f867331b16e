import Codecs
import SecureMemory

/// A PIN or passphrase as typed: 6 to 1,024 bytes of printable ASCII, in guarded memory.
///
/// Other characters are refused, because Unicode has several encodings of one word. The same PIN
/// typed on another keyboard would not open the vault.
package struct PIN: ~Copyable {
    /// Bytes.
    package static let allowedLengths = 6...1_024

    let bytes: SecureBytes

    /// - Parameter bytes: as typed. A caller that reads a file first removes its final line ending
    ///   (`dropFinalLineEnding`).
    /// - Throws: `pinEmpty`, `pinTooShort`, `pinTooLong`, `pinNotPrintableASCII`.
    package init(_ bytes: consuming SecureBytes) throws(VaultError) {
        guard bytes.count > 0 else { throw .input(.pinEmpty) }
        guard bytes.count <= Self.allowedLengths.upperBound else {
            throw .input(.pinTooLong(maximum: Self.allowedLengths.upperBound))
        }
        let offender: Int? = bytes.withBytes { span in
            (0..<span.byteCount).first { !(0x20...0x7e).contains(span[byte: $0]) }
        }
        if let offender { throw .input(.pinNotPrintableASCII(offset: offender)) }
        guard bytes.count >= Self.allowedLengths.lowerBound else {
            throw .input(.pinTooShort(minimum: Self.allowedLengths.lowerBound))
        }
        self.bytes = bytes
    }

    /// From the character after z to 2.
    private static let digitOffset = UInt8(ascii: "z") + 1 - UInt8(ascii: "2")

    /// A random PIN of 32 characters, a to z and 2 to 7: 160 bits.
    package static func random() throws(VaultError) -> PIN {
        var bytes = try converting(VaultError.memory, SecureBytes(randomCount: 32))
        bytes.withMutableBytes { span in
            for offset in 0..<span.byteCount {
                let value = span[byte: offset] & 31
                // Neither a branch nor a table depends on the secret.
                let isDigit = (value &+ 6) >> 5
                span[byte: offset] = UInt8(ascii: "a") &+ value &- isDigit &* Self.digitOffset
            }
        }
        return try PIN(bytes)
    }
}
