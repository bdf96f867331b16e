import CMemcheck
import SecureMemory

/// A secret of a test, as if it was typed or read from a file.
func secret(_ text: String) throws -> SecureBytes {
    let bytes = try SecureBytes(copyingPublic: text.utf8)
    bytes.classify()
    return bytes
}

extension SecureBytes {
    /// The number of bytes that valgrind counts as secret.
    borrowing func secretCount() -> Int { withBytes { $0.secretCount() } }

    /// The text, which is public from here on.
    borrowing func disclosedText() -> String {
        withBytes { span in
            disclose(span)
            return String(decoding: (0..<span.byteCount).map { span[byte: $0] }, as: UTF8.self)
        }
    }
}

extension RawSpan {
    func secretCount() -> Int {
        unsafe withUnsafeBytes { unsafe memcheck_secret_count($0.baseAddress, $0.count) }
    }
}

/// Checks that all bytes are still marked as secret: valgrind does not check bytes that lost the
/// mark.
func expectSecret(_ bytes: borrowing SecureBytes, _ what: String) throws {
    let (count, all) = (bytes.secretCount(), bytes.count)
    try expect(count == all, "\(what): \(count) of \(all) bytes are secret")
}
