import CMemcheck
import SecureMemory

/// A secret of a test, as a person would have typed it or a file had it.
func secret(_ text: String) throws -> SecureBytes {
    let bytes = try SecureBytes(copyingPublic: text.utf8)
    bytes.classify()
    return bytes
}

extension SecureBytes {
    /// How many bytes valgrind counts as secret.
    borrowing func secretCount() -> Int { withBytes { $0.secretCount() } }

    /// What it holds, no secret from here on.
    borrowing func disclosedText() -> String {
        withBytes { span in
            disclose(span)
            return String(decoding: (0..<span.byteCount).map { span[byte: $0] }, as: UTF8.self)
        }
    }
}

extension RawSpan {
    func secretCount() -> Int { unsafe withUnsafeBytes { unsafe memcheck_secret_count($0.baseAddress, $0.count) } }
}

/// That all of a secret is still one: what lost the mark on the way would not have been watched.
func expectSecret(_ bytes: borrowing SecureBytes, _ what: String) throws {
    let (count, all) = (bytes.secretCount(), bytes.count)
    try expect(count == all, "\(what): \(count) of \(all) bytes are secret")
}
