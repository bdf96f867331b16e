import Codecs
import Files

/// Reads an archive part by part, and follows the chain of its records from the record before the
/// first one to the last one.
package struct ArchiveReader: ~Copyable {
    private let file: OpenFile
    private let header: ArchiveHeader
    private let keys: AuditKeys
    private var seal: ArchiveSeal
    private var trail: AuditTrail
    /// The position of the next frame.
    private var offset = Int64(ArchiveHeader.count)
    private var isAtEnd = false

    /// - Throws: `archiveDamaged` if the header is not the one that was read before; `noSuchFile`,
    ///   `system`.
    init(_ archive: AuditArchive, _ keys: AuditKeys) throws(VaultError) {
        let file = try Self.open(archive)
        let seal = try ArchiveSeal(archive.header, keys)
        self.file = file
        self.seal = seal
        self.keys = keys
        header = archive.header
        trail = AuditTrail(head: header.last, last: header.before)
    }

    private static func open(_ archive: AuditArchive) throws(VaultError) -> OpenFile {
        let file = try converting(VaultError.init(opening:), OpenFile(archive.path))
        let header = try file.withDescriptor { file throws(VaultError) in
            // The bytes are read from the disk, as far as the kernel allows it.
            file.dropCache()
            return try converting(VaultError.init(file:), file.bytes(ArchiveHeader.count, at: 0))
        }
        guard header == archive.header.bytes else { throw .integrity(.archiveDamaged(intactUpTo: nil)) }
        return file
    }

    /// The records of the next part. They are authentic, but only after the last part it is proved
    /// that the archive is complete.
    /// - Returns: nil at the end.
    /// - Throws: `archiveDamaged`, `damaged(.row(.audit))`, `system`.
    package mutating func next() throws(VaultError) -> [AuditRecord]? {
        guard !isAtEnd else { return nil }
        let start = offset + Int64(ArchiveFrame.count)
        guard let frame = ArchiveFrame(try bytes(ArchiveFrame.count, at: offset)) else { throw damage }
        // A frame requests no more memory than the file has bytes.
        guard try size() - start >= Int64(frame.sealedCount),
            let opened = try seal.open(bytes(frame.sealedCount, at: start), isLast: frame.isLast),
            let part = ArchivePart(opened)
        else { throw damage }
        let records = try records(of: part)
        offset = start + Int64(frame.sealedCount)
        isAtEnd = frame.isLast
        if isAtEnd {
            guard trail.isComplete, try size() == offset else { throw damage }
        }
        return records
    }

    /// Reads to the end.
    /// - Throws: the errors of `next`.
    package mutating func verify() throws(VaultError) { while try next() != nil {} }

    private mutating func records(of part: ArchivePart) throws(VaultError) -> [AuditRecord] {
        var records: [AuditRecord] = []
        for body in part.bodies {
            let sequence = trail.last.sequence + 1
            guard sequence <= header.last.sequence else { throw damage }
            records.append(try AuditRecord(sequence: sequence, body: body))
            try trail.visit(sequence, body: body, vaultID: header.vaultID, keys: keys)
        }
        return records
    }

    private var damage: VaultError {
        let last = trail.last.sequence
        return .integrity(.archiveDamaged(intactUpTo: last > header.before.sequence ? last : nil))
    }

    private func size() throws(VaultError) -> Int64 {
        try file.withDescriptor { file throws(VaultError) in
            try converting(VaultError.init(file:), file.status.size)
        }
    }

    private func bytes(_ count: Int, at offset: Int64) throws(VaultError) -> [UInt8] {
        try file.withDescriptor { file throws(VaultError) in
            try converting(VaultError.init(file:), file.bytes(count, at: offset))
        }
    }
}

extension UnlockedVault {
    /// Reads the records of an archive of this vault.
    /// - Throws: `archiveOfOtherVault`, and the errors of `ArchiveReader`.
    package borrowing func reader(of archive: AuditArchive) throws(VaultError) -> ArchiveReader {
        let (vaultID, keys) = try withoutRecord { transaction throws(VaultError) in
            (transaction.manifest.vaultID, try transaction.auditKeys())
        }
        guard archive.header.vaultID == vaultID else { throw .input(.archiveOfOtherVault) }
        return try ArchiveReader(archive, keys)
    }

    /// Verifies each part of an archive, and the chain of its records.
    /// - Throws: the errors of `reader` and `ArchiveReader.next`.
    package borrowing func verify(_ archive: AuditArchive) throws(VaultError) {
        var reader = try reader(of: archive)
        try reader.verify()
    }
}
