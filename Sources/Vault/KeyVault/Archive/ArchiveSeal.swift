import Codecs
import SecureMemory

/// Seals and opens the parts of one archive. Part 0 is the first, and only the last part is marked
/// as such, so that parts can't be exchanged, left out or cut off.
struct ArchiveSeal: ~Copyable {
    /// A part ends with the record that reaches this number of bytes.
    static let partSize = 1 << 16
    /// The most bytes of a part: one more record, of any kind.
    static let maximumPartSize = partSize + VaultFormat.maximumValueCount

    private let key: HeldSecret<SecureBytes>
    private var index: UInt64 = 0

    /// The audit key that chains the last record stays in the vault after `rekey`, so that the
    /// archive can still be opened.
    init(_ header: ArchiveHeader, _ keys: AuditKeys) throws(VaultError) {
        key = try keys.withKey(of: header.last.sequence) { key throws(VaultError) in
            try HeldSecret(Sodium.keyedSecret(of: header.bytes, key: key), in: keys.current.custody)
        }
    }

    mutating func seal(_ part: [UInt8], isLast: Bool) throws(VaultError) -> [UInt8] {
        defer { index += 1 }
        let nonce = nonce(isLast)
        return try key.lend { key throws(VaultError) in
            unsafe Sodium.seal(part.span.bytes, binding: Domain.archive.bytes, nonce: nonce, key: key)
        }
    }

    /// - Returns: nil if it is not the next part.
    mutating func open(_ sealed: [UInt8], isLast: Bool) throws(VaultError) -> [UInt8]? {
        defer { index += 1 }
        let nonce = nonce(isLast)
        return try key.lend { key throws(VaultError) in
            Sodium.openPublic(sealed, binding: Domain.archive.bytes, nonce: nonce, key: key)
        }
    }

    private func nonce(_ isLast: Bool) -> [UInt8] {
        let bytes = index.littleEndianBytes + [isLast ? 1 : 0]
        return bytes + [UInt8](repeating: 0, count: Sodium.nonceCount - bytes.count)
    }
}
