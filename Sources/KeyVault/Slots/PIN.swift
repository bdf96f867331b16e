import SecureMemory

/// A PIN or passphrase as it was typed: 6 to 1,024 bytes of printable ASCII, in guarded memory.
///
/// Unicode has several spellings of one word, so other characters are refused: the same PIN typed
/// on another keyboard would not open the vault.
package struct PIN: ~Copyable {
    /// Bytes.
    package static let allowedLengths = 6...1_024

    let bytes: SecureBytes

    /// - Parameter bytes: as typed; what reads a file drops its final line ending before
    ///   (`dropFinalLineEnding`).
    /// - Throws: `pinEmpty`, `pinTooShort`, `pinTooLong`, `pinNotPrintableASCII`.
    package init(_ bytes: consuming SecureBytes) throws(VaultError) {
        guard bytes.count > 0 else { throw .pinEmpty }
        guard bytes.count <= Self.allowedLengths.upperBound else {
            throw .pinTooLong(maximum: Self.allowedLengths.upperBound)
        }
        let offender: Int? = bytes.withBytes { span in
            (0..<span.byteCount).first { !(0x20...0x7e).contains(span[byte: $0]) }
        }
        if let offender { throw .pinNotPrintableASCII(offset: offender) }
        guard bytes.count >= Self.allowedLengths.lowerBound else {
            throw .pinTooShort(minimum: Self.allowedLengths.lowerBound)
        }
        self.bytes = bytes
    }

    /// Whether both are the same PIN, as when it is asked for twice; in time that depends on the
    /// lengths alone.
    package borrowing func isEqual(to other: borrowing PIN) -> Bool {
        bytes.isEqual(to: other.bytes)
    }
}

extension PIN {
    /// Whether it is made of digits alone: then it has few enough spellings to be tried out by
    /// whoever takes the file.
    package var isDigitsOnly: Bool {
        bytes.withBytes { span in
            (0..<span.byteCount).allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(span[byte: $0]) }
        }
    }
}
