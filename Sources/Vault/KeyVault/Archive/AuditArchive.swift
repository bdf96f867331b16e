import Files

/// An archive of the audit log: a file with records that were removed from the vault.
package struct AuditArchive: Sendable {
    package let path: String
    let header: ArchiveHeader

    /// The number of the first record.
    package var first: Int64 { header.before.sequence + 1 }
    /// The number of the last record.
    package var last: Int64 { header.last.sequence }
    /// Identifies the archive.
    package var hash: [UInt8] { header.hash }

    /// Reads the header. Nothing is verified yet.
    /// - Throws: `notAnArchive`; `noSuchFile`, `system`.
    package init(_ path: String) throws(VaultError) {
        self.path = path
        let bytes: [UInt8]
        do {
            let file = try OpenFile(path)
            bytes = try file.withDescriptor { file throws(FileError) in
                guard try file.status.kind == .regular else { return [] }
                return try file.bytes(ArchiveHeader.count, at: 0)
            }
        } catch { throw VaultError(opening: error) }
        guard let header = ArchiveHeader(bytes) else { throw .input(.notAnArchive) }
        self.header = header
    }

    /// The archives in the order of their records.
    /// - Throws: `archivesNotConsecutive` where records are missing between two archives, or where
    ///   two archives have the same records.
    package static func consecutive(_ archives: [AuditArchive]) throws(VaultError) -> [AuditArchive] {
        let sorted = archives.sorted { ($0.first, $0.last) < ($1.first, $1.last) }
        for (archive, next) in zip(sorted, sorted.dropFirst()) where next.header.before != archive.header.last
        {
            throw .input(.archivesNotConsecutive(last: archive.last, next: next.first))
        }
        return sorted
    }
}
