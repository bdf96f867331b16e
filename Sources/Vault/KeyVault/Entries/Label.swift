import Codecs
import Messages
import SecureMemory

/// A name that a user gives to a key: 1 to 64 printable characters that can't be mistaken for a
/// key, safe to print on a terminal.
///
/// Labels are compared byte by byte. A new label must also differ from the others in more than its
/// spelling (`LabelSpellings`).
package struct Label: Hashable, Sendable {
    /// Characters as a user counts them.
    package static let maximumCount = 64
    /// Combining marks are part of a character, so the number of bytes is limited too.
    static let maximumByteCount = 512

    package let text: String

    /// A new label.
    /// - Throws: `label` with the problem.
    package init(_ text: some StringProtocol) throws(VaultError) {
        try self.init(stored: text)
        if let problem { throw .input(.label(problem)) }
    }

    /// A label that a vault has. Earlier versions had fewer rules.
    /// - Throws: `label` with the problem.
    init(stored text: some StringProtocol) throws(VaultError) {
        let text = String(text)
        guard !text.isEmpty else { throw .input(.label(.empty)) }
        guard text.utf8.count <= Self.maximumByteCount, text.count <= Self.maximumCount else {
            throw .input(.label(.tooLong(maximum: Self.maximumCount)))
        }
        var offset = 0
        for scalar in text.unicodeScalars {
            guard scalar.isPlain else { throw .input(.label(.unprintable(offset: offset))) }
            offset += UTF8.width(scalar)
        }
        guard text.utf8.first != UInt8(ascii: " "), text.utf8.last != UInt8(ascii: " ") else {
            throw .input(.label(.outerSpace))
        }
        guard !Self.looksLikeKey(text) else { throw .input(.label(.looksLikeKey)) }
        self.text = text
    }

    /// Makes a label from bytes that may be a private key entered by mistake. A run of letters and
    /// digits as long as a key is refused before the bytes are copied out of guarded memory.
    /// - Throws: `label` with the problem.
    package init(utf8 text: RawSpan) throws(VaultError) {
        var run = 0
        for offset in 0..<text.byteCount {
            run = text[byte: offset].isASCIILetterOrDigit ? run + 1 : 0
            guard run < Self.keyLength else { throw .input(.label(.looksLikeKey)) }
        }
        let bytes = (0..<text.byteCount).map { text[byte: $0] }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let valid = (0...bytes.count).last { String(validating: bytes[..<$0], as: UTF8.self) != nil }
            throw .input(.label(.unprintable(offset: valid ?? 0)))
        }
        try self.init(text)
    }

    /// The length from which a run of letters and digits may be a key: base58 keys have 51 and more
    /// characters, raw hex has 64.
    private static let keyLength = 48

    /// Refuses more than the texts of keys: any text with a key's prefix, and any long text of
    /// letters and digits only.
    private static func looksLikeKey(_ text: String) -> Bool {
        if ["PUB_", "PVT_", "SIG_"].contains(where: text.hasPrefix) { return true }
        return text.utf8.count >= keyLength && text.utf8.allSatisfy(\.isASCIILetterOrDigit)
    }

    package static func == (left: Label, right: Label) -> Bool {
        // String's own == treats canonically equivalent texts as equal; the file does not.
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
