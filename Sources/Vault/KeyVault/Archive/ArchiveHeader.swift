import Codecs

/// The beginning of an archive of the audit log, in plain: which records of which vault it has
/// (VaultFormat.md, "Archives of the audit log"). The key of the sealed rest is derived from it, so
/// that nothing opens after an edit.
package struct ArchiveHeader: Equatable, Sendable {
    package static let count = 128
    private static let saltCount = 16

    let vaultID: [UInt8]
    /// The record before the first one.
    let before: AuditHead
    /// The last record.
    let last: AuditHead
    /// Random, so that no two archives have the same key.
    private let salt: [UInt8]

    init(vaultID: [UInt8], before: AuditHead, last: AuditHead) {
        (self.vaultID, self.before, self.last) = (vaultID, before, last)
        salt = Sodium.randomBytes(Self.saltCount)
    }

    /// - Returns: nil for bytes that no writer produces.
    package init?(_ bytes: [UInt8]) {
        do { self = try ByteReader.readAll(bytes, Self.init(from:)) } catch { return nil }
        guard bytes == self.bytes, before.sequence >= 0, last.sequence > before.sequence,
            last.sequence < Int64.max
        else { return nil }
    }

    private init(from reader: inout ByteReader) throws(CodecError) {
        _ = try reader.readBytes(Domain.archive.bytes.count)
        vaultID = try reader.readBytes(VaultFormat.vaultIDCount)
        let (before, last) = (try reader.readInteger(Int64.self), try reader.readInteger(Int64.self))
        self.before = AuditHead(sequence: before, mac: try reader.readBytes(Sodium.digestCount))
        self.last = AuditHead(sequence: last, mac: try reader.readBytes(Sodium.digestCount))
        salt = try reader.readBytes(Self.saltCount)
    }

    package var bytes: [UInt8] {
        let numbers = before.sequence.littleEndianBytes + last.sequence.littleEndianBytes
        return Domain.archive.bytes + vaultID + numbers + before.mac + last.mac + salt
    }

    /// Identifies the archive. The header determines the whole content: it has the vault, the
    /// numbers, and the MACs that the records lead from and to, and without the audit key nobody
    /// makes other records or another seal for it. The salt distinguishes two archives of the same
    /// records. No key is used, so that `b2sum -l 256` finds the file.
    var hash: [UInt8] { Sodium.hash(bytes) }
}
