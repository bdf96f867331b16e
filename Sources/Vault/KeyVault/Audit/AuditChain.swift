import Codecs
import SecureMemory

/// The chain that binds each record of the audit log to the record before it (VaultFormat.md, "The
/// audit log").
enum AuditChain {
    /// The MAC before the first record: 32 zero bytes.
    static let start = [UInt8](repeating: 0, count: Sodium.digestCount)

    /// The MAC of a record.
    static func mac(
        of body: [UInt8], sequence: Int64, after before: [UInt8], vaultID: [UInt8], key: borrowing SecureBytes
    ) -> [UInt8] {
        Sodium.keyedHash(Domain.audit.bytes + vaultID + before + sequence.littleEndianBytes + body, key: key)
    }
}
