import Codecs
import Keys

/// The name of an entry. The name of an EOS key is its public key, as `PublicKey.text` writes it.
/// The name of anything else is `KIND:NAME` (VaultFormat.md, "Entries").
///
/// A name is safe to print on a terminal, whatever else the file contains.
package struct EntryName: Hashable, Sendable, CustomStringConvertible {
    /// In bytes.
    static let maximumCount = 128

    package let text: String

    package var description: String { text }

    package init(_ publicKey: PublicKey) { text = publicKey.text }

    /// - Returns: nil for a text that no entry can have as its name.
    package init?(_ text: String) {
        let parts = text.utf8.split(
            separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        guard (1...Self.maximumCount).contains(text.utf8.count), !parts.contains(where: \.isEmpty),
            parts.allSatisfy({ $0.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "_") } })
        else { return nil }
        self.text = text
    }

    /// True if the name has the form `KIND:NAME`.
    package var isKindAndName: Bool { text.utf8.contains(UInt8(ascii: ":")) }

    /// The public key of an EOS key; nil for the name of anything else.
    package var publicKey: PublicKey? {
        guard let key = try? PublicKey(text), key.text == text else { return nil }
        return key
    }
}

extension EntryName: Comparable {
    /// Byte by byte, as the rows of a bucket are ordered.
    package static func < (left: EntryName, right: EntryName) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }
}
